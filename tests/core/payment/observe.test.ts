/**
 * Sessions that we do not know of, since an answer was lost or a backup came back: the provider's list decides what becomes of them
 * (rules 2), whoever asks for it.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { removeFailed } from '../../../src/core/jobs/failed.js';
import { correctUser } from '../../../src/core/users/change-user.js';
import { HOUR, SECOND } from '../../support/clock.js';
import { BY, story } from '../../support/story.js';
import { CLOSING, table, type Words } from '../../support/table.js';
import { aSessionLike } from '../../support/webhooks.js';

const COMPLETE = 'COMPLETE; told payment.received 1 payment.old_session_paid 0';
const ONE_LINK = 'sent payment-link 1; link payment_page older; sessions open';
const NEW_LINK = 'sent payment-link 1; link payment_page newer; names newer';

const words: Words = {
  priced: (s) => s.does((app) => app.ctx.db.raw.exec('UPDATE contracts SET amount = 9900')),
  /** Its customer is another person now. */
  corrected: (s) =>
    s.does(({ ctx }) => correctUser(ctx, 1, { locale: 'fr', username: 'else@example.org' }, BY)),
  anothersPage: (s) => s.does((app) => aSessionLike(app, 'esign-0123456789abcdef-0123456789abcdef')),
  jobRemoved: (s) =>
    s.does((app) => removeFailed(app.ctx, [app.jobs('create-payment-session')[0]?.id as number], BY)),
  /** By the address that is stored. */
  shows: (s, page = '') =>
    s.does((app, id) => {
      const at = app.sandbox.state().sessions.find((one) => one.id === s.page(page));
      expect(app.request(id).paymentUrl).toBe(at?.url ?? 'an address');
    }),
  rowCanceled: (s) => s.does((app) => app.ctx.db.raw.exec("UPDATE requests SET status = 'CANCELED'")),
};

const FIRST_LOST = 'completed; fault payment.create:answer_lost:1; drained';
table(
  `
  a replay finds it, and makes no second one
    answersLost; replayed → names older; ${ONE_LINK}
  paid, it completes the request, and a dry run only says so
    answersLost; pays older; dry allChecked changed=1 → WAITING_PAYMENT
    allChecked found=check_payment_success → names older; ${COMPLETE}
  so does a renewal, which is refused
    answersLost; pays older; refuses renew already_paid → names older; ${COMPLETE}
  paid with another amount, it is a case, and a dry run says so
    answersLost; priced; pays older; dry checked key=old_session_paid changed=true
    checked key=old_session_paid changed=true → WAITING_PAYMENT; payments case
  a page that works becomes the customer’s link, once
    answersLost; checked key=check_payment_info.open changed=true; checked key=check_payment_info.open
    replayed → ${ONE_LINK}
  one that is over is known from then on, once
    answersLost; ends older; checked key=check_payment_info.expired changed=true
    untold: scheduled changed=0 → payments over
  a list that cannot be read is not an empty one
    answersLost; fault payment.list:503; checked key=payment_unavailable → payments none
  the next try finds it although the customer has another language and address since
    ${FIRST_LOST}; corrected; waits 1s; drained → ${ONE_LINK}; jobs completed
  one that is over under its key is followed by one under another key
    ${FIRST_LOST}; corrected; ends older; waits 1s; drained
    → ${NEW_LINK}; sessions expired open; payments over open
  also when its end is reported, and the provider would still repeat its making
    ${FIRST_LOST}; ended older; waits 2s; drained → ${NEW_LINK}
  a customer who was never mailed a link is not said to have one when it is reported as over
    answersLost; ended older → findings payment_job_stuck: failed
    jobRemoved → findings payment_missing: unmade
  found by a cancellation that failed, it is given to the customer by a renewal, whose dry run mails nothing
    answersLost; fault payment.expire:500; refuses cancel payment_unavailable → findings payment_job_stuck: failed
    noFaults; previews renew → mails payment-link 0
    renewed; drained → ${ONE_LINK}; findings waiting_for_payment
  one that is over needs nothing when its request is canceled
    answersLost; ends older; canceled → CANCELED; told payment.session_closed 0
  a dry run of a cancellation leaves it as it is
    answersLost; previews cancel → sessions open; payments none`,
  { of: 'a session whose answers were lost: ', words },
);

for (const [closed, close] of CLOSING)
  table(
    `
  it is closed too, and nobody is mailed its link
    answersLost; ${closed}; drained
    → sessions expired; told payment.session_found 1 payment.session_closed 1; mails payment-link 0
  it counts when it has been paid
    answersLost; pays older; tries ${close} → names older; ${COMPLETE}
  it is a case when it was paid with another amount
    answersLost; priced; pays older; tries ${close} → told payment.other_price 1 payment.received 0
  it could still be paid, so nothing changes while the list cannot be read
    answersLost; fault payment.list:500; refuses ${close} payment_unavailable → WAITING_PAYMENT`,
    { of: `a session whose answers were lost, and its request is ${closed}: `, words },
  );

// Completing by hand closes the pages as canceling does.
table(
  `
  a session is not looked for when none was ever asked for, so a provider that is down prevents nothing
    fault payment:500; sent; signedInVain; canceled → CANCELED
  nor is one that a canceled contract left behind when the next one is closed
    fault payment.create:500; sent; signedInVain; canceled; reopened
    fault payment:500; sentNext; signedInVain; canceled → CANCELED
  a fault of our own in the search stops it
    answersLost; bug listSessions; breaks cancel → WAITING_PAYMENT
  no session is looked for before the signature, when nobody can have paid
    sent; canceled → calls payment.list 0
  nor when it is known
    linked → calls payment.list 1
    canceled → calls payment.list 1; sessions expired
  where the provider no longer knows the page, its list is asked for one that is forgotten
    linked; waits 1h; another; fault payment.get:404:1; checked
    → payments over open; names newer; link payment_page newer`,
);

/** The backup is from before the signature; what happens to the page that was mailed is forgotten too. */
const forgotten = (hours: number, since = 'drained') =>
  `sent; backedUp; signed; drained; ${since}; waits ${hours}h; restored`;

table(
  `
  paid, it completes the request, and nobody is asked to pay twice
    ${forgotten(30, 'pays older')}; signaturesChecked; signaturesChecked
    → ${COMPLETE}; names older; sessions complete; findings finished: complete; mails payment-link 0
  money on its way is waited for
    ${forgotten(30, 'promises older')}; signaturesChecked → mails payment-link 0; findings payment_pending
    arrives older; hears older → ${COMPLETE}; sessions complete
  over, it is replaced by a link that works
    ${forgotten(30)}; signaturesChecked → ${NEW_LINK}
  also when its end is reported before the payment job has run
    ${forgotten(25)}; ended older; signaturesChecked → ${NEW_LINK}
  it is replaced by one session only when the answer is lost, although the first key is not used again
    ${forgotten(30)}; fault payment.create:answer_lost:1; signaturesChecked; waits 2s; drained
    → sessions expired open; link payment_page newer
  open, it becomes the customer’s link again, and no second one is made
    ${forgotten(13)}; signaturesChecked → ${ONE_LINK}; names older; payments open
  one that a person’s replay made is found, although its key is not that of the first try
    sent; backedUp; fault payment.create:500; signedInVain; noFaults; replayed; waits 1h; restored
    signaturesChecked → names older; sessions open
  a list that cannot be read makes no second session: the job tries again
    ${forgotten(30, 'pays older')}; fault payment.list:500; signaturesChecked → WAITING_PAYMENT; sessions complete
    noFaults; waits 4s; drained → ${COMPLETE}
  that of another installation, for the same person and price, is not taken
    ${forgotten(13, 'pays older; anothersPage; pays newer')}; signaturesChecked → ${COMPLETE}; names older
  paid with another amount, it is a case, and no link is made until a person orders one
    ${forgotten(30, 'pays older')}; priced; signaturesChecked
    → sessions complete; findings payment_case: other_price
    renewed; drained → findings waiting_for_payment; told payment.other_price 1
  of another price and unpaid, it is no case once it is over: the customer gets one with the price that holds
    ${forgotten(30)}; priced; signaturesChecked → link payment_page newer; told payment.other_price 0
  paid after the list has shown it as open, it completes the request
    ${forgotten(13)}; meanwhile listSessions: paid older; signaturesChecked → ${COMPLETE}; sessions complete
  money that is on its way after the list has shown it as open is waited for
    ${forgotten(13)}; meanwhile listSessions: pending older; signaturesChecked
    → sessions complete; not shown; mails payment-link 0
  canceled after the list has shown it as open, its request has it closed
    ${forgotten(13)}; meanwhile listSessions: rowCanceled; signaturesChecked
    → sessions expired; not shown; mails payment-link 0
  over after the list has shown it as open, it is followed by another one
    ${forgotten(13)}; meanwhile listSessions: ends older, ended older; signaturesChecked
    → sessions expired open; sent payment-link 1`,
  { of: 'a session that a restore has forgotten: ', words },
);

/** The backup knows the first link, and whether it is over; since then it was renewed. */
const renewal = (newer: string, { isKnownAsOver = true, hours = 25 } = {}) =>
  `linked; backedUp; waits 25h; scheduled; ${isKnownAsOver ? 'backedUp; ' : ''}renewed; drained; ${newer}; waits ${hours}h`;
const UNKNOWN_END = { isKnownAsOver: false, hours: 1 };
/** Made when the first link was older than the provider's list goes back. */
const oldRenewal = (newer: string) =>
  `linked; waits 80h; backedUp; waits 25h; renewed; drained; ${newer}; waits 1h; moved; takenOver; drained`;
const RENEWED = `${COMPLETE}; names newer; sessions expired complete`;
/** Nobody is asked to pay twice, and what comes counts. */
const AWAITED = `
    → names newer; not shown; link pending; sessions expired complete; findings payment_pending
    refuses renew payment_pending; refuses remind payment_pending; refuses cancel payment_pending
    arrives newer; hears newer → ${RENEWED}`;

table(
  `
  paid, it is found by the renewal of the link that the backup knew
    ${renewal('pays newer', { isKnownAsOver: false })}; restored; refuses renew already_paid → ${RENEWED}
  or by the schedule’s check
    ${renewal('pays newer', { isKnownAsOver: false })}; restored; scheduled → ${RENEWED}
  or by a reminder, which is not sent
    ${renewal('pays newer', { isKnownAsOver: false })}; restored; refuses remind already_paid; drained
    → ${RENEWED}; mails payment-reminder 0
  or by a cancellation
    ${renewal('pays newer', { isKnownAsOver: false })}; restored; refuses cancel already_complete → ${RENEWED}
  paid, it is found by a person’s check of all, although the backup knew that the link before it was over
    ${renewal('pays newer')}; restored; dry allChecked changed=1 → WAITING_PAYMENT
    allChecked found=check_payment_success → ${RENEWED}
  its webhook completes the request
    ${renewal('pays newer')}; restored; hears newer → ${RENEWED}
  its webhook tells of money on its way, which is waited for
    ${renewal('promises newer')}; restored; hears newer paymentStatus=unpaid ${AWAITED}
  so it is on a machine that is held, before anything has said that its predecessor is over
    ${renewal('promises newer', UNKNOWN_END)}; moved; hears newer paymentStatus=unpaid
    takenOver; drained; scheduled; waits 25h ${AWAITED}
  on a machine that is held, its webhook completes the request
    ${renewal('pays newer', UNKNOWN_END)}; moved; hears newer; takenOver; drained → ${RENEWED}
  a takeover of data whose link is older than the provider’s list goes back waits for its money
    ${oldRenewal('promises newer')}; waits 25h ${AWAITED}
  or leads the customer to it
    ${oldRenewal('drained')} → names newer; link payment_page newer; sessions expired open
  found by a cancellation that failed, it completes the request when it is paid
    ${renewal('drained', { hours: 1 })}; restored; fault payment.expire:500; refuses cancel payment_unavailable
    noFaults → payments over open
    paid newer → ${RENEWED}
  a renewal that finds only a link that is over, and makes none, says so
    ${renewal('drained')}; restored; fault payment.create:500:1; refuses renew payment_creation_failed
    → WAITING_PAYMENT`,
  { of: 'a renewed link that a restore has forgotten: ' },
);

/** It was renewed although money was on its way. */
const BESIDE_PENDING = 'linked; pending older; backedUp; waits 1h; givenUp; renewed; drained';
const WORKS = 'names newer; link payment_page newer; sessions complete open';

table(
  `
  paid while the other money is on its way, it completes the request
    ${BESIDE_PENDING}; restored; paid newer → names newer; ${COMPLETE}
  the schedule’s check asks about both
    ${BESIDE_PENDING}; restored; pending newer; arrives newer; scheduled found=check_payment_success → names newer
    arrives older; hears older → COMPLETE; told payment.received 1 payment.old_session_paid 1
  when the bank refuses the other, it is the link that works, and no third one is made
    ${BESIDE_PENDING}; moved; takenOver; refused older; refuses renew payment_link_works → ${WORKS}
  when nobody knows it, a renewal finds it and makes no third one
    ${BESIDE_PENDING}; restored; refused older; refuses renew payment_link_works → ${WORKS}
  of two that were paid and forgotten, one completes the request, and the other is a case for a person
    sent; backedUp; signed; drained; pending older; givenUp; renewed; pays newer; arrives older; waits 13h
    moved; takenOver; drained
    → COMPLETE; told payment.received 1 payment.old_session_paid 1; mails payment-trouble 1`,
  { of: 'a link that was renewed although money was on its way, and that a restore has forgotten: ' },
);

for (const [refused, other] of [
  ['older', 'newer'],
  ['newer', 'older'],
])
  table(`
  of money on its way through a link and a forgotten one, the bank refuses the ${refused}, and the other is waited for
    ${BESIDE_PENDING}; restored; pending newer; refused ${refused} → names ${other}; not shown
    refuses renew payment_pending; arrives ${other}; hears ${other}
    → names ${other}; sessions complete complete; ${COMPLETE}`);

table(
  `
  it is closed, if the first is known as over
    ${renewal('drained', { hours: 1 })}; restored; canceled → sessions expired expired
  it is closed, if the first is not known as over
    ${renewal('drained', UNKNOWN_END)}; restored; canceled → sessions expired expired
  it is closed beside money that the bank has refused
    ${BESIDE_PENDING}; moved; takenOver; refused older; canceled → sessions complete expired`,
  { of: 'a renewed link that a restore has forgotten, and its request is canceled: ' },
);

/** A late call of the first try has made another one beside it. */
const LATE = 'linked; waits 60s; another; pending older';
const STAYS = `names older; findings has payment_pending; link pending
    arrives older; hears older → names older; ${COMPLETE}`;

table(
  `
  that its end is reported changes nothing
    ${LATE}; waits 25h; ended newer → ${STAYS}
  that a takeover finds it open changes nothing, and it is not mailed
    ${LATE}; held; takenOver; drained → mails payment-link 1; ${STAYS}
  it is what the customer is led to when the bank refuses the money, although the provider says nothing of it
    ${LATE}; held; takenOver; drained; fault payment.get:500; refused older
    shows newer → names newer
    noFaults → link payment_page newer`,
  { of: 'a session that a late call makes beside one whose money is on its way: ', words },
);

test('a renewal that is ordered while the one before is being tried again makes one link', async () => {
  const { app, id } = await story()
    .linked()
    .waits(25 * HOUR)
    .fault('payment.create:500:1')
    .refuses(renewPaymentSession, { code: 'payment_creation_failed' })
    .waits(SECOND)
    .end();
  const made = () => app.sandbox.state().counters.calls['payment.create'] ?? 0;
  const before = made();
  app.sandbox.faults.add({ target: 'payment', operation: 'create', kind: 'delay', delayMs: 500, times: 1 });
  const draining = app.drain();
  while (made() === before) await turn();
  await renewPaymentSession(app.ctx, id, BY).catch(() => undefined);
  await draining;
  await story
    .on(app, id)
    .drained()
    .is({ sessions: ['expired', 'open'], link: 'payment_page newer' })
    .end();
});
