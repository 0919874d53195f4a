/**
 * The lasting link to pay (rules 2): `<base>/pay/<token>`. The token is 128 random bits of the request and opens
 * nothing but the page to pay on.
 */
import { randomBytes } from 'node:crypto';
import { findJobByKey } from '../../db/jobs/jobs.js';
import { setPayToken } from '../../db/requests/requests.js';
import type { Db } from '../../db/db.js';
import { isMailSent } from '../../db/mail/sent-mails.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import type { Change } from '../change.js';
import { mailJob } from '../mail/mail-job.js';

const TOKEN = /^[0-9a-f]{32}$/;

export function isPayToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Gives the request its token, once. */
export function givePayToken({ db }: Change, { id, payToken }: RequestRow): void {
  if (payToken === null) setPayToken(db, { id, payToken: randomBytes(16).toString('hex') });
}

/** The customer has the link to pay this contract: its mail has left. */
export function isLinkSent(db: Db, { id: contractId, requestId }: ContractRow): boolean {
  return isMailSent(db, { requestId, contractId, mail: 'payment-link' });
}

/** The same, or its mail is about to leave. */
export function willHaveLink(
  db: Db,
  contract: ContractRow,
  { paymentId }: Pick<RequestRow, 'paymentId'>,
): boolean {
  const uniqueKey = paymentId !== null && mailJob.uniqueKey(linkMail(contract, paymentId), '');
  const job = uniqueKey ? findJobByKey(db, { uniqueKey }) : undefined;
  return isLinkSent(db, contract) || job?.state === 'available' || job?.state === 'running';
}

export function linkMail({ id: contractId }: Pick<ContractRow, 'id'>, paymentId: string) {
  return { mail: 'payment-link', contractId, paymentId } as const;
}

/** Null while there has been nothing to pay. */
export function payLink(baseUrl: string, { payToken }: Pick<RequestRow, 'payToken'>): string | null {
  return payToken === null ? null : `${baseUrl}/pay/${payToken}`;
}
