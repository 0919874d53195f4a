/** The signature provider's JSON forms. A signer's link is shown only where the provider shows it. */
import type { World } from '../world.js';
import { lastSecondOf } from './last-day.js';
import type { SignatureDocument, SignatureRequest, Signer } from './types.js';

/** `2026-03-02T09:14:07+00:00`, the only form of a moment that this provider writes. */
export function wireTime(ms: number): string {
  const known = WIRE_TIMES.get(ms);
  if (known !== undefined) return known;
  if (WIRE_TIMES.size >= WIRE_TIMES_MAX) WIRE_TIMES.clear();
  const time = `${new Date(ms).toISOString().slice(0, 19)}+00:00`;
  WIRE_TIMES.set(ms, time);
  return time;
}

/** Each list writes the same ones again. */
const WIRE_TIMES = new Map<number, string>();
const WIRE_TIMES_MAX = 100_000;

const wireTimeOrNull = (ms: number | null): string | null => (ms === null ? null : wireTime(ms));

export function requestView(world: World, request: SignatureRequest) {
  const view = briefRequestView(request);
  return {
    ...view,
    cancel_reason: request.cancelReason,
    signers: request.signers.map((signer) => linkView(world, request, signer)),
  };
}

/** A request as create, get, list and webhooks show it: its signers by id and status only. */
export function briefRequestView(request: SignatureRequest) {
  return {
    id: request.id,
    status: request.status,
    name: request.name,
    delivery_mode: request.deliveryMode,
    created_at: wireTime(request.createdAt),
    activated_at: wireTimeOrNull(request.activatedAt),
    completed_at: wireTimeOrNull(request.completedAt),
    approved_at: null,
    deleted_at: wireTimeOrNull(request.deletedAt),
    expiration_date: wireTime(lastSecondOf(request)),
    ordered_signers: request.orderedSigners,
    reminder_settings: request.reminders,
    timezone: request.timezone,
    email_custom_note: request.emailCustomNote,
    source: 'public_api',
    external_id: request.externalId,
    signers_allowed_to_decline: request.signersAllowedToDecline,
    decline_information: request.decline && {
      signer_id: request.decline.signerId,
      reason: request.decline.reason,
      declined_at: wireTime(request.decline.at),
    },
    rejection_information: null,
    signers: request.signers.map(({ id, status }) => ({ id, status })),
    approvers: [],
    documents: request.documents.map(({ id, nature }) => ({ id, nature })),
    labels: [],
    audit_trail_locale: request.auditTrailLocale,
    ...OF_THE_ACCOUNT,
  };
}

/** The same for every request of this account, in the form of 2026. */
const OF_THE_ACCOUNT = {
  ordered_approvers: false,
  sender: { id: '25c5c8a3-bb19-4b0a-990d-794bfe2aae9c', email: 'sender@sandbox.test' },
  branding_id: null,
  custom_experience_id: null,
  workspace_id: '09fd5371-bf21-42ca-ad54-2db16626080f',
  email_notification: { sender: { type: 'organization', custom_name: null }, custom_note: null },
  bulk_send_batch_id: null,
  workflow_session_id: null,
  previous_attempt_id: null,
  custom_recipient_order: false,
  custom_properties: [],
};

function linkView(world: World, request: SignatureRequest, signer: Signer) {
  return {
    id: signer.id,
    status: signer.status,
    signature_link: signatureLink(world, request, signer),
    signature_link_expiration_date: wireTimeOrNull(signer.linkExpiresAt),
  };
}

export function signatureLink(world: World, request: SignatureRequest, signer: Signer): string | null {
  if (signer.linkToken === null) return null;
  const query = new URLSearchParams({ signer: signer.id, token: signer.linkToken });
  return `${world.settings.publicUrl}/sign/${request.id}?${query.toString()}`;
}

export function signerView(world: World, request: SignatureRequest, signer: Signer) {
  return {
    ...linkView(world, request, signer),
    info: signer.info,
    signature_level: signer.level,
    signature_authentication_mode: signer.authenticationMode,
    fields: signer.fields,
    delivery_mode: null,
    redirect_urls: { success: null, error: null, decline: null },
  };
}

export function documentView(request: SignatureRequest, document: SignatureDocument) {
  return {
    id: document.id,
    filename: document.filename,
    nature: document.nature,
    content_type: 'application/pdf',
    sha256: document.sha256,
    is_protected: document.isProtected,
    is_signed: request.status === 'done',
    is_locked: document.isProtected,
    created_at: wireTime(document.createdAt),
    total_pages: document.pages.length,
    total_anchors: document.anchors.length,
    initials: null,
  };
}
