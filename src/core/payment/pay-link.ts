/**
 * The lasting link to pay (rules 2): `<base>/pay/<token>`. The token is 128 random bits of the request and opens
 * nothing but the page to pay on.
 */
import { randomBytes } from 'node:crypto';
import { findContract } from '../../db/contracts/contracts.js';
import { findJobByKey } from '../../db/jobs/jobs.js';
import { setPayToken } from '../../db/requests/requests.js';
import type { Db } from '../../db/db.js';
import { isMailSent } from '../../db/mail/sent-mails.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import type { Change } from '../change.js';
import { ofContract } from '../history/history.js';
import { mailJob, type RequestOrder } from '../mail/mail-job.js';
import { ourPayments, standingOfPayments, type OurPayments } from './our-payments.js';

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
export function willHaveLink(db: Db, contract: ContractRow, request: Pick<RequestRow, 'paymentId'>): boolean {
  return isAnnouncing(db, contract) || hasLinkMail(db, contract, request);
}

function hasLinkMail(db: Db, contract: ContractRow, { paymentId }: Pick<RequestRow, 'paymentId'>): boolean {
  return isLinkSent(db, contract) || (paymentId !== null && isOnItsWay(db, linkMail(contract, paymentId)));
}

/** Orders the mail with the link; while the mail that announces it is on its way, that one's end orders it, so that it cannot come first. */
export function orderLink(tx: Change, contract: ContractRow, paymentId: string): void {
  if (!isAnnouncing(tx.db, contract))
    tx.enqueueAgain(mailJob, linkMail(contract, paymentId), ofContract(contract));
}

/** Call when the mail with the signed contract has left, or has failed for good: the link goes out that was held back for it. */
export function announced(tx: Change, contractId: number): void {
  const { db } = tx;
  const contract = findContract(db, { id: contractId });
  if (!contract) return;
  const ours = ourPayments(db, contract.requestId);
  const { paymentId } = ours.request;
  const isDue = paymentId !== null && isAskedToPay(ours, contract);
  if (isDue && !hasLinkMail(db, contract, ours.request))
    tx.enqueueAgain(mailJob, linkMail(contract, paymentId), ofContract(contract));
}

/** By the link, which makes a page in place of one that is over. */
export function isAskedToPay(ours: OurPayments, { id }: ContractRow): boolean {
  return ours.contract?.id === id && ['payable', 'no_page'].includes(standingOfPayments(ours));
}

/** The mail with the signed contract waits or is being sent. */
export function isAnnouncing(db: Db, { id: contractId }: ContractRow): boolean {
  return isOnItsWay(db, { mail: 'contract-signed', contractId });
}

function isOnItsWay(db: Db, order: RequestOrder): boolean {
  const job = findJobByKey(db, { uniqueKey: mailJob.uniqueKey(order, '') });
  return job?.state === 'available' || job?.state === 'running';
}

export function linkMail({ id: contractId }: Pick<ContractRow, 'id'>, paymentId: string) {
  return { mail: 'payment-link', contractId, paymentId } as const;
}

/** Null while there has been nothing to pay. */
export function payLink(baseUrl: string, { payToken }: Pick<RequestRow, 'payToken'>): string | null {
  return payToken === null ? null : `${baseUrl}/pay/${payToken}`;
}
