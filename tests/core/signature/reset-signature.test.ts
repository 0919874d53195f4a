/** Reset of a signature (rules 2): the provider is asked first, and whatever stops half-way is resumed, never doubled. */
import { describe, expect, test } from 'vitest';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { explain } from '../../../src/core/explain/explain.js';
import { ProviderError } from '../../../src/core/http/provider-error.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { iso } from '../../../src/core/clock.js';
import { putPayment } from '../../../src/db/payments/payments.js';
import { setPaymentLink } from '../../../src/db/requests/requests.js';
import { insertWebhook } from '../../../src/db/webhooks/webhooks.js';
import { rejection, startApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { tell, type History } from '../../support/histories.js';
import { BY, story, type Story } from '../../support/story.js';
import { deliver } from '../../support/webhooks.js';

const reset = (s: Story) => s.by(resetSignature);
/** A new contract is with the customer; the old one was taken out of their hands, or had ended so. */
const REPLACED = {
  status: 'WAITING_SIGNATURE' as const,
  contracts: ['EXPIRED', 'PENDING'],
  documents: ['canceled', 'ongoing'],
  mails: { 'contract-ended': 0 },
};
const KEPT = { status: 'WAITING_SIGNATURE' as const, contracts: ['PENDING'], documents: ['ongoing'] };

/** The webhook of the contract before the reset. */
const delivers = (s: Story, status: number, changes: Parameters<typeof deliver>[2] = {}) =>
  s.does(async (app, id) => {
    const first = app.ctx.db.raw.prepare('SELECT signId FROM contracts WHERE requestId = ? ORDER BY id');
    expect(await deliver(app, first.pluck().get(id) as string, changes)).toBe(status);
  });

tell([
  [
    'ongoing: cancelled there, closed here, and a new contract of a later day is sent; the office knows of it',
    (s) =>
      reset(s.sent().waits(DAY)).does((app, id) => {
        const [old, made] = app.sandbox.state().signatureRequests;
        const contract = app.contract(id);
        expect(old).toMatchObject({ cancel_reason: 'contractualization_aborted' });
        expect(made).toMatchObject({ id: contract.signId, external_id: contract.externalId });
        expect(contract.signUrl).toContain('/sign/');
        expect(app.history(id).slice(-3)).toEqual(['contract.ended', 'contract.created', 'contract.sent']);
        expect(app.jobs()).toEqual([]);
      }),
    { ...REPLACED, contract: { expiredAt: '2026-04-02T23:59:59.000Z' } },
  ],
  [
    'done: already_signed, nothing changed, and the check completes it',
    (s) =>
      s
        .sent()
        .signs()
        .unchanged((t) => t.refuses(resetSignature, { kind: 'refused', code: 'already_signed' }))
        .checksSignature({ type: 'success' }),
    { contracts: ['SIGNED'], documents: ['done'] },
  ],
  [
    'done too late to count: a new contract is sent, so that the case has a way on',
    (s) =>
      reset(
        s
          .sent()
          .signs('2026-04-02T00:00:00Z')
          .waits(31 * DAY)
          .checksSignature({ key: 'contract_expired' }),
      ),
    { contracts: ['EXPIRED', 'PENDING'], documents: ['done', 'ongoing'] },
  ],
  [
    'signed between our question and the cancelling: it counts',
    (s) =>
      s
        .sent()
        .before('cancel', (t) => t.signs())
        .refuses(resetSignature, { code: 'already_signed' }),
    { contracts: ['PENDING'], documents: ['done'] },
  ],
  ...['expired', 'declined'].map((word): History => [
    `${word} between our question and the cancelling: a new contract is sent`,
    (s) => reset(s.sent().before('cancel', (t) => t.there(word))),
    { contracts: ['EXPIRED', 'PENDING'], documents: [word, 'ongoing'] },
  ]),
  [
    'not cancelled, and still ongoing when asked again: nothing is changed, and the reason is told',
    (s) =>
      s
        .sent()
        .does(({ ctx }) => {
          ctx.provider.cancel = () => Promise.reject(new ProviderError('rejected', 'not now'));
        })
        .unchanged((t) =>
          t.refuses(resetSignature, { message: expect.stringContaining('Not now') as unknown }),
        ),
    KEPT,
  ],
  ...(
    [
      ['declined', ['declined', 'ongoing']],
      ['expired', ['expired', 'ongoing']],
      ['canceled', ['canceled', 'ongoing']],
      ['gone', ['ongoing']],
    ] as const
  ).map(([word, documents]): History => [
    `${word}: nothing is cancelled, a new contract is sent`,
    (s) => reset(s.sent().there(word)),
    { contracts: ['EXPIRED', 'PENDING'], documents: [...documents], calls: { 'signature.cancel': 0 } },
  ]),
  [
    'a contract that is over here is cancelled there all the same',
    (s) =>
      reset(
        s.sent().does((app) => {
          // Made before the last day was one day for both.
          app.ctx.db.raw.exec("UPDATE contracts SET expiredAt = '2026-04-01T09:14:07.250Z'");
          app.clock.set('2026-04-01T20:00:00.000Z');
          return expireContracts(app.ctx, BY);
        }),
      ),
    REPLACED,
  ],
  ...['get:500', 'cancel:500', 'cancel:reset'].map((fault): History => [
    `stopped while asking or cancelling (${fault}), nothing has changed, and the next one does it`,
    (s) =>
      reset(
        s
          .sent()
          .fault(`signature.${fault}`)
          .unchanged((t) => t.refuses(resetSignature, { code: 'provider_unavailable' }))
          .noFaults(),
      ),
    REPLACED,
  ]),
  [
    'a cancelling that got through unheard is not done again by the next one',
    (s) =>
      reset(
        s
          .sent()
          .fault('signature.cancel:answer_lost:1')
          .refuses(resetSignature, { code: 'provider_unavailable' })
          .is({ contracts: ['PENDING'] }),
      ),
    { ...REPLACED, calls: { 'signature.cancel': 1 } },
  ],
  ...['create:500', 'upload:answer_lost', 'activate:answer_lost'].map((fault): History => [
    `stopped after the cancelling (${fault}), it is resumed: one new contract, one new document`,
    (s) =>
      reset(
        s
          .sent()
          .fault(`signature.${fault}:1`)
          .refuses(resetSignature, { code: 'provider_unavailable' })
          .is({ contracts: ['EXPIRED', 'PENDING'], contract: { signUrl: null } }),
      ),
    REPLACED,
  ]),
  [
    'one whose new contract has passed its date before it was sent starts over',
    (s) =>
      reset(
        s
          .sent()
          .fault('signature.create:500:1')
          .refuses(resetSignature, {})
          .waits(31 * DAY),
      ),
    { contracts: ['EXPIRED', 'EXPIRED', 'PENDING'], contract: { expiredAt: '2026-05-02T23:59:59.000Z' } },
  ],
  [
    'two at once make one new contract',
    (s) =>
      s.sent().does(async ({ ctx }, id) => {
        const both = [resetSignature(ctx, id, BY), resetSignature(ctx, id, BY)];
        const lost = (await Promise.allSettled(both)).filter(({ status }) => status === 'rejected');
        expect(lost).toMatchObject([{ reason: { code: 'in_progress' } }]);
      }),
    REPLACED,
  ],
  [
    'a signature of the old contract answers 422 and is reported to the office once, however often it comes',
    (s) =>
      delivers(delivers(reset(s.sent()), 422), 422)
        .drained()
        .does(async (app, id) => {
          const mail = app.sandbox.mails().find(({ subject }) => subject.includes('replaced contract'));
          const { id: current } = app.contract(id);
          expect(mail?.text).toContain(`esignctl contracts show ${current}`);
          app.ctx.db.raw.exec('DELETE FROM inbox');
          const { findings, timeline } = await explain(app.ctx, String(id));
          expect(findings.map(({ key }) => key)).toContain('signature_case');
          const entry = timeline.find(({ what }) => what === 'contract.replaced_signed');
          expect(entry?.message).toContain(`which contract ${current} has replaced`);
        }),
    { ...REPLACED, told: { 'contract.replaced_signed': 1 }, mails: { 'replaced-signed': 1 } },
  ],
  [
    'nor does it go unsaid when the new contract was signed before',
    (s) => delivers(reset(s.sent()).signed(), 422),
    { status: 'WAITING_PAYMENT', told: { 'contract.replaced_signed': 1 } },
  ],
  [
    'somebody else’s document of the old number alarms nobody, nor does the provider’s word of our own cancelling',
    (s) =>
      delivers(delivers(reset(s.sent()), 422, { signature: { external_id: 'another' } }), 200, {
        name: 'signature_request.canceled',
      }),
    { ...REPLACED, told: { 'contract.replaced_signed': 0 }, work: { 'send-mail': [] } },
  ],
  ...['canceled', 'deleted'].map((word): History => [
    `nor does “${word}” when it comes before the reset has gone on`,
    (s) => reset(s.sent().before('cancel', (t) => t.delivers(200, word))),
    { ...REPLACED, work: { 'send-mail': [] } },
  ]),
]);

test('a signature of the old contract is answered as a repeat as long as the request is signed', async () => {
  const s = reset(story({ env: { ESIGN_WEBHOOK_REPEAT_STATUS: '200' } }).sent()).signed();
  for (const [status, answer] of [
    ['WAITING_PAYMENT', 200],
    ['COMPLETE', 200],
    ['CANCELED', 422],
  ] as const)
    delivers(s.sql(`UPDATE requests SET status = '${status}'`), answer);
  await s.end();
});

test('the new contract is drawn by us, and those who follow the request are told', async () => {
  const { app, id } = await story().sent().end();
  const { ownerId } = app.request(id);
  const hook = { url: 'https://a.example/x', event: 'request.updated', secret: 's' } as const;
  await app.ctx.writer.write((db) => insertWebhook(db, { ...hook, ownerId, now: iso(app.clock.now()) }));
  expect(app.contract(id).ownPdf).toBe(1);
  expect((await resetSignature(app.ctx, id, BY)).ownPdf).toBe(0);
  expect(app.jobs('deliver-webhook').length).toBeGreaterThan(0);
});

describe('an open page of the old contract', () => {
  /** As a request that went back to its signature has it. */
  const payable = (s: Story) =>
    s.sent().does(async (app, id) => {
      const { request, contract, owner } = app.waiting(id);
      const { amount, currency } = contract;
      const { paymentId, paymentUrl } = await app.ctx.payment.createSession(
        {
          clientReference: contract.externalId,
          requestId: id,
          contractId: contract.id,
          reference: request.reference,
          productName: 'Maintenance contract',
          amount,
          currency,
          customerEmail: owner.username,
          locale: 'en',
          successUrl: 'https://example.org/paid',
        },
        'a-key',
      );
      const now = iso(app.clock.now());
      await app.ctx.writer.write((db) => {
        const about = { contractId: contract.id, amount, currency, createdAt: now };
        const never = { expiresAt: null, pendingSince: null, refusedAt: null, paidAt: null };
        putPayment(db, { ...about, ...never, paymentId, paymentUrl, state: 'open' });
        setPaymentLink(db, { id, paymentId, paymentUrl, now });
      });
    });

  tell([
    [
      'is closed at the provider and here, the history shows it, and the request has no link any more',
      (s) => reset(payable(s)),
      {
        sessions: ['expired'],
        payments: ['over'],
        names: null,
        isShown: false,
        told: { 'payment.session_closed': 1 },
      },
    ],
    [
      'that was paid meanwhile is reported as a case for a person',
      (s) => reset(payable(s).pays('older')),
      { ...REPLACED, payments: ['case'], told: { 'payment.old_session_paid': 1 } },
    ],
    [
      'whose money is on its way holds the reset up until somebody gives it up; should it arrive, it is a case',
      (s) =>
        reset(
          payable(s)
            .promises('older')
            .refuses(resetSignature, { code: 'payment_pending' })
            .is({ payments: ['pending'] })
            .givenUp(),
        )
          .is(REPLACED)
          .arrives('older')
          .hears('older'),
      { payments: ['case'], told: { 'payment.old_session_paid': 1 } },
    ],
  ]);
});

describe('it is refused, and nothing is cancelled,', () => {
  tell([
    [
      'for a request that is signed',
      (s) => s.sent().signed().refuses(resetSignature, { kind: 'refused', code: 'not_waiting_signature' }),
      { documents: ['done'] },
    ],
    [
      'for another contract than the one that was to be replaced',
      (s) =>
        s.sent().does(async ({ ctx }, id) => {
          const only = { ...BY, contractId: 1 };
          await resetSignature(ctx, id, only);
          const again = { kind: 'refused', code: 'already_reset' };
          expect(await rejection(resetSignature(ctx, id, only))).toMatchObject(again);
        }),
      REPLACED,
    ],
    [
      'on restored data that are held, also when nothing is left to cancel there; a dry run still answers',
      (s) =>
        s
          .sent()
          .held()
          .refuses(resetSignature, { kind: 'unavailable', code: 'held' })
          .is({ documents: ['ongoing'] })
          .there('declined')
          .unchanged((t) => t.refuses(resetSignature, { code: 'held' }))
          .does(({ ctx }, id) => resetSignature(ctx, id, { ...BY, dryRun: true })),
      { contracts: ['PENDING'] },
    ],
    [
      'for a name that the provider will not accept, and words that cannot be printed',
      (s) =>
        s
          .sent()
          .sql("UPDATE requests SET description = 'Fix \u{12000} it'")
          .refuses(resetSignature, { code: 'unprintable_words' })
          .sql("UPDATE users SET lastName = 'Love & Co'")
          .refuses(resetSignature, { code: 'invalid_signer_name' }),
      KEPT,
    ],
    [
      'as a dry run says, which changes nothing',
      (s) =>
        s
          .sent()
          .unchanged((t) => t.does(({ ctx }, id) => resetSignature(ctx, id, { ...BY, dryRun: true })))
          .is(KEPT)
          .signs()
          .does(async ({ ctx }, id) =>
            expect(await rejection(resetSignature(ctx, id, { ...BY, dryRun: true }))).toMatchObject({
              code: 'already_signed',
            }),
          ),
      { contracts: ['PENDING'] },
    ],
  ]);
});

test('a request whose contract was lost gets a new one', async () => {
  const app = await startApp();
  const { id } = await app.addRequest(undefined, { status: 'WAITING_SIGNATURE' });
  const gone = resetSignature(app.ctx, id, { ...BY, contractId: 7 });
  expect(await rejection(gone)).toMatchObject({ code: 'already_reset' });
  expect(await resetSignature(app.ctx, id, BY)).toMatchObject({ status: 'PENDING' });
});
