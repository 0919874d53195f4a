/** What can happen to a signature request, and the webhooks and mails that go with it. */
import type { World } from '../world.js';
import { isOver } from './last-day.js';
import { sendLinkMail } from './link-mail.js';
import type { SignatureRequest, Signer } from './types.js';
import { briefRequestView, signatureLink } from './views.js';

/** The provider's default lifetime of a link. */
const LINK_LIFE_MS = 48 * 3600_000;

export type SignOptions = {
  /** Pretends that the signature was completed at this moment (milliseconds, or ISO 8601 text). */
  completedAt?: number | string | undefined;
  /** Only this signer; without it all of them. */
  signerId?: string | undefined;
};

/** Undefined when there is none. Expires one whose last day has passed. */
export function findRequest(world: World, id: string): SignatureRequest | undefined {
  const request = world.signatureRequests.get(id);
  if (request) sweep(world, request);
  return request;
}

/** Newest first, as the provider lists them. */
export function listRequests(world: World): SignatureRequest[] {
  const requests = [...world.signatureRequests.values()].toReversed();
  for (const request of requests) sweep(world, request);
  return requests;
}

/** Makes every signer's link and mails it. The caller has checked that the request may be activated. */
export function activate(world: World, request: SignatureRequest): void {
  request.status = 'ongoing';
  request.activatedAt = world.now();
  publish(world, request, 'signature_request.activated');
  for (const signer of request.signers) notify(world, request, signer);
}

/** Gives the signer a new link with its full lifetime and mails it. */
export function notify(world: World, request: SignatureRequest, signer: Signer): void {
  signer.status = 'notified';
  renewLink(world, signer);
  if (request.deliveryMode === 'email')
    sendLinkMail(world, request, signer, signatureLink(world, request, signer) ?? '');
  publish(world, request, 'signer.notified', { signer });
}

/** A valid link stays as it is. */
export function freshenLink(world: World, request: SignatureRequest, signer: Signer): void {
  if (request.status !== 'ongoing' || (signer.linkExpiresAt ?? 0) > world.now()) return;
  renewLink(world, signer);
}

function renewLink(world: World, signer: Signer): void {
  signer.linkToken = world.ids.token(32);
  signer.linkExpiresAt = world.now() + LINK_LIFE_MS;
}

/** False, with nothing changed, when the request is not ongoing or that signer has signed. */
export function sign(world: World, request: SignatureRequest, options: SignOptions = {}): boolean {
  if (request.status !== 'ongoing') return false;
  const { completedAt, signerId } = options;
  const at = completedAt === undefined ? world.now() : new Date(completedAt).getTime();
  if (Number.isNaN(at)) throw new RangeError('completedAt is not a moment in time');
  const signing = request.signers.filter(
    (signer) => signer.status !== 'signed' && (signerId === undefined || signer.id === signerId),
  );
  if (signing.length === 0) return false;
  for (const signer of signing) {
    signer.status = 'signed';
    signer.signedAt = at;
    publish(world, request, 'signer.done', { signer, at });
  }
  if (request.signers.every((signer) => signer.status === 'signed')) {
    request.status = 'done';
    request.completedAt = at;
    publish(world, request, 'signature_request.done', { at });
  }
  return true;
}

/** False, with nothing changed, when the request is not ongoing. */
export function decline(world: World, request: SignatureRequest, reason: string, signerId?: string): boolean {
  const signer = request.signers.find(({ id }) => signerId === undefined || id === signerId);
  if (request.status !== 'ongoing' || !signer) return false;
  signer.status = 'declined';
  request.decline = { signerId: signer.id, reason, at: world.now() };
  publish(world, request, 'signer.declined', { signer });
  return end(world, request, 'declined');
}

/** The provider failed while the customer signed, and cancels the request. False, with nothing changed, when it is not ongoing. */
export function fail(world: World, request: SignatureRequest, signerId?: string): boolean {
  const signer = request.signers.find(({ id }) => signerId === undefined || id === signerId);
  if (request.status !== 'ongoing' || !signer) return false;
  signer.status = 'error';
  publish(world, request, 'signer.error', { signer });
  return end(world, request, 'canceled');
}

/** The provider's first mail did not arrive. False when nobody was written to. */
export function bounce(world: World, request: SignatureRequest, signerId?: string): boolean {
  const signer = request.signers.find(({ id }) => signerId === undefined || id === signerId);
  if (request.status !== 'ongoing' || !signer) return false;
  publish(world, request, 'signer.notification_delivery_failed', { signer });
  return true;
}

/** An end that was true once, or never, arrives now; the request stays as it is. */
export function announce(world: World, request: SignatureRequest, status: string): void {
  publish(world, { ...request, status }, `signature_request.${status}`);
}

/** False, with nothing changed, when the request is not ongoing. */
export function expire(world: World, request: SignatureRequest): boolean {
  return request.status === 'ongoing' && end(world, request, 'expired');
}

/** False, with nothing changed, when the request is neither waiting for approval nor ongoing. */
export function cancel(world: World, request: SignatureRequest, reason: string): boolean {
  if (request.status !== 'ongoing' && request.status !== 'approval') return false;
  request.cancelReason = reason;
  return end(world, request, 'canceled');
}

/** An approver's refusal. False, with nothing changed, when the request is neither waiting for approval nor ongoing. */
export function reject(world: World, request: SignatureRequest): boolean {
  return (request.status === 'ongoing' || request.status === 'approval') && end(world, request, 'rejected');
}

/** Always possible here; refusals are the API's business. `permanently` means 404 from then on. */
export function remove(world: World, request: SignatureRequest, permanently = false): void {
  request.deletedAt ??= world.now();
  end(world, request, 'deleted');
  if (!permanently) return;
  publish(world, request, 'signature_request.permanently_deleted');
  world.signatureRequests.delete(request.id);
}

/** The caller has checked that it is expired and that the new day is in the future. */
export function reactivate(world: World, request: SignatureRequest, expirationDate: string): void {
  request.expirationDate = expirationDate;
  request.status = 'ongoing';
  publish(world, request, 'signature_request.reactivated');
  for (const signer of request.signers) if (signer.status !== 'signed') notify(world, request, signer);
}

function end(world: World, request: SignatureRequest, status: string): true {
  request.status = status;
  for (const signer of request.signers) if (signer.status === 'notified') signer.status = 'aborted';
  publish(world, request, `signature_request.${status}`);
  return true;
}

/** The provider's own reminders, on their days. */
function remindAlone(world: World, request: SignatureRequest): void {
  const { reminders, activatedAt, remindersSent } = request;
  if (!reminders || activatedAt === null || request.status !== 'ongoing') return;
  const days = Math.floor((world.now() - activatedAt) / 86_400_000);
  const due = Math.min(Math.floor(days / reminders.interval_in_days), reminders.max_occurrences);
  if (due <= remindersSent) return;
  request.remindersSent = due;
  for (const signer of request.signers) if (signer.status === 'notified') notify(world, request, signer);
  publish(world, request, 'signature_request.automatic_reminder_executed');
}

function sweep(world: World, request: SignatureRequest): void {
  if (request.status !== 'ongoing') return;
  if (isOver(request, world.now() - world.settings.expiresLateMs)) expire(world, request);
  remindAlone(world, request);
}

function publish(
  world: World,
  request: SignatureRequest,
  event: string,
  { signer, at = world.now() }: { signer?: Signer; at?: number } = {},
): void {
  if (!world.settings.events.includes(event)) return;
  const eventId = world.ids.uuid();
  const data = {
    signature_request: briefRequestView(request),
    ...(signer && { signer: { id: signer.id, status: signer.status } }),
  };
  const body = (subscription: number): string =>
    JSON.stringify({
      event_id: eventId,
      event_name: event,
      event_time: String(Math.floor(at / 1000)),
      subscription_id: `5a0d6c2e-9f1b-4c3d-8e7f-${String(subscription + 1).padStart(12, '0')}`,
      subscription_description: 'Sandbox subscription',
      sandbox: true,
      data,
    });
  world.webhooks.send({ side: 'signature', event, eventId, subjectId: request.id, body });
}
