/** What can go wrong with an outside service, in the few words that decide what to do (spec 7). */

/**
 * not_found: it says there is no such thing. unauthorized: our key is wrong. rejected: our data is wrong.
 * rate_limited: later. unavailable: no answer, a broken one, somebody else's, or a 5xx; whether the call had an effect is
 * unknown.
 */
export type ProviderFailure = 'not_found' | 'unauthorized' | 'rejected' | 'rate_limited' | 'unavailable';

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly reason: ProviderFailure;
  readonly retryAfterMs: number | undefined;
  /** The provider's own word for it, as `signature_request.not_found`; undefined without one. */
  readonly type: string | undefined;

  constructor(
    reason: ProviderFailure,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number | undefined; type?: string | undefined } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.reason = reason;
    this.retryAfterMs = options.retryAfterMs;
    this.type = options.type;
  }
}

export function isProviderError(error: unknown, ...reasons: ProviderFailure[]): error is ProviderError {
  return error instanceof ProviderError && (reasons.length === 0 || reasons.includes(error.reason));
}

/**
 * What a refusal means. A 404 and other refusals of a call end things here, so they are believed only when the answer is
 * the provider's own error: a proxy, a wrong address and a maintenance page answer 404 and 400 too.
 */
export function failureOfStatus(status: number, isOwnError: boolean): ProviderFailure {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 429) return 'rate_limited';
  // A conflict is another call of ours that is still under way.
  if (status === 409 || status === 408 || status >= 500 || status < 400) return 'unavailable';
  if (!isOwnError) return 'unavailable';
  return status === 404 ? 'not_found' : 'rejected';
}

/**
 * The answer of `call`. A "not found" that does not name the thing may be a wrong address in the provider's own words:
 * there the list that `probe` asks for is not found either. Throws a ProviderError.
 */
export async function provedNotFound<T>(
  call: Promise<T>,
  naming: RegExp,
  probe: () => Promise<unknown>,
): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!isProviderError(error, 'not_found') || naming.test(error.type ?? '')) throw error;
    try {
      await probe();
    } catch (cause) {
      throw new ProviderError('unavailable', error.message, { cause });
    }
    throw error;
  }
}
