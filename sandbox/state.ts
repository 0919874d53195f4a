/** The sandbox's state as plain JSON: what GET /_sandbox/state answers and what tests look at. */
import type { Fault } from './faults.js';
import type { Mail } from './mailbox.js';
import { sessionView, type Price } from './payment/session.js';
import type { SignatureRequest } from './signature/types.js';
import { requestView, signerView } from './signature/views.js';
import type { Acknowledged, Delivery } from './webhooks-out.js';
import type { Counters, World } from './world.js';

export type MailState = Omit<Mail, 'attachments' | 'receivedAt'> & {
  receivedAt: string;
  attachments: { filename: string; contentType: string; size: number }[];
};

export type SandboxState = {
  /** As the signature provider answers them, with signers in full and `cancel_reason`. */
  signatureRequests: ReturnType<typeof wholeRequest>[];
  /** As the payment provider answers them, with `idempotency_key` and the `price`. */
  sessions: (ReturnType<typeof sessionView> & { idempotency_key: string | null; price: Price })[];
  mails: MailState[];
  deliveries: Delivery[];
  /** Every webhook event that was accepted, since the start. */
  acknowledged: Acknowledged[];
  counters: Counters;
  faults: Fault[];
};

/** A copy: changing it changes nothing in the sandbox. */
export function stateOf(world: World): SandboxState {
  return structuredClone({
    signatureRequests: [...world.signatureRequests.values()].map((request) => wholeRequest(world, request)),
    sessions: [...world.sessions.values()].map((session) => ({
      ...sessionView(world, session),
      idempotency_key: session.idempotencyKey,
      price: { amount: session.amount, currency: session.currency },
    })),
    mails: world.mailbox.list().map(mailState),
    deliveries: world.webhooks.deliveries,
    acknowledged: world.webhooks.acknowledged,
    counters: world.counters,
    faults: world.faults.list(),
  });
}

function wholeRequest(world: World, request: SignatureRequest) {
  return {
    ...requestView(world, request),
    signers: request.signers.map((signer) => signerView(world, request, signer)),
  };
}

export function mailState(mail: Mail): MailState {
  const attachments = mail.attachments.map(({ filename, contentType, size }) => ({
    filename,
    contentType,
    size,
  }));
  return { ...mail, receivedAt: new Date(mail.receivedAt).toISOString(), attachments };
}
