/** What the providers now say about the current contract and its payments. Asking changes nothing. */
import { label, type Say } from '../texts/index.js';
import type { ContractRow, PaymentRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { isProviderError, type ProviderError } from '../http/provider-error.js';
import { ANSWER_KEYS, type Answer as PaymentAnswer } from '../payment/answers.js';
import { askAbout as askAboutPayment } from '../payment/observe.js';
import { findAtProvider } from '../signature/at-provider.js';
import type { KnownSignature } from '../signature/provider.js';
import type { SignatureState } from '../signature/provider-answers.js';
import { isSendingUnfinished } from '../signature/sent.js';
import type { CaseFile } from './case-file.js';
import { entry, type TimelineEntry } from './timeline-entry.js';

/** known: its answer. gone: it does not exist there. silent: the provider could not be asked. */
export type Answer<T> =
  | { kind: 'known'; state: T }
  | { kind: 'gone' }
  | { kind: 'silent'; error: ProviderError };

export interface PresentView {
  /** Undefined: not asked. */
  signature?: Answer<SignatureState>;
  /** The session that counts first, and each other that may still be paid. */
  payments: AnsweredPayment[];
}

export interface AnsweredPayment {
  payment: PaymentRow;
  answer: Answer<PaymentAnswer>;
}

export async function askProviders(
  ctx: Context,
  { contract, payment, payments }: CaseFile,
): Promise<PresentView> {
  const others = payments.filter(
    ({ id, state }) => (state === 'open' || state === 'pending') && id !== payment?.id,
  );
  const asked = [...(payment ? [payment] : []), ...others];
  const [signature, ...answers] = await Promise.all([
    contract && askAbout(ctx, contract),
    ...asked.map(async (one) => ({
      payment: one,
      answer: await answer(askAboutSession(ctx, one.paymentId)),
    })),
  ]);
  return { ...(signature && { signature }), payments: answers };
}

/** Undefined: it does not exist there. */
async function askAboutSession(ctx: Context, paymentId: string): Promise<PaymentAnswer | undefined> {
  const said = await askAboutPayment(ctx, paymentId);
  return said.theirs === 'absent' ? undefined : said;
}

/** When sending was interrupted, the provider may know more than we do, including the signId. */
async function askAbout(ctx: Context, contract: ContractRow): Promise<Answer<SignatureState> | undefined> {
  if (isSendingUnfinished(contract)) return answer(findAtProvider(ctx, contract).then(({ ours }) => ours));
  const { signId, externalId } = contract;
  return signId === null ? undefined : answer(askSignature(ctx, { signId, externalId }));
}

/** With its signers' addresses, which prove whether it is ours. */
async function askSignature({ provider }: Context, known: KnownSignature): Promise<SignatureState> {
  return provider.withEmails(await provider.getSignatureStatus(known));
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

/** The answers as the last entries of the time line. */
export function viewEntries(say: Say, file: CaseFile, { signature, payments }: PresentView): TimelineEntry[] {
  return [
    ...told(say, file, 'signature', signature, signatureWords),
    ...payments.flatMap((one) => told(say, file, 'payment', one.answer, sessionWords)),
  ];
}

function told<T>(
  say: Say,
  { now: at, contract }: CaseFile,
  asked: 'signature' | 'payment',
  answered: Answer<T> | undefined,
  words: (say: Say, state: T) => string,
): TimelineEntry[] {
  if (!answered) return [];
  const { kind } = answered;
  const status = kind === 'known' ? words(say, answered.state) : '';
  const message = say(`timeline.asked.${kind}`, { source: say(`timeline.source.${asked}`), status });
  const note = kind === 'silent' ? answered.error.message : null;
  const level = kind === 'known' ? 'info' : 'trouble';
  const contractId = contract?.id ?? null;
  return [entry({ at, actor: 'provider', contractId, what: `${asked}.asked`, message, note, level })];
}

function signatureWords(say: Say, { status, signedAt }: SignatureState): string {
  const words = label(say, `asked.signature.${status}`, status);
  return status === 'done' && signedAt ? `${words} (${signedAt})` : words;
}

function sessionWords(say: Say, { theirs }: PaymentAnswer): string {
  const key = ANSWER_KEYS[theirs];
  return label(say, `asked.${key}`, key);
}
