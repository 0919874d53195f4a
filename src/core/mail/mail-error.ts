/** Why a mail did not go out: `unavailable` is worth another try, `rejected` is not. */
export class MailError extends Error {
  readonly reason: 'unavailable' | 'rejected';

  constructor(reason: 'unavailable' | 'rejected', message: string) {
    super(message);
    this.name = 'MailError';
    this.reason = reason;
  }
}

/** The `code` of a system or library error, `unknown` when there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
