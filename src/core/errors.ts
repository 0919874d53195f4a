/** Refusals. Codes are public (rules 4, 7); the server and the command line decide what a kind means there. */
import type { Advice } from './commands.js';
import type { Said } from './texts/index.js';

export { messageOf } from '../db/caught.js';

/** invalid: the input is wrong. refused: a rule says no. busy: another process is working on it, try again. */
export type ErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'refused'
  | 'unavailable'
  | 'busy';

export const ERROR_CODES = [
  'invalid_input',
  'invalid_credentials',
  'forbidden',
  'not_found',
  'request_not_found',
  'contract_not_found',
  'job_not_found',
  'not_waiting_signature',
  'not_waiting_payment',
  'no_sign_id',
  'contract_expired',
  'payment_creation_failed',
  'signature_not_found',
  'foreign_signature',
  'provider_unavailable',
  'payment_unavailable',
  'already_signed',
  'request_canceled',
  'already_paid',
  'payment_link_works',
  'payment_pending',
  'no_payment_pending',
  'already_started',
  'already_reset',
  'already_complete',
  'not_canceled',
  'not_renewable',
  'nothing_to_settle',
  'nothing_to_remind',
  'reminded_recently',
  'cannot_be_changed',
  'in_use',
  'last_administrator',
  'own_role',
  'has_password',
  'user_disabled',
  'in_progress',
  'idempotency_key_reused',
  'job_not_failed',
  'job_not_waiting',
  'not_replayable',
  'webhook_disabled',
  'webhook_deleted',
  'contract_pdf_missing',
  'signed_pdf_missing',
  'signed_pdf_damaged',
  'signed_pdf_differs',
  'contract_not_signed',
  'not_late',
  'clock_ahead',
  'invalid_signer_name',
  'invalid_signer_email',
  'unprintable_words',
  'unpayable_price',
  'provider_rejected',
  'database_busy',
  'database_damaged',
  'database_moved',
  'wrong_schema',
  'daemon_running',
  'data_in_use',
  'no_data',
  'other_installation',
  'data_without_database',
  'file_exists',
  'not_permitted',
  'backup_not_found',
  'backup_damaged',
  'not_a_snapshot',
  'held',
  'other_account',
  'audit_trail_not_ready',
  'contracts_under_retention',
  'user_erased',
  'requests_open',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface AppErrorOptions {
  fields?: Record<string, string>;
  hint?: Advice;
  /** The message in the reader's language, for pages. */
  said?: Said;
  /** The faults of fields, so too. */
  fieldsSaid?: Record<string, Said>;
  /** The next try must not be earlier. */
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly kind: ErrorKind;
  readonly code: ErrorCode;
  readonly fields: Record<string, string>;
  readonly hint: Advice | undefined;
  readonly said: Said | undefined;
  readonly fieldsSaid: Record<string, Said>;
  readonly retryAfterMs: number | undefined;

  constructor(kind: ErrorKind, code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.kind = kind;
    this.code = code;
    this.fields = options.fields ?? {};
    this.hint = options.hint;
    this.said = options.said;
    this.fieldsSaid = options.fieldsSaid ?? {};
    this.retryAfterMs = options.retryAfterMs;
  }
}

export function isAppError(error: unknown, code: ErrorCode): error is AppError {
  return error instanceof AppError && error.code === code;
}

export function refused(code: ErrorCode, message: string, hint?: Advice): AppError {
  return new AppError('refused', code, message, hint === undefined ? {} : { hint });
}

export function notFound(code: ErrorCode, message: string, hint?: Advice): AppError {
  return new AppError('not_found', code, message, hint === undefined ? {} : { hint });
}

export const BLANK = 'This value should not be blank.';
export function tooLong(lengthMax: number): string {
  return `This value is too long. It should have ${lengthMax} characters or less.`;
}

/** Input that breaks a rule; `fields` names each field and what is wrong with it. */
export function invalid(fields: Record<string, string>, fieldsSaid: Record<string, Said> = {}): AppError {
  return new AppError('invalid', 'invalid_input', 'Validation failed', { fields, fieldsSaid });
}

/** A failure in words: its message and those of its causes, never a stack. */
export function describeError(error: unknown): string {
  const seen: string[] = [];
  for (let e: unknown = error; e instanceof Error && seen.length < 5; e = e.cause) {
    if (e.message && !seen.includes(e.message)) seen.push(e.message);
  }
  return (seen.join(': ') || String(error)).slice(0, 1000);
}

/** A refusal in one line, with the next step where there is one. */
export function withHint({ message, hint }: AppError): Advice {
  if (hint === undefined) return message;
  return typeof hint === 'string' ? `${message} ${hint}` : [`${message} `, ...hint];
}
