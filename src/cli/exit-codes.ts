/** Exit codes of esignctl (rules 10), decided in this one place. */
import type { AppError, ErrorCode, ErrorKind } from '../core/errors.js';

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  unavailable: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What each means, for the help and the manual page. */
export const EXIT_CODES: readonly (readonly [ExitCode, string])[] = [
  [EXIT.done, 'done, also when there was nothing to do'],
  [EXIT.failed, 'it ran, and something failed'],
  [EXIT.usage, 'wrong usage or settings'],
  [EXIT.refused, 'a rule refused; its key is printed'],
  [EXIT.notFound, 'not found'],
  [EXIT.unavailable, 'a service is unavailable, or another process is working on it: try later'],
  [EXIT.interrupted, 'interrupted'],
];

export function exitCodesHelp(): string {
  return EXIT_CODES.map(([code, words]) => `${String(code).padEnd(4)} ${words}\n`).join('');
}

const BY_KIND: Readonly<Record<ErrorKind, ExitCode>> = {
  invalid: EXIT.usage,
  unauthorized: EXIT.refused,
  forbidden: EXIT.refused,
  refused: EXIT.refused,
  not_found: EXIT.notFound,
  unavailable: EXIT.unavailable,
  busy: EXIT.unavailable,
};

/** Codes with another exit code than their kind's. */
const BY_CODE: Readonly<Partial<Record<ErrorCode, ExitCode>>> = {
  provider_unavailable: EXIT.unavailable,
  payment_creation_failed: EXIT.unavailable,
  payment_unavailable: EXIT.unavailable,
  // The command was right; the customer's record is wrong.
  invalid_signer_name: EXIT.refused,
  invalid_signer_email: EXIT.refused,
  unprintable_words: EXIT.refused,
};

export function exitOfError({ kind, code }: Pick<AppError, 'kind' | 'code'>): ExitCode {
  return BY_CODE[code] ?? BY_KIND[kind];
}

/** For the manual checks: error keys are refusals, except the two that mean "try later". */
export function exitOfCheck({ type, key }: { type: 'success' | 'info' | 'error'; key: string }): ExitCode {
  if (type !== 'error') return EXIT.done;
  return BY_CODE[key as ErrorCode] ?? EXIT.refused;
}
