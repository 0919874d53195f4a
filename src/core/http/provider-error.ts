/** What can go wrong with an outside service, in the few words that decide what to do (spec 7). */

/**
 * not_found: it says there is no such thing. unauthorized: our key is wrong. rejected: our data is wrong.
 * rate_limited: later. unavailable: no answer, a broken one, or a 5xx; whether the call had an effect is unknown.
 */
export type ProviderFailure = 'not_found' | 'unauthorized' | 'rejected' | 'rate_limited' | 'unavailable';

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly reason: ProviderFailure;
  readonly retryAfterMs: number | undefined;

  constructor(
    reason: ProviderFailure,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.reason = reason;
    this.retryAfterMs = options.retryAfterMs;
  }
}

export function isProviderError(error: unknown, ...reasons: ProviderFailure[]): error is ProviderError {
  return error instanceof ProviderError && (reasons.length === 0 || reasons.includes(error.reason));
}

export function failureOfStatus(status: number): ProviderFailure {
  if (status === 404) return 'not_found';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 429) return 'rate_limited';
  // A conflict is another call of ours that is still under way.
  if (status === 409 || status === 408 || status >= 500 || status < 400) return 'unavailable';
  return 'rejected';
}
