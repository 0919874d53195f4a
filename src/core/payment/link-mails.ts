/** The mails that ask a customer to pay. One that was held back (mail/send-mail.ts) leaves once somebody has decided. */
import { listSentMails } from '../../db/mail/sent-mails.js';
import type { ContractRow } from '../../db/schema.js';
import type { Change } from '../change.js';
import { historyOf, ofContract } from '../history/history.js';
import { contractMailId } from '../mail/mail-id.js';
import { mailJob, type RequestOrder } from '../mail/mail-job.js';

/** Mails the link once; if that was done, the last reminder, once. */
export function mailLink(tx: Change, contract: ContractRow, paymentId: string): void {
  const { id: contractId } = contract;
  const link = { mail: 'payment-link', contractId, paymentId } as const;
  const unsent = [link, ...lastReminder(tx, contract)].find((order) => !wasSent(tx, contract, order));
  if (unsent) tx.enqueueAgain(mailJob, unsent, ofContract(contract));
}

function lastReminder({ db }: Change, { id: contractId, requestId }: ContractRow): RequestOrder[] {
  const told = historyOf(db, requestId, ['payment.reminded']).findLast(
    (entry) => entry.contractId === contractId,
  );
  return told ? [{ mail: 'payment-reminder', contractId, at: told.at }] : [];
}

function wasSent({ db, now }: Change, contract: ContractRow, order: RequestOrder): boolean {
  const id = contractMailId(contract, mailJob.uniqueKey(order, now));
  const sent = listSentMails(db, { requestId: contract.requestId });
  return sent.some(({ messageId }) => messageId.startsWith(`${id}@`));
}
