/** A restored installation sends nothing until somebody takes over; the takeover brings it where the providers are. */
import { describe, expect, test } from 'vitest';
import { checkPayment } from '../../../src/core/payment/check-payment.js';
import { checkAllPayments } from '../../../src/core/payment/check-all-payments.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import { startSignature } from '../../support/start-signature.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { remindRequest } from '../../../src/core/reminders/remind-request.js';
import { adviceText, command } from '../../../src/core/commands.js';
import { explain } from '../../../src/core/explain/explain.js';
import { historyEntry } from '../../../src/core/explain/timeline-history.js';
import { isHeld } from '../../../src/core/installation/hold.js';
import { withHint, type AppError } from '../../../src/core/errors.js';
import { correctUser } from '../../../src/core/users/change-user.js';
import { surveyTakeover, type Plan, type Takeover, takeOver } from '../../../src/core/takeover/take-over.js';
import { listOpenUnknown } from '../../../src/core/signature/unknown-signatures.js';
import { searchHistory } from '../../../src/db/history/history.js';
import {
  anyContractPdf,
  rejection,
  startApp,
  TESTER,
  type TestApp,
  type Waiting,
} from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { anotherMachine, backupOf } from '../../support/restored.js';
import { deliver, deliverPayment } from '../../support/webhooks.js';

const BY = { actor: TESTER };
/** The daemon's bulk checks. */
const SYSTEM = { actor: { kind: 'system', name: 'schedule' } } as const;

async function survey(app: TestApp): Promise<Plan> {
  const found = await surveyTakeover(app.ctx, BY);
  if (!found) throw new Error('it is not held');
  return found.plan;
}

async function takesOver(app: TestApp) {
  const found = await surveyTakeover(app.ctx, BY);
  return found && takeOver(app.ctx, found, BY);
}

const linkOf = (app: TestApp, id: number) => app.request(id).paymentId as string;
const mailIds = ({ sandbox }: TestApp) => sandbox.mails().flatMap(({ messageId }) => messageId ?? []);

/** The customer signs, and everything that is owed for it is done. */
async function signs(app: TestApp, signId: string): Promise<void> {
  app.sandbox.sign(signId);
  await deliver(app, signId);
  await app.drain();
}

async function pays(app: TestApp, link: string): Promise<void> {
  app.sandbox.pay(link);
  await deliverPayment(app, link);
}

/** Signed, with its payment link, on this machine. */
async function payable(app: TestApp) {
  const story = await app.waitingRequest();
  await signs(app, story.signId);
  return { ...story, paymentId: linkOf(app, story.request.id) };
}

/** What happened after the backup is known to the providers alone. */
async function movedBefore(first: TestApp, happens: () => Promise<unknown>) {
  const file = await backupOf(first);
  await happens();
  await first.drain();
  await first.ctx.close();
  return anotherMachine(first, file);
}

const statusOf = (app: TestApp, ...waiting: Waiting[]) =>
  waiting.map(({ request }) => app.request(request.id).status);

/** What the history says of it. */
function takenOver({ ctx }: TestApp): string {
  const [entry] = searchHistory(ctx.db, { what: 'data.taken_over', limit: 1 });
  return entry ? historyEntry('en', entry).message : '';
}

/** Requests whose contracts wait for their customers, and the same installation on another machine, restored and held. */
async function moved(count = 1) {
  const first = await startApp();
  const all: Waiting[] = [];
  for (let i = 0; i < count; i += 1) all.push(await first.waitingRequest());
  const app = await anotherMachine(first, await backupOf(first));
  return { first, app, all, ...(all[0] as Waiting) };
}

describe('a held installation', () => {
  test('runs no job, changes nothing at a provider and refuses whatever would, in words', async () => {
    const first = await startApp();
    const { request } = await first.waitingRequest();
    const signed = await first.waitingRequest();
    const fresh = await first.addRequest();
    first.sandbox.sign(signed.signId);
    await deliver(first, signed.signId);
    const app = await anotherMachine(first, await backupOf(first));
    const before = app.sandbox.state();

    expect(await app.drain()).toBe(0);
    const refused = [
      async () => startSignature(app.ctx, fresh.id, { ...BY, pdf: await anyContractPdf() }),
      () => resetSignature(app.ctx, request.id, BY),
      () => cancelRequest(app.ctx, request.id, { ...BY, reason: 'moved away' }),
      () => remindRequest(app.ctx, request.id, BY),
      () => renewPaymentSession(app.ctx, signed.request.id, BY),
    ];
    for (const act of refused) {
      expect(await rejection(act())).toMatchObject({ kind: 'unavailable', code: 'held' });
    }
    const dry = { ...BY, dryRun: true };
    expect(await renewPaymentSession(app.ctx, signed.request.id, dry)).toBeUndefined();

    expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');
    expect(app.request(fresh.id).status).toBe('in_progress');
    expect({ ...app.sandbox.state(), counters: null }).toEqual({ ...before, counters: null });
  });

  test('stores and answers webhooks, and what they ask for is done after the takeover', async () => {
    const { app, request, signId } = await moved();
    app.sandbox.sign(signId);

    // Nothing works on it, so nobody is waited for.
    Object.assign(app.ctx, { webhookPatienceMs: 0 });
    expect(await deliver(app, signId)).toBe(202);
    expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');

    await takesOver(app);
    await app.drain();
    expect(app.request(request.id).status).toBe('WAITING_PAYMENT');
    expect(app.sandbox.state().sessions).toHaveLength(1);
    expect(app.jobs().filter(({ state }) => state !== 'completed')).toEqual([]);
  });

  test('a check that finds a signature stores it, and still sends nothing', async () => {
    const { app, request, signId } = await moved();
    app.sandbox.sign(signId);
    const { findings } = await explain(app.ctx, String(request.id));
    expect(findings, 'other advice comes after the takeover').toMatchObject([
      { key: 'held' },
      { key: 'webhook_missed' },
    ]);

    expect(await checkSignature(app.ctx, request.id, BY)).toMatchObject({ type: 'success' });

    expect(app.request(request.id).status).toBe('WAITING_PAYMENT');
    const { verdict, next } = await explain(app.ctx, String(request.id), { offline: true });
    expect([verdict, next]).toEqual([expect.stringContaining('restored and is held'), command('takeover')]);
    expect(await app.drain()).toBe(0);
    expect(app.sandbox.state().sessions).toEqual([]);
    expect(app.sandbox.mails()).toHaveLength(1);
  });
});

describe('a reset that the backup caught half-way', () => {
  test('is left to the first bulk check after the takeover; the one before does not fail over it', async () => {
    const first = await startApp();
    const { request } = await first.waitingRequest();
    first.sandbox.faults.add('signature.upload:500:1');
    await rejection(resetSignature(first.ctx, request.id, BY));
    const app = await anotherMachine(first, await backupOf(first));

    expect(await checkAllSignatures(app.ctx, SYSTEM)).toMatchObject({
      changed: 0,
      failed: 0,
      results: [{ type: 'info', key: 'check_signature_info.ongoing' }],
    });
    expect(app.contract(request.id).sending).not.toBe('sent');

    await takesOver(app);
    await checkAllSignatures(app.ctx, SYSTEM);
    expect(app.contract(request.id).sending).toBe('sent');
  });
});

describe('takeover', () => {
  test('finds what was signed, paid and declined since, and what is lost with its customer; then lets go', async () => {
    const first = await startApp();
    const signed = await first.waitingRequest();
    const declined = await first.waitingRequest();
    const waiting = await first.waitingRequest();
    const paid = await payable(first);
    let lost = paid;
    const app = await movedBefore(first, async () => {
      first.clock.advance(60_000);
      await signs(first, signed.signId);
      await pays(first, linkOf(first, signed.request.id));
      await pays(first, paid.paymentId);
      first.sandbox.decline(declined.signId, { reason: 'too dear' });
      await deliver(first, declined.signId, { name: 'signature_request.declined' });
      lost = await payable(first);
    });

    const plan = await survey(app);

    const byRequest = new Map(plan.signatures.map(({ requestId, class: kind }) => [requestId, kind]));
    expect(byRequest).toEqual(
      new Map([
        [signed.request.id, 'signed'],
        [declined.request.id, 'declined'],
      ]),
    );
    const [one, another] = [signed, paid].map(({ request }) => request.id);
    const payments = plan.payments.map(({ requestId, key }) => `${requestId} ${key}`);
    expect(payments).toEqual(
      expect.arrayContaining([`${one} check_payment_success`, `${another} check_payment_success`]),
    );
    expect(plan.lostSignatures).toMatchObject([
      { signId: lost.signId, status: 'done', customers: [lost.owner.username] },
    ]);
    expect(plan.lostPayments).toMatchObject([
      { paymentId: lost.paymentId, customer: lost.owner.username, key: 'check_payment_info.open' },
    ]);
    expect([isHeld(app.ctx), ...statusOf(app, signed)]).toEqual([true, 'WAITING_SIGNATURE']);

    expect(await takesOver(app)).toMatchObject({ signatures: 2, payments: 2, lost: 2, failed: [] });

    await app.drain();
    expect(isHeld(app.ctx)).toBe(false);
    expect(statusOf(app, signed, paid, waiting)).toEqual(['COMPLETE', 'COMPLETE', 'WAITING_SIGNATURE']);
    expect(app.contract(declined.request.id).status).toBe('EXPIRED');
    expect(listOpenUnknown(app.ctx.db, 9).map(({ signId }) => signId)).toEqual([lost.signId]);
    expect(Object.values(app.sandbox.state().counters.sessionsByKey)).toEqual([1, 1, 1]);
    expect(await takesOver(app), 'a second time there is nothing to do').toBeUndefined();
  });

  test('mails of the backup that may have gone out are named, and go out once more under the same Message-ID', async () => {
    const first = await startApp();
    const { request, signId } = await first.waitingRequest();
    first.sandbox.sign(signId);
    await deliver(first, signId);
    const app = await movedBefore(first, () => first.drain());
    const sent = mailIds(first);
    expect(sent.length).toBeGreaterThan(1);

    const { owed } = await survey(app);
    expect(owed.flatMap(({ mail }) => mail ?? []).toSorted()).toEqual(['admin-signed', 'contract-signed']);
    expect(owed.every(({ reference }) => reference === request.reference)).toBe(true);

    await takesOver(app);
    await app.drain();
    const again = mailIds(app).slice(sent.length);
    expect(again.length).toBeGreaterThan(1);
    expect(sent).toEqual(expect.arrayContaining(again));
  });

  test('a link that was renewed after the backup is taken up: no second session, the same mail', async () => {
    const first = await startApp();
    const { request, paymentId } = await payable(first);
    let renewed = '';
    const app = await movedBefore(first, async () => {
      first.sandbox.expireSession(paymentId);
      await deliverPayment(first, paymentId, { type: 'checkout.session.expired' });
      await renewPaymentSession(first.ctx, request.id, BY);
      renewed = linkOf(first, request.id);
    });
    const sent = mailIds(first);

    await takesOver(app);
    await app.drain();

    expect(linkOf(app, request.id)).toBe(renewed);
    expect(app.sandbox.state().sessions).toHaveLength(2);
    expect(sent).toEqual(expect.arrayContaining(mailIds(app).slice(sent.length)));
  });

  test.each([
    ['works', 'WAITING_PAYMENT', () => undefined],
    [
      'is being paid',
      'WAITING_PAYMENT',
      (app: TestApp, link: string) => app.sandbox.pay(link, { async: true }),
    ],
    ['was paid', 'COMPLETE', (app: TestApp, link: string) => app.sandbox.pay(link)],
  ])(
    'a link that %s, found before the signature could be believed, belongs to the request as soon as the signature counts',
    async (_, status, pay) => {
      const right = { username: 'right@example.org' };
      const first = await startApp();
      const { request, signId, owner } = await first.waitingRequest();
      let link = '';
      const app = await movedBefore(first, async () => {
        await correctUser(first.ctx, owner.id, right, BY);
        await first.drain();
        await signs(first, signId);
        link = linkOf(first, request.id);
        pay(first, link);
      });
      // The backup knows another signer.
      expect(await takesOver(app)).toMatchObject({ payments: 1 });
      await app.drain();
      expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');

      await correctUser(app.ctx, owner.id, right, BY);
      await checkAllSignatures(app.ctx, BY);
      await app.drain();

      expect(app.request(request.id)).toMatchObject({ status, paymentId: link });
      const url = app.request(request.id).paymentUrl;
      expect(url === null).toBe(pay.length > 0);
      expect(app.sandbox.state().sessions).toHaveLength(1);
    },
  );

  test.each(['signature.list:500', 'payment.list:500'])(
    'while a provider is down (%s): refused as unavailable, nothing is changed, still held',
    async (fault) => {
      const { app, request, signId } = await moved();
      app.sandbox.sign(signId);
      app.sandbox.faults.add(fault);

      expect(await rejection(surveyTakeover(app.ctx, BY))).toMatchObject({ kind: 'unavailable' });

      expect(isHeld(app.ctx)).toBe(true);
      expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');
    },
  );

  test('a provider that is asked too often is asked again after the pause that it wants', async () => {
    const { app, request, signId } = await moved();
    app.sandbox.sign(signId);
    for (const call of ['signature.list', 'payment.list']) app.sandbox.faults.add(`${call}:429:2`);
    const pauses: number[] = [];
    const found = await surveyTakeover(app.ctx, { ...BY, pause: async (ms) => void pauses.push(ms) });
    await takeOver(app.ctx, found as never, BY);
    expect(pauses).toHaveLength(4);
    expect(app.request(request.id).status).toBe('WAITING_PAYMENT');
  });

  test('cut short between two contracts it is still held, and the next one comes to the same end', async () => {
    const { app, all: stories } = await moved(2);
    for (const { signId } of stories) app.sandbox.sign(signId);
    const found = await surveyTakeover(app.ctx, BY);
    app.sandbox.faults.add('signature.download:500:3');

    expect(await rejection(takeOver(app.ctx, found as never, BY))).toMatchObject({
      code: 'provider_unavailable',
    });
    expect(isHeld(app.ctx)).toBe(true);
    const statuses = () => statusOf(app, ...stories);
    expect(statuses().toSorted()).toEqual(['WAITING_PAYMENT', 'WAITING_SIGNATURE']);

    await takesOver(app);
    await app.drain();
    expect(statuses()).toEqual(['WAITING_PAYMENT', 'WAITING_PAYMENT']);
    expect(
      app.jobs('send-mail').filter(({ uniqueKey }) => uniqueKey?.includes('contract-signed')),
    ).toHaveLength(2);
  });

  test('a contract about which the provider never answers is named; left with all others of its kind, it waits for its check', async () => {
    const { app, all: waiting, request } = await moved(2);
    for (const { signId } of waiting) app.sandbox.sign(signId);
    const found = await surveyTakeover(app.ctx, BY);
    const takesOver = (leave: boolean) => {
      app.sandbox.faults.clear();
      app.sandbox.faults.add('signature.download:500');
      return takeOver(app.ctx, found as Takeover, { ...BY, leave });
    };

    const { reference } = request;
    const refusal = (await rejection(takesOver(false))) as AppError;
    expect(adviceText(withHint(refusal))).toMatch(
      new RegExp(`^${reference}: The .* takeover --leave --reason "…"$`),
    );
    expect(isHeld(app.ctx)).toBe(true);

    expect(await takesOver(true)).toMatchObject({
      failed: waiting.map((one) => ({ requestId: one.request.id })),
    });
    expect(isHeld(app.ctx)).toBe(false);
    expect(takenOver(app)).toContain(waiting.map((one) => one.request.reference).join(', '));
    expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');

    app.sandbox.faults.clear();
    await checkAllSignatures(app.ctx, SYSTEM);
    expect(statusOf(app, ...waiting)).toEqual(['WAITING_PAYMENT', 'WAITING_PAYMENT']);
  });

  test('so is a payment link that is in no list and not answered about', async () => {
    const first = await startApp();
    const { request } = await payable(first);
    first.clock.advance(5 * DAY);
    const app = await anotherMachine(first, await backupOf(first));
    app.sandbox.faults.add('payment.get:500');

    const refusal = (await rejection(surveyTakeover(app.ctx, BY))) as AppError;
    expect(adviceText(withHint(refusal))).toContain('takeover --leave --reason "…"');

    const found = await surveyTakeover(app.ctx, { ...BY, leave: true });
    expect(found?.plan.left, 'previewed').toMatchObject([{ requestId: request.id }]);
    expect(await takeOver(app.ctx, found as Takeover, { ...BY, leave: true })).toMatchObject({
      failed: [{ requestId: request.id }],
    });
    expect(isHeld(app.ctx)).toBe(false);
    expect(takenOver(app)).toMatch(new RegExp(`left without an answer: ${request.reference}$`));
  });

  test('two at once come to the same end, and the history has one', async () => {
    const { app, request, signId } = await moved();
    app.sandbox.sign(signId);

    await Promise.all([takesOver(app), takesOver(app)]);
    await app.drain();

    expect(app.request(request.id).status).toBe('WAITING_PAYMENT');
    expect(Object.values(app.sandbox.state().counters.sessionsByKey)).toEqual([1]);
    const entries = app.ctx.db.raw.prepare("SELECT id FROM history WHERE what = 'data.taken_over'").all();
    expect(entries).toHaveLength(1);
  });

  test('with the keys of an account that has never seen this installation it refuses, as does every check by hand with the same sentence, and ends nothing', async () => {
    const first = await startApp();
    const waiting = await first.waitingRequest();
    const paying = await payable(first);
    const file = await backupOf(first);
    const app = await anotherMachine(await startApp(), file);
    const payment = () => app.ctx.db.raw.prepare('SELECT state FROM payments').pluck().all();
    const before = payment();
    const refusal = await rejection(surveyTakeover(app.ctx, BY));
    const { message } = refusal;
    expect([refusal.code, isHeld(app.ctx)]).toEqual(['other_account', true]);

    for (const check of [checkSignature(app.ctx, waiting.request.id, BY), checkAllSignatures(app.ctx, BY)])
      expect(await rejection(check)).toMatchObject({ code: 'other_account', message });
    for (const check of [checkPayment(app.ctx, paying.request.id, BY), checkAllPayments(app.ctx, BY)])
      expect(await rejection(check)).toMatchObject({
        code: 'other_account',
        message: message.replace('signature', 'payment'),
      });
    expect(app.contract(waiting.request.id).status).toBe('PENDING');
    expect(payment()).toEqual(before);

    const found = await surveyTakeover(app.ctx, { ...BY, leave: true });
    expect(found?.plan.signatures, 'a person says that it was deleted there').toMatchObject([
      { class: 'gone' },
    ]);
  });

  test('a check by hand at the account of this installation ends what is gone there', async () => {
    const { app, request, signId } = await moved(2);
    app.sandbox.delete(signId, { permanent: true });
    expect(await checkSignature(app.ctx, request.id, BY)).toMatchObject({ key: 'signature_not_found' });
    expect(app.ctx.db.raw.prepare('SELECT status FROM contracts ORDER BY id').pluck().all()).toEqual([
      'EXPIRED',
      'PENDING',
    ]);
  });
});

test('the old server comes back beside the new one: nobody signs, pays or is charged twice, and a repeated mail is the same mail', async () => {
  const old = await startApp();
  const stories = [await old.waitingRequest(), await old.waitingRequest()];
  const paying = await payable(old);
  const before = mailIds(old).length;
  const app = await anotherMachine(old, await backupOf(old));
  await takesOver(app);
  const both = [old, app];

  // Whoever is asked first: both check, run their jobs, and hear of the payments.
  for (const { signId } of stories) app.sandbox.sign(signId);
  for (const machine of both) await checkAllSignatures(machine.ctx, SYSTEM);
  await Promise.all(both.map((machine) => machine.drain()));
  const links = stories.map(({ request }) => linkOf(app, request.id));
  expect(stories.map(({ request }) => linkOf(old, request.id))).toEqual(links);
  for (const link of [...links, paying.paymentId]) app.sandbox.pay(link);
  for (const machine of both) await checkAllPayments(machine.ctx, SYSTEM);
  await Promise.all(both.map((machine) => machine.drain()));
  app.clock.advance(DAY);
  await Promise.all(both.map((machine) => machine.drain()));

  const { sessions, counters } = app.sandbox.state();
  expect(sessions).toHaveLength(3);
  expect(Object.values(counters.sessionsByKey)).toEqual([1, 1, 1]);
  expect(both.flatMap((machine) => statusOf(machine, ...stories, paying))).toEqual(Array(6).fill('COMPLETE'));
  const sent = mailIds(app).slice(before);
  expect(sent).toHaveLength(2 * new Set(sent).size);
});
