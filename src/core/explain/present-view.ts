/** What the two providers say now about the contract and the payment that count. Nothing is changed by asking. */
import type { Context } from '../context.js';
import { isProviderError, type ProviderError } from '../http/provider-error.js';
import type { PaymentSession } from '../payment/provider.js';
import type { SignatureState } from '../signature/provider.js';
import type { CaseFile } from './case-file.js';
import { entry, type Say, type TimelineEntry } from './timeline-entry.js';

/** known: its answer. gone: it says that there is no such thing. silent: it could not be asked. */
export type Answer<T> =
  | { kind: 'known'; state: T }
  | { kind: 'gone' }
  | { kind: 'silent'; error: ProviderError };

export interface PresentView {
  /** Undefined: not asked. */
  signature?: Answer<SignatureState>;
  payment?: Answer<PaymentSession>;
}

export async function askProviders(ctx: Context, { contract, payment }: CaseFile): Promise<PresentView> {
  const signId = contract?.signId;
  const [signature, session] = await Promise.all([
    signId ? answer(askSignature(ctx, signId)) : undefined,
    payment ? answer(ctx.payment.getSession(payment.paymentId)) : undefined,
  ]);
  return { ...(signature && { signature }), ...(session && { payment: session }) };
}

/** With its signers' addresses, which tell whether it is ours. */
async function askSignature({ provider }: Context, signId: string): Promise<SignatureState> {
  return provider.withEmails(await provider.getSignatureStatus(signId));
}

async function answer<T>(asking: Promise<T>): Promise<Answer<T>> {
  try {
    return { kind: 'known', state: await asking };
  } catch (error) {
    if (isProviderError(error, 'not_found')) return { kind: 'gone' };
    if (isProviderError(error)) return { kind: 'silent', error };
    throw error;
  }
}

/** The answers as the last lines of the time line. */
export function viewEntries(
  say: Say,
  { now, contract }: CaseFile,
  { signature, payment }: PresentView,
): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  const about = { at: now, actor: 'provider', contractId: contract?.id ?? null };
  const tell = (source: 'signature' | 'payment', found: Answer<unknown>, status: string) =>
    entries.push(
      entry({
        ...about,
        what: `${source}.asked`,
        message: say(`timeline.asked.${found.kind}`, { source: say(`timeline.source.${source}`), status }),
        note: found.kind === 'silent' ? found.error.message : null,
        level: found.kind === 'known' ? 'info' : 'trouble',
      }),
    );
  if (signature)
    tell('signature', signature, signature.kind === 'known' ? signatureWords(signature.state) : '');
  if (payment) tell('payment', payment, payment.kind === 'known' ? sessionWords(payment.state) : '');
  return entries;
}

function signatureWords({ status, signedAt }: SignatureState): string {
  return status === 'done' && signedAt ? `done (${signedAt})` : status;
}

function sessionWords({ status, paymentStatus }: PaymentSession): string {
  return [status, paymentStatus].filter(Boolean).join(', ');
}
