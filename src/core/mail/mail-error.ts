/**
 * Why a mail was not sent. rejected: our data is wrong. too_large: it is larger than the server takes. recipient_refused:
 * the server does not take mail for this address. server_refused: it takes none from us, whoever it is for.
 * unavailable: no answer, a broken one, or one that may change.
 */
export type MailFailure = 'unavailable' | 'rejected' | 'too_large' | 'recipient_refused' | 'server_refused';

export class MailError extends Error {
  override readonly name = 'MailError';
  readonly reason: MailFailure;

  constructor(reason: MailFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}
