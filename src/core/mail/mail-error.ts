/** Why a mail did not go out: `unavailable` is worth another try, `rejected` is not. */
export class MailError extends Error {
  readonly reason: 'unavailable' | 'rejected';

  constructor(reason: 'unavailable' | 'rejected', message: string) {
    super(message);
    this.name = 'MailError';
    this.reason = reason;
  }
}
