/** The mails about a request as they were sent. */
import { all, exists, insert } from '../db.js';
import { newRow, oldestBy, rowsBy } from '../table.js';

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

export const isMailSent = exists(rowsBy('sentMails', 'requestId', 'contractId', 'mail'));

/** Oldest first. */
export const listSentMails = all(oldestBy('sentMails', 'requestId'));
