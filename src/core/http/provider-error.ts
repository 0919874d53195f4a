/**
 * What can go wrong with an outside service, in the few cases that decide what to do (rules 2, "Not found is not
 * down").
 */

import type { Refusal } from './refusal.js';

/**
 * not_found: it says there is no such thing. unauthorized: our key is wrong. rejected: our data is wrong.
 * rate_limited: later. unavailable: no answer, a broken one, one from somebody else, or a 5xx; the call may have had
 * an effect.
 */
export type ProviderFailure = 'not_found' | 'unauthorized' | 'rejected' | 'rate_limited' | 'unavailable';

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly reason: ProviderFailure;
  readonly retryAfterMs: number | undefined;
  /** Undefined when there was no answer, or one that was none. */
  readonly refusal: Refusal | undefined;

  constructor(
    reason: ProviderFailure,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number | undefined; refusal?: Refusal | undefined } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.reason = reason;
    this.retryAfterMs = options.retryAfterMs;
    this.refusal = options.refusal;
  }

  /** The provider's own, such as `signature_request.not_found`; undefined without one. */
  get type(): string | undefined {
    return this.refusal?.type;
  }
}

export function isProviderError(error: unknown, ...reasons: ProviderFailure[]): error is ProviderError {
  return error instanceof ProviderError && (reasons.length === 0 || reasons.includes(error.reason));
}

/** The answer of `call`; undefined when the provider itself says that there is no such thing. */
export function unlessNotFound<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch((error: unknown) => {
    if (!isProviderError(error, 'not_found')) throw error;
    return undefined;
  });
}

/**
 * The answer of `call`. A "not found" without a type may only mean a wrong address, so it is believed only when
 * `probe`, which asks for the list, succeeds. Throws a ProviderError.
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

/** The caller has gone, so nobody waits for the provider's answer. Says nothing about the provider. */
export class CallCut extends Error {
  override readonly name = 'CallCut';
  readonly provider: string;
  /** True for a call that changes something: it may still be carried out. */
  readonly mayHaveActed: boolean;

  constructor(provider: string, { mayHaveActed }: { mayHaveActed: boolean }) {
    super(`stopped waiting for the ${provider}`);
    this.provider = provider;
    this.mayHaveActed = mayHaveActed;
  }
}
