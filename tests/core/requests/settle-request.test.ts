/** A person ends the case of a payment or a signature that does not count, or no longer waits for money on its way. */
import { expect } from 'vitest';
import { adviceText } from '../../../src/core/commands.js';
import { SCHEDULE } from '../../../src/core/actor.js';
import { ProviderError } from '../../../src/core/http/provider-error.js';
import type { Context } from '../../../src/core/context.js';
import { explain } from '../../../src/core/explain/explain.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { reopenRequest } from '../../../src/core/requests/reopen-request.js';
import { listHistory } from '../../../src/db/history/history.js';
import { requireRequest } from '../../../src/db/requests/requests.js';
import { openCase, settleRequest } from '../../../src/core/requests/settle-request.js';
import { ourPayments } from '../../../src/core/payment/our-payments.js';
import { isBeforeSending } from '../../../src/core/lifecycle.js';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { eraseUser } from '../../../src/core/personal-data/erase-user.js';
import { openActNames } from '../../support/acts.js';
import { findingName } from '../../support/finding-names.js';
import { includes } from '../../support/histories.js';
import { REASON, story, type Story } from '../../support/story.js';
import { table, type Words } from '../../support/table.js';
import { deliverOtherAmount } from '../../support/webhooks.js';

const ZOE = { kind: 'user', name: 'zoe@example.org' } as const;

/** With these, and what it answers. */
const settles = (s: Story, asked: object, answer: object = {}) =>
  s.does(async ({ ctx }, id) =>
    expect(await settleRequest(ctx, id, { ...REASON, ...asked })).toMatchObject(answer),
  );
const refuses = (s: Story, asked: object, refusal: object) =>
  s.refuses((ctx, id) => settleRequest(ctx, id, { ...REASON, ...asked }), refusal);
const ALREADY = {
  code: 'nothing_to_settle',
  message: expect.stringContaining('by zoe@example.org') as string,
  said: { words: 'settled_meanwhile', params: { who: 'zoe@example.org' } },
};
const found = async (ctx: Context, id: number) => (await explain(ctx, String(id))).findings;
/** By its key or its cause. */
const findingOf = async (ctx: Context, id: number, name: string) =>
  (await found(ctx, id)).find((one) => findingName(one).split(': ').includes(name));

const words: Words = {
  offers: (s, ...acts) => s.does((app, id) => expect(openActNames(app.ctx, app.request(id))).toEqual(acts)),
  advises: (s, on, name) =>
    s.does(async ({ ctx }, id) => {
      const next = { name: name.replace('.', ' ') };
      expect((await findingOf(ctx, id, on))?.next).toMatchObject(next);
    }),
  says: (s, on, ...text) =>
    s.does(async ({ ctx }, id) => {
      const { message = '' } = (await findingOf(ctx, id, on)) ?? {};
      expect(adviceText(message)).toContain(text.join(' ').replace('{id}', String(id)));
    }),
  settles: (s, payment) => settles(s, { payments: [payment] }),
  settledByZoe: (s) => settles(s, { actor: ZOE }),
  refusesNothing: (s, code) => refuses(s, { payments: [], signature: false }, { code }),
  refusesBlankReason: (s) =>
    refuses(
      s,
      { reason: ' ' },
      { code: 'invalid_input', fields: { reason: 'This value should not be blank.' } },
    ),
  settlesAndSaysSo: (s) =>
    s.does(async ({ ctx }, id) => {
      const settled = { payments: [s.page('older')], signature: false };
      expect(await settleRequest(ctx, id, REASON)).toMatchObject({ settled });
      const { what, detail } = listHistory(ctx.db, { requestId: id }).at(-1) ?? { detail: '' };
      const told = { reason: REASON.reason, ...settled };
      expect([what, JSON.parse(detail)]).toEqual(['request.settled', told]);
    }),
  settledTwiceAtOnce: (s) =>
    s.does(async ({ ctx }, id) => {
      const { payments } = openCase(ctx.db, ourPayments(ctx.db, id));
      const settle = () => settleRequest(ctx, id, { ...REASON, actor: ZOE });
      const [one, other] = await Promise.allSettled([settle(), settle()]);
      expect([one.status, other.status].sort()).toEqual(['fulfilled', 'rejected']);
      const late = story.on(s.app, id);
      refuses(refuses(refuses(late, {}, ALREADY), { dryRun: true }, ALREADY), { payments }, ALREADY);
      await refuses(late, { payments: ['cs_unknown'] }, { said: undefined }).end();
    }),
  settledTwiceWhileAnotherComes: (s) =>
    s.does(async (app, id) => {
      const settle = () => settleRequest(app.ctx, id, REASON);
      const all = [settle(), deliverOtherAmount(app, id, 'cs_unseen'), settle()];
      const lost = (await Promise.allSettled(all)).filter(({ status }) => status === 'rejected');
      expect(lost).toMatchObject([{ reason: { code: 'nothing_to_settle' } }]);
    }),
  refusedBecauseOfZoe: (s) => refuses(s, {}, { said: ALREADY.said }),
  reopenedAndCanceledAtOnce: (s) =>
    s.does(({ ctx }, id) => Promise.all([reopenRequest(ctx, id, REASON), cancelRequest(ctx, id, REASON)])),
  termsEnd: (s) => s.does(({ ctx }) => expireContracts(ctx, { actor: SCHEDULE })),
  ownerIsErased: (s) => s.by((ctx, id) => eraseUser(ctx, requireRequest(ctx.db, { id }).ownerId, REASON)),
  isFirstNeedDespiteUndecided: (s) =>
    s.does(async (app, id) => {
      const { request } = await app.waitingRequest();
      const newer = story.on(app, request.id).signed().drained().pending('newer').otherAmount('cs_newer');
      await newer.is({ findings: includes('payment_undecided') }).end();
      expect((await listNeeds(app.ctx, 1)).needs).toMatchObject([{ kind: 'payment', request: { id } }]);
    }),
  newerIsUnknown: (s) => s.does((app) => void app.sandbox.faults.add(`payment.get~${s.page('newer')}:404:9`)),
  isBeforeSending: (s) => s.does((app, id) => expect(isBeforeSending(app.request(id))).toBe(true)),
  paidWhileClosed: (s) =>
    s.does(({ ctx: { payment } }) => {
      payment.expireSession = () => Promise.reject(new ProviderError('rejected', 'it is not open'));
      payment.getSession = (paymentId) =>
        Promise.resolve({
          paymentId,
          name: null,
          customer: null,
          paymentUrl: null,
          status: 'complete',
          paymentStatus: 'paid',
          createdAt: null,
          expiresAt: null,
          money: { amount: 12_000, currency: 'eur' },
        });
    }),
  explainsErased: (s) =>
    s.does(async ({ ctx }, id) => {
      const all = await found(ctx, id);
      expect(all.slice(0, 2)).toMatchObject([{ cause: 'erased_signed' }, { cause: 'erased_paid' }]);
      for (const { message } of all) expect(adviceText(message)).not.toContain('reopen');
    }),
};

/** Paid by the one that counts, and then by the other. */
const PAID_TWICE = 'twoOpen; paid newer; paid older → COMPLETE';
const TWICE = 'payment_case: paid_twice';
const SETTLE = 'needs payment: requests settle';
const LONG = 'linked; pending older; otherAmount; advises payment_undecided payments.check';
const GIVES_UP = `refuses complete payment_pending; givenUp; advises other_price payments.renew; completedByHand
    → COMPLETE; needs none`;

table(
  `
  a second payment of a complete request needs the office until somebody settles it with a reason
    ${PAID_TWICE} → ${SETTLE}
    advises paid_twice requests.settle; offers settle; refusesNothing nothing_to_settle; refusesBlankReason
    unchanged: previews settle; settlesAndSaysSo; offers → COMPLETE; findings lacks ${TWICE}; needs none
  it is not settled by completing once more, as after a lost answer
    ${PAID_TWICE}
    completedByHand → findings has ${TWICE}
  of two who settle at once, or one after the other, the second is refused, and told when it was settled, and by whom
    ${PAID_TWICE}
    settledTwiceAtOnce → told request.settled 1
  nor does the second settle unseen what is reported in between
    ${PAID_TWICE}
    settledTwiceWhileAnotherComes → told request.settled 1; findings has ${TWICE}
  the last who settled is told of, whichever payment came last
    linked; canceled; otherAmount cs_1; otherAmount cs_2; settles cs_2; waits 1d; settledByZoe; refusedBecauseOfZoe
    → told request.settled 2
  settling ends the case of a canceled request, which stays canceled; canceling it again does not
    linked; otherAmount; canceled; canceled → findings has payment_case: canceled_paid; ${SETTLE}
    settled → CANCELED; findings lacks payment_case: canceled_paid
  it ends the case of a signature that came after the cancellation
    sent; canceled; delivers 422 → findings has signature_case: canceled_signed
    settled → findings lacks signature_case: canceled_signed
  canceling once more, just when the request has been reopened, settles nothing
    linked; otherAmount; canceled; reopenedAndCanceledAtOnce → new; told request.settled 0
  a payment that was accepted by completing by hand stays accepted when its customer is erased
    linked; otherAmount; completedByHand; waits 4200d; termsEnd; drained; ownerIsErased
    → findings finished: complete; needs none
  a customer is erased although the end of the term has not been noted yet
    linked; paid older; drained; waits 4200d; ownerIsErased
    → contract EXPIRED endReason=date_passed pdfSha256=nothing; told contract.ended 1
  newer payments whose decision has to wait do not hide an older one that somebody can decide about
    linked; otherAmount; canceled; isFirstNeedDespiteUndecided → CANCELED
  money on its way is given up before its request is completed by hand; should it arrive, it is a case
    linked; pending older; refuses complete payment_pending; givenUp; completedByHand
    → COMPLETE; findings has second_payment_pending: given_up
    arrives older; scheduled → COMPLETE; findings has ${TWICE}; ${SETTLE}
  and before it is canceled
    linked; pending older; refuses cancel payment_pending; givenUp; canceled
    → CANCELED; findings has second_payment_pending: given_up
    arrives older; scheduled → CANCELED; findings has payment_case: canceled_paid; ${SETTLE}
  money that has just come counts, once, although the request is completed by hand
    linked; pending older; arrives older; completedByHand
    → COMPLETE; names older; told payment.received 1; findings finished: complete
  money that the provider no longer knows keeps no case beside it waiting: explain leads to giving it up
    ${LONG}; fault payment.get:404:9; says gone payments give-up {id} --reason; ${GIVES_UP}
  nor does money that has taken too long
    ${LONG}; waits 15d; says long payments give-up {id} --reason; ${GIVES_UP}
  it keeps the case waiting although other money is gone, as long as some of it is alive
    twoOpen; otherAmount; pending older; pending newer; newerIsUnknown; advises payment_undecided payments.check
    → WAITING_PAYMENT`,
  { words },
);

/** At the contract's price, before we know of the signature. */
const EARLY = 'payment_case: paid_unsigned';
const PAID_UNSIGNED = `sent; early → findings has ${EARLY}`;
const OLD = 'findings has payment_case: earlier_contract_paid';

table(
  `
  that was refunded is settled by its name: it does not count when the signature comes
    ${PAID_UNSIGNED}
    settles cs_early; signed; drained → WAITING_PAYMENT; findings waiting_for_payment
  is not settled unnamed: it may still count
    ${PAID_UNSIGNED}
    offers check-signature reset-signature remind cancel; refuses settle nothing_to_settle → outcomes paid_unsigned
  may still count, too, when the end of its start was lost
    entered; fault signature.activate:answer_lost; refuses start provider_unavailable; isBeforeSending; early
    → told payment.paid_unsigned 1
  no longer counts when it arrives while its contract is being closed
    sent; early paymentStatus=unpaid; paidWhileClosed; canceled
    → told payment.old_session_paid 1 payment.paid_unsigned 0
  stays the news when one of another amount follows, which alone can be settled unnamed
    ${PAID_UNSIGNED}
    otherAmount → findings has ${EARLY} + payment_case: earlier_contract_paid
    settled → needs payment: check-signature; findings has ${EARLY}
  no longer counts for a request that is reopened, nor for its next contract, and can be settled
    ${PAID_UNSIGNED}
    canceled; reopened → ${OLD}
    sentNext → ${OLD} → findings lacks ${EARLY}
    settled → needs none
  is still spoken of when the canceled request is signed as well; reopening settles the signature, not the payment
    ${PAID_UNSIGNED}
    canceled; delivers 422 → findings has signature_case: canceled_signed + payment_case: canceled_paid
    reopened; canceled → findings has payment_case: canceled_paid → findings lacks signature_case: canceled_signed
  is still spoken of when its customer is erased, without advice to reopen
    ${PAID_UNSIGNED}
    canceled; delivers 422; ownerIsErased; explainsErased; settled → findings finished: erased
  is no longer a case once the signature is known; the request is then complete
    ${PAID_UNSIGNED}
    signed → findings lacks ${EARLY}
    drained → COMPLETE; names cs_early; findings finished: complete; needs none`,
  { of: 'a payment before the signature ', words },
);
