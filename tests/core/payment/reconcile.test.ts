/**
 * Histories of payments, told as steps, and how the request stands at their end (rules 2): pages that are open at the same time, or no
 * longer count; money on its way. Sessions that are unknown here: observe.test.ts; money that does not count: payment-cases.test.ts.
 */
import { ProviderError } from '../../../src/core/http/provider-error.js';
import { NEWS } from '../../support/histories.js';
import { table, type Words } from '../../support/table.js';
import { deliverPayment } from '../../support/webhooks.js';

/** The newer was paid while the older's money was on its way. */
const PAID_BESIDE_PENDING = 'twoOpen; pending older; paid newer; drained → COMPLETE; names newer';
/** A page was forgotten when the request was canceled; the customer paid it by a method that takes days; then it was reopened. */
const REOPENED_PENDING = 'linked; another; canceled; pending newer; reopened';
/** The first was mailed; the second was only found, and its money is on its way. */
const TWO_PAGES = 'linked; another; pending newer';
const FORGOTTEN_PAGE = 'linked; canceled; another; takenOver';

const words: Words = {
  paidWhileClosed: (s) =>
    s.does((app) => {
      const expire = app.ctx.payment.expireSession.bind(app.ctx.payment);
      app.ctx.payment.expireSession = (paymentId) => {
        app.sandbox.pay(s.page('older'));
        return expire(paymentId);
      };
    }),
  reportedWhileClosed: (s) =>
    s.does((app) => {
      app.ctx.payment.expireSession = async () => {
        await deliverPayment(app, s.page('older'));
        throw new ProviderError('not_found', 'payment provider answered 404');
      };
    }),
  allEndAtOnce: (s) =>
    s.does(({ ctx: { payment } }) => {
      const create = payment.createSession.bind(payment);
      payment.createSession = async (...wanted) => ({ ...(await create(...wanted)), status: 'expired' });
    }),
};

table(
  `
  the request is complete while other money is on its way: explain says so
    ${PAID_BESIDE_PENDING}; findings second_payment_pending: uncounted + finished: complete; about newer
  then a person’s check tells nothing that is true only of a request that waits
    ${PAID_BESIDE_PENDING}
    untold: checked type=error key=not_waiting_payment → COMPLETE
  then the schedule’s check finds that it has arrived: a case for a person, told once
    ${PAID_BESIDE_PENDING}
    scheduled checked=0; arrives older; scheduled; scheduled
    → findings has payment_case: paid_twice; mails payment-trouble 1
  then nobody is told to agree on another attempt when the bank refuses it
    ${PAID_BESIDE_PENDING}
    refused older → findings finished: complete; mails payment-trouble 0
  a page that still works after the other was paid is closed by the job that the webhook orders
    twoOpen; paid newer → COMPLETE; sessions open complete
    drained → sessions expired complete
  or by the schedule’s check, whose dry run only says so, and which then has nothing to ask
    twoOpen; paid newer; dry scheduled changed=1 → sessions open complete
    scheduled; scheduled checked=0 → sessions expired complete
  or by the next try, when the provider was silent
    linked; another; pays newer; fault payment.expire:500:1; hears newer; drained
    → COMPLETE; names newer; sessions open complete
    waits 2s; drained → sessions expired complete
  an installation that is held refuses to cancel and to complete by hand
    linked; held; refuses cancel held; refuses complete held → WAITING_PAYMENT; sessions open
  it closes no page that a complete request has left open
    twoOpen; paid newer; held; checked type=error key=not_waiting_payment → sessions open complete
  its lasting link makes no page, and the one that was ordered is made afterwards
    linked; ends older; fault payment.create:500:1; refuses renew payment_creation_failed; held
    → link unavailable; sessions expired; jobs available
  a renewal makes a new page when both are over
    twoOpen; waits 30h; renewed → sessions expired expired open; link payment_page third; mails payment-link 3
  it gives up where each page that is made has ended at once
    linked; ends older; allEndAtOnce; refuses renew payment_creation_failed
    → calls payment.create 7
  it is refused when the older works and the newer is over
    twoOpen; ends newer; refuses renew payment_link_works → link payment_page older; sessions open expired
  it makes a new page once the money on its way through both was given up
    twoOpen; promises older; promises newer; givenUp; renewed
    → link payment_page third; sessions complete complete open
  nobody waits any more for the money of a page that was given up and has ended since
    twoOpen; pending older; givenUp; renewed → findings has second_payment_pending: given_up
    ended older; drained → findings waiting_for_payment
  a payment that the bank has refused is not said to be on its way, and the customer may be reminded
    linked; pending older; refused older; checked key=check_payment_info.expired; reminded → WAITING_PAYMENT
  it stays told when a page of before is found, which had ended unpaid
    linked; another; ends newer; pending older; waits 1h; refused older; waits 1h; checked
    → payments over over; findings has payment_missing: refused
  it is told: the page beside it was closed while its money was on its way
    twoOpen; pending older; drained; refused older; drained → findings payment_missing: refused
  the lasting link leads to no page while the provider does not say how both stand
    twoOpen; fault payment.get:500:3 → link unavailable
  money is on its way for the contract before a reopening: explain says so
    ${REOPENED_PENDING} → findings has second_payment_pending: uncounted
  the office hears of it only when it has taken too long, and until it waits no longer
    ${REOPENED_PENDING}; waits 13d → needs lacks payment: payments give-up
    waits 2d → needs has payment: payments give-up
    givenUp → needs lacks payment: payments give-up
  the schedule’s check finds that it has arrived
    ${REOPENED_PENDING}; arrives newer; scheduled found=old_session_paid
    → new; findings has payment_case: earlier_contract_paid; mails payment-trouble 1
  a dry run of a check says so, and changes nothing
    ${REOPENED_PENDING}; arrives newer; untold: dry checked key=old_session_paid changed=true → new
  the office is not told when the bank refuses it
    ${REOPENED_PENDING}; sentNext; signed; refused newer → told payment.failed 1; mails payment-trouble 0
  the check of the next contract tells both, and only its own page is offered
    ${REOPENED_PENDING}; signedNext; checked key=check_payment_info.open; arrives newer
    checked key=old_session_paid changed=true
    → WAITING_PAYMENT; names third; findings has payment_case: old_session_paid
  a reopened request names no page of its earlier contract, although canceling had none to close
    linked; ends older; checked → names older
    canceled; reopened → names nothing
  a takeover finds a canceled request’s forgotten page: the schedule closes it
    ${FORGOTTEN_PAGE}; scheduled → sessions expired expired
  a check that cannot close it says so
    ${FORGOTTEN_PAGE}; fault payment.expire:500; checked type=error key=payment_unavailable → sessions expired open
  a check closes it and says so, a dry run only says so
    ${FORGOTTEN_PAGE}; dry checked type=info key=check_payment_info.closed changed=true → sessions expired open
    checked type=info key=check_payment_info.closed changed=true → sessions expired expired
    checked key=not_waiting_payment → CANCELED
  money on its way through a page that the provider has forgotten is not forgotten here
    linked; pending older; fault payment.get:404:9 payment.expire:404:9
    refuses cancel payment_pending payments.give-up; refuses complete payment_pending payments.give-up
    refuses remind payment_pending payments.give-up
    → WAITING_PAYMENT; findings has payment_pending_long: gone
  money of its price through a page that nobody knew completes the request, and the page made since is closed
    linked; early; drained → COMPLETE; names cs_early; sessions expired
  beside the page that counts, explain finds one that was paid while its webhook was lost
    ${TWO_PAGES}; pays older → findings has webhook_missed: lost
  todo names money that has been on its way for too long beside the page that counts
    ${TWO_PAGES}; drained; waits 15d → needs payment: payments check
  a page that is paid while the check closes it is a case
    twoOpen; paid newer; paidWhileClosed; scheduled failed=0 changed=1 → findings has payment_case: paid_twice
  a payment that is reported while a cancellation closes its page stays paid and stops it
    linked; reportedWhileClosed; refuses cancel already_complete → COMPLETE; payments paid`,
  { words },
);

for (const [who, hear] of NEWS)
  table(
    `
  money through the older completes the request, and the newer is closed
    twoOpen; pays older; isHeard
    → COMPLETE; names older; not shown; link paid; sessions complete expired; told payment.received 1; mails payment-trouble 0
    drained → findings finished: complete`,
    { of: `${who}: `, words: { isHeard: hear } },
  );

for (const [who, hear] of NEWS.slice(1))
  table(
    `
  no page can be paid while money is on its way through the older
    twoOpen; promises older; isHeard
    → WAITING_PAYMENT; not shown; sessions complete expired; link pending`,
    { of: `${who}: `, words: { isHeard: hear } },
  );
