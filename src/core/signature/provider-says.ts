/** What a failed call to the signature provider means for whoever asked (rules 2, 4). */
import type { ContractRow } from '../../db/schema.js';
import { AppError } from '../errors.js';
import { isProviderError, type ProviderError } from '../http/provider-error.js';
import { adviceOn, answerIn, meaningOf, secondsToWait } from '../http/refusal.js';
import type { Said } from '../texts/index.js';

/** The sentence in the reader's language. */
export function saidBy(error: ProviderError): Said {
  const answer = error.refusal ? answerIn(error.refusal) : '';
  return { words: `provider_${meaningOf(error)}`, params: { answer, seconds: String(secondsToWait(error)) } };
}

/** A ProviderError as the refusal that its caller gets; anything else as it is. `before` says what is known all the same. */
export function asRefusal(error: unknown, before = ''): unknown {
  if (!isProviderError(error)) return error;
  const meaning = meaningOf(error);
  const isRejected = meaning === 'rejects' || meaning === 'rejects_pdf';
  return new AppError(
    isRejected ? 'refused' : 'unavailable',
    isRejected ? 'provider_rejected' : 'provider_unavailable',
    `${before}${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`,
    {
      cause: error,
      hint: adviceOn(error),
      said: saidBy(error),
      fields: error.refusal?.fields ?? {},
      retryAfterMs: error.retryAfterMs,
    },
  );
}

/**
 * Why a contract was not sent, to be told for as long as it is not; undefined when the provider gave no answer, or when the customer
 * may have it.
 */
export function refusalIn(error: unknown, { sending }: Pick<ContractRow, 'sending'>): Said | undefined {
  if (!isProviderError(error) || !error.refusal) return undefined;
  const said = saidBy(error);
  if (sending !== 'unsent' && !NOT_SENT.has(said.words)) return undefined;
  // The seconds to wait will be over.
  return said.words === 'provider_busy' ? { ...said, words: 'provider_answered' } : said;
}

/** Answers after which even the last step has sent nothing. */
const NOT_SENT = new Set<Said['words']>(['provider_rejects', 'provider_rejects_pdf', 'provider_forbids']);
