/** The mails about a request as they were sent. */
import { all, exists, insert, sqlite } from '../db.js';
import { newRow } from '../table.js';

export const insertSentMail = insert(
  newRow('sentMails', [
    'requestId',
    'contractId',
    'at',
    'mail',
    'sender',
    'address',
    'messageId',
    'subject',
    'body',
    'attachments',
  ]),
);

export const isMailSent = exists((p: { requestId: number; contractId: number; mail: string }) =>
  sqlite
    .selectFrom('sentMails')
    .selectAll()
    .where('requestId', '=', p.requestId)
    .where('contractId', '=', p.contractId)
    .where('mail', '=', p.mail),
);

/** Oldest first. */
export const listSentMails = all((p: { requestId: number }) =>
  sqlite.selectFrom('sentMails').selectAll().where('requestId', '=', p.requestId).orderBy('id'),
);
