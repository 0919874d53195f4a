/** What the two providers say now about the contract and the payment that count. Nothing is changed by asking. */
import type { ContractRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { isProviderError, type ProviderError } from '../http/provider-error.js';
import type { PaymentSession } from '../payment/provider.js';
import { findAtProvider } from '../signature/create-signature.js';
import type { SignatureState } from '../signature/provider.js';
import { isSendingUnfinished } from '../signature/sent.js';
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
  const [signature, session] = await Promise.all([
    contract && askAbout(ctx, contract),
    payment ? answer(ctx.payment.getSession(payment.paymentId)) : undefined,
  ]);
  return { ...(signature && { signature }), ...(session && { payment: session }) };
}

/** Of a contract whose sending stopped half-way the provider may know more than we do, its signId included. */
async function askAbout(ctx: Context, contract: ContractRow): Promise<Answer<SignatureState> | undefined> {
  if (isSendingUnfinished(contract)) return answer(findAtProvider(ctx, contract).then(({ ours }) => ours));
  return contract.signId === null ? undefined : answer(askSignature(ctx, contract.signId));
}

/** With its signers' addresses, which tell whether it is ours. */
async function askSignature({ provider }: Context, signId: string): Promise<SignatureState> {
  return provider.withEmails(await provider.getSignatureStatus(signId));
}

async function answer<T>(asking: Promise<T | undefined>): Promise<Answer<T>> {
  try {
    const state = await asking;
    return state === undefined ? { kind: 'gone' } : { kind: 'known', state };
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
