/** What a failed call to the payment provider means for whoever asked (rules 2, 5). */
import { AppError } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';
import { adviceOn, answerIn, meaningOf } from '../http/refusal.js';

/** A ProviderError as the refusal that its caller gets; anything else as it is. `before` says what is known all the same. */
export function asPaymentRefusal(error: unknown, before = ''): unknown {
  if (!isProviderError(error)) return error;
  const meaning = meaningOf(error);
  const isKey = meaning === 'refuses_key' || meaning === 'forbids';
  const answer = error.refusal ? answerIn(error.refusal) : '';
  return new AppError('unavailable', 'payment_unavailable', `${before}The ${error.message}.`, {
    cause: error,
    hint: adviceOn(error),
    retryAfterMs: error.retryAfterMs,
    ...(isKey && { said: { words: `payment_${meaning}`, params: { answer } } }),
  });
}
