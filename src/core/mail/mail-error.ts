/**
 * Why a mail was not sent. rejected: our data is wrong. recipient_refused: the server does not take mail for this
 * address. unavailable: no answer, a broken one, or one that may change.
 */
export type MailFailure = 'unavailable' | 'rejected' | 'recipient_refused';

export class MailError extends Error {
  override readonly name = 'MailError';
  readonly reason: MailFailure;

  constructor(reason: MailFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}
