/** What a failed call to the signature provider means for whoever asked (rules 2, 4). */
import { AppError, type Said } from '../errors.js';
import { isProviderError, type ProviderError } from '../http/provider-error.js';
import { adviceOn, answerIn, meaningOf, reasonIn, secondsToWait } from '../http/refusal.js';

/** The sentence in the reader's language. */
export function saidBy(error: ProviderError): Said {
  const answer = error.refusal ? answerIn(error.refusal) : '';
  return { words: `provider_${meaningOf(error)}`, params: { answer, seconds: String(secondsToWait(error)) } };
}

/** A ProviderError as the refusal that its caller gets; anything else as it is. `before` says what is known all the same. */
export function asRefusal(error: unknown, before = ''): unknown {
  if (!isProviderError(error)) return error;
  const isRejected = meaningOf(error) === 'rejects';
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

/** Why the provider will not send the contract, in its words, until somebody corrects it; null for anything else. */
export function refusalIn(error: unknown): string | null {
  if (!isProviderError(error) || meaningOf(error) !== 'rejects' || !error.refusal) return null;
  return reasonIn(error.refusal) || answerIn(error.refusal);
}
