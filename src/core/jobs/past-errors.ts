/** The errors of a job's attempts (rules 5), which stay with it: the first and the last nine. */
import { describeError } from '../errors.js';
import { ProviderError, type ProviderFailure } from '../http/provider-error.js';
import { MailError, type MailFailure } from '../mail/mail-error.js';

export interface PastError {
  attempt: number;
  at: string;
  error: string;
  /** Of a failure of an outside service: what rules decide by. */
  reason?: MailFailure | ProviderFailure;
  /** The provider's own word for it, if it has one. */
  type?: string | undefined;
}

const LAST_ERRORS_KEPT = 9;

export function pastErrors({ errors }: { errors: string }): PastError[] {
  return JSON.parse(errors);
}

export function pastError(error: unknown, { attempt, at }: Pick<PastError, 'attempt' | 'at'>): PastError {
  const isOutside = error instanceof MailError || error instanceof ProviderError;
  return {
    attempt,
    at,
    error: describeError(error),
    ...(isOutside && { reason: error.reason }),
    type: error instanceof ProviderError ? error.type : undefined,
  };
}

export function rememberError(all: readonly PastError[], error: PastError): PastError[] {
  const [first, ...later] = [...all, error];
  return [first, ...later.slice(-LAST_ERRORS_KEPT)];
}
