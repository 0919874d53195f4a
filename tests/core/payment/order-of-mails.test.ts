/** The mail with the signed contract announces the link to pay: that one leaves after it, whatever the mail server does (rules 5). */
import { expect } from 'vitest';
import { findJobByKey } from '../../../src/db/jobs/jobs.js';
import { replayFailed } from '../../../src/core/jobs/failed.js';
import { BY } from '../../support/story.js';
import { table, type Words } from '../../support/table.js';

const words: Words = {
  /** The mails that have left for the customer, in their order. */
  customerGot: (s, ...mails) =>
    s.does(({ ctx }, id) => {
      const sql = "SELECT mail FROM sentMails WHERE requestId = ? AND mail NOT LIKE 'admin-%' ORDER BY id";
      expect(ctx.db.raw.prepare(sql).pluck().all(id)).toEqual(mails);
    }),
  announcementReplayed: (s) =>
    s
      .does((app, id) => {
        const uniqueKey = `mail:contract-signed:${app.contract(id).id}`;
        return replayFailed(app.ctx, [findJobByKey(app.ctx.db, { uniqueKey })?.id as number], BY);
      })
      .drained(),
};

const ANNOUNCING = 'completed; fault smtp:451; drained';
const WAITING = 'completed; fault payment.create:500:1; drained; fault smtp:451; waits 1m; drained';
const FOR_GOOD = `${'waits 1h; drained; '.repeat(8)}drained`;

table(
  `
  the link waits for the mail that announces it, and leaves after it
    ${ANNOUNCING} → shown; mails payment-link 0
    noFaults; waits 1m; drained; customerGot contract-signed payment-link → link payment_page older
  once that has failed for good, the link leaves alone; a replay of that mail orders no second one
    ${ANNOUNCING}; ${FOR_GOOD} → mails payment-link 1; sent payment-link 0
    noFaults; waits 3h; drained; customerGot payment-link; announcementReplayed
    customerGot payment-link contract-signed → mails payment-link 1
  while the mail that announces it waits, neither a reminder nor another link is sent
    ${ANNOUNCING}; refuses remind in_progress; refuses renew payment_link_works; noFaults; waits 1h; drained
    → sent payment-link 1 payment-reminder 0
  while it waits itself, no other is sent
    ${WAITING}
    → sent contract-signed 1; sessions open
    refuses renew payment_link_works; noFaults; waits 1h; drained → sent payment-link 1
  once it has failed for good, a check mails nothing, and a renewal mails it again
    ${WAITING}; ${FOR_GOOD}; noFaults; checked key=check_payment_info.open; drained → sent payment-link 0
    renewed; drained → sent payment-link 1; link payment_page older; sessions open
  a mail that announced the link of an earlier contract, and leaves late, does not take the place of the next one’s link
    ${ANNOUNCING}; canceled; reopened; sentNext; signed; drained; noFaults; waits 1h; drained
    → sent contract-signed 2 payment-link 1; findings waiting_for_payment
  the link of an earlier contract does not leave once there is another
    ${WAITING}; canceled; reopened; sentNext; signed; drained; noFaults; waits 1h; drained
    → sent contract-signed 2 payment-link 1; link payment_page newer
  where the page is over before the mail that announces it could leave, the link leaves all the same
    ${ANNOUNCING}; noFaults; waits 25h; ends older; ended older; drained
    → sent contract-signed 1 payment-link 1; link payment_page newer`,
  { words },
);
