/** What the providers now say about the current contract and its payments. Asking changes nothing. */
import { label, type Say } from '../texts/index.js';
import type { Context } from '../context.js';
import { isProviderError, ProviderError } from '../http/provider-error.js';
import { ANSWER_KEYS, type Answer } from '../payment/answers.js';
import { askAbout } from '../payment/observe.js';
import { observe, type Seen } from '../signature/observe.js';
import type { CaseFile } from './case-file.js';
import { entry, type TimelineEntry } from './timeline-entry.js';

/** A ProviderError: no answer. */
export interface PresentView {
  /** Undefined: not asked. */
  signature: Seen | ProviderError | undefined;
  /** By paymentId: the session that counts, and each other that may still be paid. */
  payments: ReadonlyMap<string, Answer | ProviderError>;
}

export async function askProviders(
  ctx: Context,
  { contract, payment, payments }: CaseFile,
): Promise<PresentView> {
  const asked = payments.filter(
    ({ id, state }) => id === payment?.id || state === 'open' || state === 'pending',
  );
  const mayBeThere = contract && (contract.signId !== null || contract.status === 'PENDING');
  const [signature, ...answers] = await Promise.all([
    mayBeThere ? orSilence(observe(ctx, contract)) : undefined,
    ...asked.map(async ({ paymentId }) => [paymentId, await orSilence(askAbout(ctx, paymentId))] as const),
  ]);
  return { signature, payments: new Map(answers) };
}

async function orSilence<T>(asking: Promise<T>): Promise<T | ProviderError> {
  try {
    return await asking;
  } catch (error) {
    if (isProviderError(error)) return error;
    throw error;
  }
}

/** The answers as entries of the time line, of this moment: a next try comes after them. */
export function viewEntries(say: Say, file: CaseFile, { signature, payments }: PresentView): TimelineEntry[] {
  return [
    ...(signature ? [told(say, file, 'signature', signatureWords(say, signature))] : []),
    ...[...payments.values()].map((said) => told(say, file, 'payment', sessionWords(say, said))),
  ];
}

/** Undefined: it does not exist there. */
type Words = string | undefined | ProviderError;

function told(
  say: Say,
  { now: at, contract }: CaseFile,
  asked: 'signature' | 'payment',
  said: Words,
): TimelineEntry {
  const about = { at, actor: 'provider', contractId: contract?.id ?? null, what: `${asked}.asked` };
  const source = say(`timeline.source.${asked}`);
  if (typeof said === 'string')
    return entry({ ...about, message: say('timeline.asked.known', { source, status: said }) });
  const [message, note] = said
    ? [say('timeline.asked.silent', { source }), said.message]
    : [say('timeline.asked.gone', { source }), null];
  return entry({ ...about, message, note, level: 'trouble' });
}

function signatureWords(say: Say, said: Seen | ProviderError): Words {
  if (said instanceof ProviderError) return said;
  if (!said.state) return undefined;
  const { status, signedAt } = said.state;
  const words = label(say, `asked.signature.${status}`, status);
  return status === 'done' && signedAt ? `${words} (${signedAt})` : words;
}

function sessionWords(say: Say, said: Answer | ProviderError): Words {
  if (said instanceof ProviderError) return said;
  const key = ANSWER_KEYS[said.theirs];
  return said.theirs === 'absent' ? undefined : label(say, `asked.${key}`, key);
}
