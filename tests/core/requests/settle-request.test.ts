/** A person ends the case of a payment or a signature that does not count, or no longer waits for money on its way. */
import { expect } from 'vitest';
import { adviceText } from '../../../src/core/commands.js';
import { SCHEDULE } from '../../../src/core/actor.js';
import { ProviderError } from '../../../src/core/http/provider-error.js';
import type { Context } from '../../../src/core/context.js';
import { explain } from '../../../src/core/explain/explain.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { listHistory } from '../../../src/db/history/history.js';
import { requireRequest } from '../../../src/db/requests/requests.js';
import { reopenRequest } from '../../../src/core/requests/reopen-request.js';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { openCase, settleRequest } from '../../../src/core/requests/settle-request.js';
import { ourPayments } from '../../../src/core/payment/our-payments.js';
import { isBeforeSending } from '../../../src/core/lifecycle.js';
import { startSignature } from '../../../src/core/signature/start-signature.js';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { eraseUser } from '../../../src/core/personal-data/erase-user.js';
import { openActNames } from '../../support/acts.js';
import { findingName } from '../../support/finding-names.js';
import { DAY } from '../../support/clock.js';
import { includes, tell, type History } from '../../support/histories.js';
import { REASON, story, UNPAID, type Story } from '../../support/story.js';

const without = (...names: string[]) => expect.not.arrayContaining(names) as string[];
const eraseOwner = (ctx: Context, id: number) =>
  eraseUser(ctx, requireRequest(ctx.db, { id }).ownerId, REASON);
const adviceOn = (finding: string, name: string) => (s: Story) =>
  s.does(async ({ ctx }, id) => {
    const { findings } = await explain(ctx, String(id));
    expect(findings.find((one) => findingName(one) === finding)?.next).toMatchObject({ name });
  });
const offers = (s: Story, ...acts: string[]) =>
  s.does((app, id) => expect(openActNames(app.ctx, app.request(id))).toEqual(acts));

/** Paid by the one that counts, and then by the other. */
const paidTwice = (s: Story) => s.twoOpen().paid('newer').paid('older').is({ status: 'COMPLETE' });
const TWICE = 'payment_case: paid_twice';
const SETTLE = 'payment: requests settle';
const ZOE = { kind: 'user', name: 'zoe@example.org' } as const;

/** With these, and what it answers. */
const settles = (s: Story, asked: object, answer: object = {}) =>
  s.does(async ({ ctx }, id) =>
    expect(await settleRequest(ctx, id, { ...REASON, ...asked })).toMatchObject(answer),
  );
const refuses = (s: Story, asked: object, refusal: object) =>
  s.refuses((ctx, id) => settleRequest(ctx, id, { ...REASON, ...asked }), refusal);

tell([
  [
    'a second payment of a complete request needs the office until somebody settles it with a reason',
    (s) => {
      const open = adviceOn(TWICE, 'requests settle')(paidTwice(s).is({ needs: [SETTLE] }));
      refuses(offers(open, 'settle'), { payments: [], signature: false }, { code: 'nothing_to_settle' });
      refuses(
        s,
        { reason: ' ' },
        { code: 'invalid_input', fields: { reason: expect.any(String) as string } },
      );
      s.unchanged((t) => settles(t, { dryRun: true }));
      return offers(
        s.does(async ({ ctx }, id) => {
          const settled = { payments: [s.page('older')], signature: false };
          expect(await settleRequest(ctx, id, REASON)).toMatchObject({ settled });
          const { what, detail } = listHistory(ctx.db, { requestId: id }).at(-1) ?? { detail: '' };
          const told = { reason: REASON.reason, ...settled };
          expect([what, JSON.parse(detail)]).toEqual(['request.settled', told]);
        }),
      );
    },
    { status: 'COMPLETE', findings: without(TWICE), needs: [] },
  ],
  [
    'it is not settled by completing once more, as after a lost answer',
    (s) => paidTwice(s).completedByHand(),
    { findings: includes(TWICE) },
  ],
  [
    'of two who settle at once, or one after the other, the second is refused, and told when it was settled, and by whom',
    (s) => {
      let payments: readonly string[];
      const both = paidTwice(s).does(async ({ ctx }, id) => {
        ({ payments } = openCase(ctx.db, ourPayments(ctx.db, id)));
        const settle = () => settleRequest(ctx, id, { ...REASON, actor: ZOE });
        const [one, other] = await Promise.allSettled([settle(), settle()]);
        expect([one.status, other.status].sort()).toEqual(['fulfilled', 'rejected']);
      });
      const told = {
        code: 'nothing_to_settle',
        message: expect.stringContaining('by zoe@example.org') as string,
        said: { words: 'settled_meanwhile', params: { who: 'zoe@example.org' } },
      };
      refuses(refuses(both, {}, told), { dryRun: true }, told);
      return refuses(
        s.refuses((ctx, id) => settleRequest(ctx, id, { ...REASON, payments }), told),
        { payments: ['cs_unknown'] },
        { said: undefined },
      );
    },
    { told: { 'request.settled': 1 } },
  ],
  [
    'the last who settled is told of, whichever payment came last',
    (s) => {
      const two = s.linked().canceled().otherAmount('cs_1').otherAmount('cs_2');
      const first = settles(two, { payments: ['cs_2'] }).waits(DAY);
      return refuses(settles(first, { actor: ZOE }), {}, { said: { params: { who: 'zoe@example.org' } } });
    },
    { told: { 'request.settled': 2 } },
  ],
  [
    'settling ends the case of a canceled request, which stays canceled; canceling it again does not',
    (s) =>
      s
        .linked()
        .otherAmount()
        .canceled()
        .canceled()
        .is({ findings: includes('payment_case: canceled_paid'), needs: [SETTLE] })
        .settled(),
    { status: 'CANCELED', findings: without('payment_case: canceled_paid') },
  ],
  [
    'it ends the case of a signature that came after the cancellation',
    (s) =>
      s
        .sent()
        .canceled()
        .delivers(422)
        .is({ findings: includes('signature_case: canceled_signed') })
        .settled(),
    { findings: without('signature_case: canceled_signed') },
  ],
  [
    'canceling once more, just when the request has been reopened, settles nothing',
    (s) =>
      s
        .linked()
        .otherAmount()
        .canceled()
        .does(({ ctx }, id) => Promise.all([reopenRequest(ctx, id, REASON), cancelRequest(ctx, id, REASON)])),
    { status: 'new', told: { 'request.settled': 0 } },
  ],
  [
    'a payment that was accepted by completing by hand stays accepted when its customer is erased',
    (s) =>
      s
        .linked()
        .otherAmount()
        .completedByHand()
        .waits(4_200 * DAY)
        .does(({ ctx }) => expireContracts(ctx, { actor: SCHEDULE }))
        .drained()
        .by(eraseOwner),
    { findings: ['finished: complete'], needs: without(SETTLE) },
  ],
  [
    'a customer is erased although the end of the term has not been noted yet',
    (s) =>
      s
        .linked()
        .paid('older')
        .drained()
        .waits(4_200 * DAY)
        .by(eraseOwner),
    {
      contract: { status: 'EXPIRED', endReason: 'date_passed', pdfSha256: null },
      told: { 'contract.ended': 1 },
    },
  ],
  [
    'newer payments whose decision has to wait do not hide an older one that somebody can decide about',
    (s) =>
      s
        .linked()
        .otherAmount()
        .canceled()
        .does(async (app, id) => {
          const { request } = await app.waitingRequest();
          const newer = story.on(app, request.id).signed().drained().pending('newer').otherAmount('cs_newer');
          await newer.is({ findings: includes('payment_undecided') }).end();
          expect((await listNeeds(app.ctx, 1)).needs).toMatchObject([{ kind: 'payment', request: { id } }]);
        }),
    {},
  ],
  ...(
    [
      [completeRequest, 'COMPLETE', TWICE],
      [cancelRequest, 'CANCELED', 'payment_case: canceled_paid'],
    ] as const
  ).map(([act, status, found]): History => [
    `money on its way is given up before its request becomes ${status}; should it arrive, it is a case`,
    (s) =>
      s
        .linked()
        .pending('older')
        .refuses(act, { code: 'payment_pending' })
        .givenUp()
        .by(act)
        .is({ status, findings: includes('second_payment_pending: given_up') })
        .arrives('older')
        .scheduled(),
    { status, findings: includes(found), needs: [SETTLE] },
  ]),
  [
    'money that has just come counts, once, although the request is completed by hand',
    (s) => s.linked().pending('older').arrives('older').completedByHand(),
    {
      status: 'COMPLETE',
      names: 'older',
      told: { 'payment.received': 1 },
      findings: ['finished: complete'],
    },
  ],
  ...(
    [
      ['the provider no longer knows it', 'payment_pending_long: gone', (s) => s.fault('payment.get:404:9')],
      ['it has taken too long', 'payment_pending_long: long', (s) => s.waits(15 * DAY)],
    ] as [string, string, (s: Story) => Story][]
  ).map(([what, key, happens]): History => [
    `money on its way no longer keeps a case beside it waiting when ${what}: explain leads to giving it up`,
    (s) => {
      const waits = adviceOn(
        'payment_undecided',
        'payments check',
      )(s.linked().pending('older').otherAmount());
      const stopped = happens(waits)
        .does(async ({ ctx }, id) => {
          const { findings } = await explain(ctx, String(id));
          const { message = '' } = findings.find((one) => findingName(one) === key) ?? {};
          expect(adviceText(message)).toContain(`payments give-up ${id} --reason`);
        })
        .refuses(completeRequest, { code: 'payment_pending' })
        .givenUp();
      return adviceOn('payment_case: other_price', 'payments renew')(stopped).completedByHand();
    },
    { status: 'COMPLETE', needs: [] },
  ]),
  [
    'it keeps the case waiting although other money is gone, as long as some of it is alive',
    (s) =>
      adviceOn(
        'payment_undecided',
        'payments check',
      )(
        s
          .twoOpen()
          .otherAmount()
          .pending('older')
          .pending('newer')
          .does((app) => app.sandbox.faults.add(`payment.get~${s.page('newer')}:404:9`)),
      ),
    {},
  ],
]);

/** At the contract's price, before we know of the signature. */
const paidUnsigned = (s: Story) =>
  s
    .sent()
    .early()
    .is({ findings: includes('payment_case: paid_unsigned') });
const EARLY = 'payment_case: paid_unsigned';
const OLD = 'payment_case: earlier_contract_paid';

tell(
  [
    [
      'that was refunded is settled by its name: it does not count when the signature comes',
      (s) =>
        settles(paidUnsigned(s), { payments: ['cs_early'] })
          .signed()
          .drained(),
      { status: 'WAITING_PAYMENT', findings: ['waiting_for_payment'] },
    ],
    [
      'is not settled unnamed: it may still count',
      (s) =>
        paidUnsigned(s)
          .does((app, id) => expect(openActNames(app.ctx, app.request(id))).not.toContain('settle'))
          .refuses(settleRequest, { code: 'nothing_to_settle' }),
      { outcomes: ['paid_unsigned'] },
    ],
    [
      'may still count, too, when the end of its start was lost',
      (s) =>
        s
          .entered()
          .fault('signature.activate:answer_lost')
          .refuses(startSignature, {})
          .does((app, id) => expect(isBeforeSending(app.request(id))).toBe(true))
          .early(),
      { told: { 'payment.paid_unsigned': 1 } },
    ],
    [
      'no longer counts when it arrives while its contract is being closed',
      (s) =>
        s
          .sent()
          .early(UNPAID)
          .does(({ ctx: { payment } }) => {
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
          })
          .canceled(),
      { told: { 'payment.old_session_paid': 1, 'payment.paid_unsigned': 0 } },
    ],
    [
      'stays the news when one of another amount follows, which alone can be settled unnamed',
      (s) =>
        paidUnsigned(s)
          .otherAmount()
          .is({ findings: includes(EARLY, OLD) })
          .settled(),
      { needs: ['payment: check-signature'], findings: includes(EARLY) },
    ],
    [
      'no longer counts for a request that is reopened, nor for its next contract, and can be settled',
      (s) =>
        paidUnsigned(s)
          .canceled()
          .reopened()
          .is({ findings: includes(OLD) })
          .sentNext()
          .is({ findings: includes(OLD) })
          .is({ findings: without(EARLY) })
          .settled(),
      { needs: [] },
    ],
    [
      'is still spoken of when the canceled request is signed as well; reopening settles the signature, not the payment',
      (s) =>
        paidUnsigned(s)
          .canceled()
          .delivers(422)
          .is({ findings: includes('signature_case: canceled_signed', 'payment_case: canceled_paid') })
          .reopened()
          .canceled()
          .is({ findings: includes('payment_case: canceled_paid') }),
      { findings: without('signature_case: canceled_signed') },
    ],
    [
      'is still spoken of when its customer is erased, without advice to reopen',
      (s) =>
        paidUnsigned(s)
          .canceled()
          .delivers(422)
          .by(eraseOwner)
          .does(async ({ ctx }, id) => {
            const { findings: found } = await explain(ctx, String(id));
            expect(found.slice(0, 2)).toMatchObject([{ cause: 'erased_signed' }, { cause: 'erased_paid' }]);
            for (const { message } of found) expect(adviceText(message)).not.toContain('reopen');
          })
          .settled(),
      { findings: ['finished: erased'] },
    ],
    [
      'is no longer a case once the signature is known; the request is then complete',
      (s) =>
        paidUnsigned(s)
          .signed()
          .is({ findings: without(EARLY) })
          .drained(),
      { status: 'COMPLETE', names: 'cs_early', findings: ['finished: complete'], needs: [] },
    ],
  ],
  'a payment before the signature ',
);
