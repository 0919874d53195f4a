/** Payment sessions that we do not know of, since a backup came back or an answer was lost: the provider's list decides. */
import { describe, expect, test } from 'vitest';
import { explain } from '../../../src/core/explain/explain.js';
import { replayFailed } from '../../../src/core/jobs/failed.js';
import { checkAllPayments } from '../../../src/core/payment/check-all-payments.js';
import { checkPayment } from '../../../src/core/payment/check-payment.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { reopenRequest } from '../../../src/core/requests/reopen-request.js';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { settleUnknownPayment } from '../../../src/core/payment/unknown-payments.js';
import { adviceText } from '../../../src/core/commands.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { eraseUser } from '../../../src/core/personal-data/erase-user.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import { correctUser } from '../../../src/core/users/correct-user.js';
import { listHistory } from '../../../src/db/history/history.js';
import { currentPayment, linked, loseAllAnswers, meanwhile } from '../../support/payments.js';
import { rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { HOUR } from '../../support/clock.js';
import { startSignature } from '../../support/start-signature.js';
import { backupOf, restored } from '../../support/restored.js';
import { mails } from '../../support/two-pages.js';
import { aSessionLike, deliver, deliverPayment, signWithAllTries } from '../../support/webhooks.js';

const BY = { actor: TESTER };

interface Scene {
  app: TestApp;
  id: number;
  contractId: number;
  paymentId: string;
}

/** The backup is from before the signature; what `since` does between the payment link and the restore is forgotten as well. */
async function forgotten(hours: number, since: (scene: Scene) => unknown = () => undefined): Promise<Scene> {
  const first = await startApp();
  const { request, contract, signId } = await first.waitingRequest();
  const file = await backupOf(first);
  first.sandbox.sign(signId);
  await deliver(first, signId);
  await first.drain();
  const scene = { id: request.id, contractId: contract.id, paymentId: linkOf(first, request.id) };
  await since({ app: first, ...scene });
  first.clock.advance(hours * HOUR);
  return { app: await restored(first, file), ...scene };
}

const linkOf = (app: TestApp, id: number) => app.request(id).paymentId as string;
const sessions = (app: TestApp) => app.sandbox.state().sessions;
const linkless = (app: TestApp) => sessions(app)[0]?.id as string;
const payments = (app: TestApp, contractId: number) =>
  app.ctx.db.raw
    .prepare('SELECT state FROM payments WHERE contractId = ? ORDER BY id')
    .pluck()
    .all(contractId);
const linkMails = (app: TestApp) =>
  app.jobs('send-mail').filter(({ payload }) => payload.includes('payment-link'));

async function check({ app }: Scene) {
  const result = await checkAllSignatures(app.ctx, BY);
  await app.drain();
  return result;
}

/** A session exists there, our payment job has failed, and nobody has the link. */
async function allAnswersLost(): Promise<Scene> {
  const app = await startApp();
  const { request, contract, signId } = await app.waitingRequest();
  await loseAllAnswers(app, signId);
  expect(app.jobs('create-payment-session')).toMatchObject([{ state: 'failed' }]);
  expect(sessions(app)).toHaveLength(1);
  return { app, id: request.id, contractId: contract.id, paymentId: linkless(app) };
}

test('a session whose answer was lost on every try is found by the replay, which makes no second one', async () => {
  const { app, id, paymentId } = await allAnswersLost();

  await replayFailed(app.ctx, [app.jobs('create-payment-session')[0]?.id as number], BY);
  await app.drain();

  expect(sessions(app)).toHaveLength(1);
  expect(linkOf(app, id)).toBe(paymentId);
  expect(app.request(id).paymentUrl).toBe(sessions(app)[0]?.url);
  expect(linkMails(app)).toHaveLength(1);
});

describe('where no session is known at all, a person’s check of the payment looks in the provider’s list', () => {
  test('a paid one completes the request', async () => {
    const { app, id, paymentId } = await allAnswersLost();
    app.sandbox.pay(paymentId);

    expect(await checkAllPayments(app.ctx, { ...BY, dryRun: true })).toMatchObject({ changed: 1 });
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
    expect(await checkAllPayments(app.ctx, BY)).toMatchObject({
      results: [{ requestId: id, key: 'check_payment_success', changed: true }],
    });
    expect(app.request(id)).toMatchObject({ status: 'COMPLETE', paymentId });
  });

  test('one that was paid with another amount is a case, and a dry run says so', async () => {
    const { app, id, contractId, paymentId } = await allAnswersLost();
    app.ctx.db.raw.prepare('UPDATE contracts SET amount = 9900 WHERE id = ?').run(contractId);
    app.sandbox.pay(paymentId);
    for (const dryRun of [true, false]) {
      const found = await checkPayment(app.ctx, id, { ...BY, dryRun });
      expect(found).toEqual({ type: 'error', key: 'old_session_paid', changed: true });
    }
  });

  test('one that works becomes the customer’s link, once', async () => {
    const { app, id } = await allAnswersLost();
    expect(await checkPayment(app.ctx, id, BY)).toMatchObject({
      key: 'check_payment_info.open',
      changed: true,
    });
    expect(await checkPayment(app.ctx, id, BY)).toEqual({ type: 'info', key: 'check_payment_info.open' });
    await replayFailed(app.ctx, [app.jobs('create-payment-session')[0]?.id as number], BY);
    await app.drain();

    expect(app.request(id).paymentUrl).toBe(sessions(app)[0]?.url);
    expect(sessions(app)).toHaveLength(1);
    expect(linkMails(app)).toHaveLength(1);
  });

  test('one that is over is known from then on, once', async () => {
    const { app, id, paymentId, contractId } = await allAnswersLost();
    app.sandbox.expireSession(paymentId);
    const over = { type: 'info', key: 'check_payment_info.expired' };
    expect(await checkPayment(app.ctx, id, BY)).toEqual({ ...over, changed: true });
    expect(await checkPayment(app.ctx, id, BY)).toEqual(over);
    expect(payments(app, contractId)).toEqual(['over']);
  });

  test('a list that cannot be read is not an empty one', async () => {
    const { app, id } = await allAnswersLost();
    app.sandbox.faults.add('payment.list:503');
    expect((await checkPayment(app.ctx, id, BY)).key).toBe('payment_unavailable');
  });
});

test.each([
  ['another language', { locale: 'fr' } as const],
  ['another address', { username: 'else@example.org' }],
])('a session whose answer was lost is found although the customer has %s since', async (_, changes) => {
  const app = await startApp();
  const { request, owner, signId } = await app.waitingRequest();
  app.sandbox.faults.add('payment.create:answer_lost:1');
  app.sandbox.sign(signId);
  await deliver(app, signId);
  await app.drain();
  await correctUser(app.ctx, owner.id, changes, BY);

  app.clock.advance(1000);
  await app.drain();

  expect(app.jobs('create-payment-session')).toMatchObject([{ state: 'completed', attempt: 2 }]);
  expect(sessions(app)).toHaveLength(1);
  expect(app.request(request.id).paymentUrl).toBe(sessions(app)[0]?.url);
  expect(linkMails(app)).toHaveLength(1);
});

test('a session whose answer was lost and that is over under its key is followed by one under another key', async () => {
  const app = await startApp();
  const { request, contract, owner, signId } = await app.waitingRequest();
  app.sandbox.faults.add('payment.create:answer_lost:1');
  app.sandbox.sign(signId);
  await deliver(app, signId);
  await app.drain();
  await correctUser(app.ctx, owner.id, { username: 'else@example.org' }, BY);
  app.sandbox.expireSession(linkless(app));

  app.clock.advance(1000);
  await app.drain();

  expect(app.jobs('create-payment-session')).toMatchObject([{ state: 'completed', attempt: 2 }]);
  expect(sessions(app).map(({ status }) => status)).toEqual(['expired', 'open']);
  expect(app.request(request.id).paymentUrl).toBe(sessions(app)[1]?.url);
  expect(linkMails(app)).toHaveLength(1);
  expect(payments(app, contract.id)).toEqual(['over', 'open']);
});

describe('a session that a restore has forgotten, more than a day later,', () => {
  test('and that is paid completes the request, and nobody is asked to pay twice', async () => {
    const scene = await forgotten(30, ({ app, paymentId }) => app.sandbox.pay(paymentId));
    const { app, id, paymentId } = scene;

    await check(scene);

    expect(sessions(app)).toHaveLength(1);
    expect(app.request(id)).toMatchObject({ status: 'COMPLETE', paymentId });
    expect(linkMails(app)).toEqual([]);
    expect(app.history(id)).toEqual(expect.arrayContaining(['payment.session_found', 'payment.received']));
    const found = listHistory(app.ctx.db, { requestId: id }).find(({ what }) =>
      what.endsWith('session_found'),
    );
    expect(JSON.parse(found?.detail ?? '')).toEqual({ paymentId });
    expect((await explain(app.ctx, String(id))).next).toBeNull();
    await check(scene);
    expect(app.history(id).filter((what) => what === 'payment.received')).toHaveLength(1);
  });

  test('and that is on its way is waited for', async () => {
    const scene = await forgotten(30, ({ app, paymentId }) => app.sandbox.pay(paymentId, { async: true }));
    const { app, id, paymentId } = scene;
    await check(scene);
    expect(sessions(app)).toHaveLength(1);
    expect(linkMails(app)).toEqual([]);
    expect((await explain(app.ctx, String(id))).findings[0]?.key).toMatch(/^payment_pending/);
    await deliverPayment(app, paymentId, { type: 'checkout.session.async_payment_succeeded' });
    expect(app.request(id).status).toBe('COMPLETE');
  });

  test('and that is over is replaced by a link that works', async () => {
    const scene = await forgotten(30);
    const { app, id, paymentId } = scene;
    await check(scene);
    expect(sessions(app)).toHaveLength(2);
    expect(app.request(id)).toMatchObject({ status: 'WAITING_PAYMENT', paymentUrl: expect.any(String) });
    expect(linkOf(app, id)).not.toBe(paymentId);
    expect(linkMails(app)).toHaveLength(1);
  });

  test('is replaced by one session only when the answer is lost, although the first key is not used again', async () => {
    const scene = await forgotten(30);
    const { app, id } = scene;
    app.sandbox.faults.add('payment.create:answer_lost:1');
    await check(scene);
    app.clock.advance(2000);
    await app.drain();
    expect(sessions(app)).toHaveLength(2);
    expect(app.request(id).paymentUrl).toEqual(expect.any(String));
  });
});

test('a forgotten session that still works becomes the customer’s link again, and no second one is made', async () => {
  const scene = await forgotten(13);
  const { app, id, contractId, paymentId } = scene;
  await check(scene);
  expect(sessions(app)).toHaveLength(1);
  expect(app.request(id)).toMatchObject({ paymentId, paymentUrl: sessions(app)[0]?.url });
  expect(currentPayment(app.ctx.db, { contractId })).toMatchObject({ paymentId, state: 'open' });
  expect(linkMails(app)).toHaveLength(1);
  expect(app.request(id).paymentUrl).toBe(sessions(app)[0]?.url);
});

test('a session that a person’s replay made and a restore forgot within the hour is found, although its key is not that of the first try', async () => {
  const first = await startApp();
  const { request, signId } = await first.waitingRequest();
  const file = await backupOf(first);
  first.sandbox.faults.add('payment.create:500');
  await signWithAllTries(first, signId);
  first.sandbox.faults.clear();
  await replayFailed(first.ctx, [first.jobs('create-payment-session')[0]?.id as number], BY);
  await first.drain();
  first.clock.advance(HOUR);

  const app = await restored(first, file);
  await checkAllSignatures(app.ctx, BY);
  await app.drain();

  expect(sessions(app)).toHaveLength(1);
  expect(linkOf(app, request.id)).toBe(sessions(app)[0]?.id);
});

test.each<[string, (scene: Scene) => unknown, object, string[], number]>([
  [
    'its payment completes the request',
    ({ app, paymentId }) => {
      app.sandbox.pay(paymentId);
      return deliverPayment(app, paymentId);
    },
    { status: 'COMPLETE' },
    ['complete'],
    0,
  ],
  [
    'money on its way is waited for',
    ({ app, paymentId }) => {
      app.sandbox.pay(paymentId, { async: true });
      return deliverPayment(app, paymentId, { paymentStatus: 'unpaid' });
    },
    { status: 'WAITING_PAYMENT', paymentUrl: null },
    ['complete'],
    0,
  ],
  [
    'after a cancellation it is closed',
    ({ app }) => app.ctx.db.raw.exec("UPDATE requests SET status = 'CANCELED'"),
    { status: 'CANCELED', paymentUrl: null },
    ['expired'],
    0,
  ],
  [
    'after its end another one is made',
    ({ app, paymentId }) => {
      app.sandbox.expireSession(paymentId);
      return deliverPayment(app, paymentId, { type: 'checkout.session.expired', paymentStatus: 'unpaid' });
    },
    { status: 'WAITING_PAYMENT', paymentUrl: expect.any(String) },
    ['expired', 'open'],
    1,
  ],
])(
  'what comes after the list has shown a forgotten session as open decides: %s',
  async (_, happen, request, states, mails) => {
    const scene = await forgotten(13);
    const { app, id } = scene;
    meanwhile(app, 'listSessions', () => happen(scene));
    await check(scene);
    expect(app.request(id)).toMatchObject(request);
    expect(sessions(app).map(({ status }) => status)).toEqual(states);
    expect(linkMails(app)).toHaveLength(mails);
  },
);

test('a list that cannot be read makes no second session: the job tries again', async () => {
  const scene = await forgotten(30, ({ app, paymentId }) => app.sandbox.pay(paymentId));
  const { app, id } = scene;
  app.sandbox.faults.add('payment.list:500');
  await check(scene);
  expect(sessions(app)).toHaveLength(1);
  expect(app.request(id).status).toBe('WAITING_PAYMENT');
  app.sandbox.faults.clear();
  app.clock.advance(4000);
  await app.drain();
  expect(app.request(id).status).toBe('COMPLETE');
});

test('a forgotten session is found although the customer has many others, and none of those is taken', async () => {
  const scene = await forgotten(13, async ({ app, paymentId }) => {
    app.sandbox.pay(paymentId);
    for (let n = 0; n < 101; n += 1) await aSessionLike(app, ANOTHERS);
  });
  const { app, id, paymentId } = scene;
  await check(scene);
  expect(app.request(id)).toMatchObject({ status: 'COMPLETE', paymentId });
});

/** Another installation's on the same account, for the same person and price. */
const ANOTHERS = 'esign-0123456789abcdef-0123456789abcdef';

describe('the end of a forgotten session that is reported before the payment job has run', () => {
  test('leaves the customer with a link that works', async () => {
    const { app, id, paymentId } = await forgotten(25);
    const [session] = sessions(app);
    await deliverPayment(app, paymentId, {
      type: 'checkout.session.expired',
      paymentStatus: 'unpaid',
      object: { ...session, payment_status: 'unpaid' },
    });
    await checkAllSignatures(app.ctx, BY);
    await app.drain();
    expect(app.request(id).paymentUrl).toEqual(expect.any(String));
    expect(linkOf(app, id)).not.toBe(paymentId);
    expect(linkMails(app)).toHaveLength(1);
  });

  test('also when only its answer was lost, and the provider would still repeat it', async () => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    app.sandbox.sign(signId);
    await deliver(app, signId);
    app.sandbox.faults.add('payment.create:answer_lost:1');
    await app.drain();
    const [session] = sessions(app);
    await deliverPayment(app, session?.id as string, {
      type: 'checkout.session.expired',
      paymentStatus: 'unpaid',
      object: { ...session },
    });
    app.clock.advance(2000);
    await app.drain();
    expect(sessions(app)).toHaveLength(2);
    expect(linkOf(app, request.id)).not.toBe(session?.id);
    expect(app.request(request.id).paymentUrl).toEqual(expect.any(String));
  });
});

describe('a payment under the name of the contract with another amount or currency', () => {
  const LESS = { amount_total: 9900 };

  async function paid(change: Record<string, unknown>, paymentStatus = 'paid') {
    const app = await startApp();
    const { request, contract, signId } = await app.waitingRequest();
    app.sandbox.sign(signId);
    await deliver(app, signId);
    await app.drain();
    const object = {
      ...sessions(app)[0],
      id: 'cs_of_another_price',
      amount_total: 12_000,
      currency: 'eur',
      ...change,
      payment_status: paymentStatus,
    };
    const tell = () => deliverPayment(app, 'cs_of_another_price', { object, paymentStatus });
    expect(await tell()).toBe(200);
    return { app, id: request.id, contract, tell };
  }

  test.each([
    ['amount', LESS, '€99.00'],
    ['currency', { currency: 'usd' }, '$120.00'],
  ])(
    'another %s is reported once, by history, mail and explain, and never applied',
    async (_, change, words) => {
      const { app, id, tell } = await paid(change);
      await tell();
      await app.drain();
      expect(app.request(id).status).toBe('WAITING_PAYMENT');
      expect(app.history(id).filter((what) => what === 'payment.other_price')).toHaveLength(1);
      const told = app.sandbox.state().mails.filter(({ subject }) => subject.includes('Different amount'));
      expect(told).toHaveLength(1);
      expect(told[0]?.text).toContain(words);
      const { findings, next } = await explain(app.ctx, String(id));
      expect(findings[0]?.cause).toBe('other_price');
      expect(next).toMatchObject({ name: 'payments renew', reason: 'refunded', about: [id] });
    },
  );

  test('is nothing to tell as long as nothing is paid', async () => {
    const { app, id } = await paid(LESS, 'unpaid');
    expect(app.history(id)).not.toContain('payment.other_price');
  });

  test('that a restore has forgotten is reported, and no link is made until a person orders one', async () => {
    const scene = await forgotten(30, ({ app, paymentId }) => app.sandbox.pay(paymentId));
    const { app, id, contractId } = scene;
    app.ctx.db.raw.prepare('UPDATE contracts SET amount = 9900 WHERE id = ?').run(contractId);

    await check(scene);

    expect(sessions(app)).toHaveLength(1);
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
    expect((await explain(app.ctx, String(id))).findings[0]?.cause).toBe('other_price');
    expect(await renewPaymentSession(app.ctx, id, { ...BY, reason: 'refunded' })).toMatchObject({
      amount: 9900,
      state: 'open',
    });
    await app.drain();
    expect(app.history(id).filter((what) => what === 'payment.other_price')).toHaveLength(1);
    expect((await explain(app.ctx, String(id))).findings[0]?.key).toBe('waiting_for_payment');
  });
});

describe('a forgotten page that names another price and that nobody has paid', () => {
  async function otherPrice(hours: number) {
    const scene = await forgotten(hours);
    scene.app.ctx.db.raw.prepare('UPDATE contracts SET amount = 9900 WHERE id = ?').run(scene.contractId);
    await check(scene);
    return scene;
  }

  test('is no case once it is over: the customer gets one with the price that holds', async () => {
    const { app, id } = await otherPrice(30);
    expect(app.history(id)).not.toContain('payment.other_price');
    expect(sessions(app)[1]).toMatchObject({ price: { amount: 9900 }, url: app.request(id).paymentUrl });
  });
});

describe('a session whose answers were all lost, when the request is closed by hand,', () => {
  const CLOSE: readonly [how: string, close: (app: TestApp, id: number) => Promise<unknown>][] = [
    ['canceled', (app, id) => cancelRequest(app.ctx, id, { ...BY, reason: 'sold the boiler' })],
    ['completed', (app, id) => completeRequest(app.ctx, id, { ...BY, reason: 'paid in cash' })],
  ];

  test.for(CLOSE)('is closed too: %s', async ([, close]) => {
    const { app, id } = await allAnswersLost();

    await close(app, id);

    expect(sessions(app).map(({ status }) => status)).toEqual(['expired']);
    expect(app.history(id)).toEqual(
      expect.arrayContaining(['payment.session_found', 'payment.session_closed']),
    );
    await app.drain();
    expect(linkMails(app)).toEqual([]);
  });

  test.for(CLOSE)('counts when it has been paid: %s', async ([, close]) => {
    const { app, id, paymentId: session } = await allAnswersLost();
    app.sandbox.pay(session);

    await close(app, id).catch(() => undefined);

    expect(app.request(id)).toMatchObject({ status: 'COMPLETE', paymentId: session });
    expect(app.history(id)).toContain('payment.received');
  });

  test.for(CLOSE)(
    'could still be paid, so nothing changes while the list cannot be read: %s',
    async ([, close]) => {
      const { app, id } = await allAnswersLost();
      app.sandbox.faults.add('payment.list:500');

      expect(await rejection(close(app, id))).toMatchObject({ code: 'payment_unavailable' });

      expect(app.request(id).status).toBe('WAITING_PAYMENT');
    },
  );

  test.for(CLOSE)(
    'is not looked for when none was ever asked for, so a provider that is down prevents nothing: %s',
    async ([how, close]) => {
      const app = await startApp();
      app.sandbox.faults.add('payment:500');
      const { request, signId } = await app.waitingRequest();
      await signWithAllTries(app, signId);
      const { id } = request;

      await close(app, id);

      expect(app.request(id).status).toBe(how === 'canceled' ? 'CANCELED' : 'COMPLETE');
    },
  );

  test.for(CLOSE)(
    'and that a canceled contract left behind is not looked for when the next one is closed: %s',
    async ([, close]) => {
      const app = await startApp();
      const { request, signId } = await app.waitingRequest();
      const { id } = request;
      app.sandbox.faults.add('payment.create:500');
      await signWithAllTries(app, signId);
      await cancelRequest(app.ctx, id, { ...BY, reason: 'moves house' });
      await reopenRequest(app.ctx, id, { ...BY, reason: 'stays after all' });
      app.sandbox.faults.add('payment:500');
      const next = await startSignature(app.ctx, id, BY);
      await signWithAllTries(app, next.signId as string);

      await close(app, id);

      expect(app.request(id).status).not.toBe('WAITING_PAYMENT');
    },
  );

  test.for(CLOSE)('is a case when it was paid with another amount: %s', async ([, close]) => {
    const { app, id, paymentId: session } = await allAnswersLost();
    app.ctx.db.raw.prepare('UPDATE contracts SET amount = 9900 WHERE requestId = ?').run(id);
    app.sandbox.pay(session);

    await close(app, id).catch(() => undefined);

    expect(app.history(id)).toContain('payment.other_price');
    expect(app.history(id)).not.toContain('payment.received');
  });

  test.for(CLOSE)('a fault of our own in the search stops it: %s', async ([, close]) => {
    const { app, id } = await allAnswersLost();
    app.ctx.payment.listSessions = () => Promise.reject(new Error('a bug'));
    await expect(close(app, id)).rejects.toThrow('a bug');
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
  });

  test('and that is over needs nothing', async () => {
    const { app, id, paymentId: session } = await allAnswersLost();
    app.sandbox.expireSession(session);
    await cancelRequest(app.ctx, id, { ...BY, reason: 'sold the boiler' });
    expect(app.request(id).status).toBe('CANCELED');
    expect(app.history(id)).not.toContain('payment.session_closed');
  });

  test('is not looked for while nobody can have paid, or when the session is known', async () => {
    const lists = (app: TestApp) => app.sandbox.state().counters.calls['payment.list'] ?? 0;
    const unsigned = await startApp();
    await cancelRequest(unsigned.ctx, (await unsigned.waitingRequest()).request.id, {
      ...BY,
      reason: 'sold',
    });
    expect(lists(unsigned)).toBe(0);

    const payable = await startApp();
    const { request, signId } = await payable.waitingRequest();
    payable.sandbox.sign(signId);
    await deliver(payable, signId);
    await payable.drain();
    const before = lists(payable);
    await cancelRequest(payable.ctx, request.id, { ...BY, reason: 'sold' });
    expect(lists(payable)).toBe(before);
    expect(sessions(payable).map(({ status }) => status)).toEqual(['expired']);
  });

  test('stays as it is in a dry run', async () => {
    const { app, id } = await allAnswersLost();
    await cancelRequest(app.ctx, id, { ...BY, reason: 'sold the boiler', dryRun: true });
    expect(sessions(app).map(({ status }) => status)).toEqual(['open']);
    expect(app.history(id)).not.toContain('payment.session_found');
  });
});

describe('money for a contract that a restore has forgotten', () => {
  /** Paid through a page that bears this installation's name. */
  async function unknownPayment() {
    const { app, id } = await linked();
    const name = app.contract(id).externalId.replace(/[0-9a-f]{16}$/, 'deadbeefdeadbeef');
    await aSessionLike(app, name);
    const paymentId = sessions(app).at(-1)?.id as string;
    app.sandbox.pay(paymentId);
    return { app, paymentId };
  }
  const needs = async (app: TestApp) => (await listNeeds(app.ctx, 9)).needs;
  const settle = (app: TestApp, paymentId: string, changes = {}) =>
    settleUnknownPayment(app.ctx, paymentId, { ...BY, reason: 'refunded', ...changes });

  test('is told once, and needs the office until somebody settles it', async () => {
    const { app, paymentId } = await unknownPayment();
    await deliverPayment(app, paymentId);
    await deliverPayment(app, paymentId);
    await app.drain();

    expect(mails(app, 'unknown-payment')).toMatchObject([{ state: 'completed' }]);
    const [need] = await needs(app);
    expect(need).toMatchObject({ kind: 'unknown', request: null, next: { name: 'payments check' } });
    expect(adviceText(need?.what ?? '')).toContain('€120.00');

    await settle(app, paymentId, { dryRun: true });
    expect(await needs(app)).toHaveLength(1);
    await settle(app, paymentId);
    await deliverPayment(app, paymentId);
    expect(await needs(app)).toEqual([]);
    expect(await rejection(settle(app, paymentId))).toMatchObject({ code: 'not_found' });
    expect(mails(app, 'unknown-payment')).toHaveLength(1);
  });

  test('leaves no words about a person who was erased, and keeps those about others', async () => {
    const { app, paymentId } = await unknownPayment();
    await deliverPayment(app, paymentId);
    await settle(app, paymentId, { reason: 'refunded to MÉTÉO-Élan, her father' });
    const reasons = () => [
      app.ctx.db.raw.prepare('SELECT reason FROM cases WHERE subject = ?').pluck().get(paymentId),
      app.ctx.db.raw
        .prepare(`SELECT detail ->> '$.reason' FROM history WHERE what = 'payment.settled'`)
        .pluck()
        .get(),
    ];
    const erase = async (lastName: string) =>
      eraseUser(app.ctx, (await app.addUser({ lastName })).id, { ...BY, reason: 'asked' });

    // Names that stand only within other words: of the reason, and of how it is stored.
    for (const other of ['Byron', 'Ath', 'Son', 'Reason']) await erase(other);
    expect(reasons()).toEqual(Array(2).fill('refunded to MÉTÉO-Élan, her father'));
    // With other accents.
    await erase('Meteo-Élàn');
    expect(reasons()).toEqual(['', '']);
  });

  test('leaves no words about a person whose script puts no blanks between words', async () => {
    const { app, paymentId } = await unknownPayment();
    await deliverPayment(app, paymentId);
    await settle(app, paymentId, { reason: '已退款给王先生' });
    await eraseUser(app.ctx, (await app.addUser({ lastName: '王' })).id, { ...BY, reason: 'asked' });
    expect(app.ctx.db.raw.prepare('SELECT reason FROM cases WHERE subject = ?').pluck().get(paymentId)).toBe(
      '',
    );
  });

  test('is told although its amount is not said', async () => {
    const { app, id } = await linked();
    const name = app.contract(id).externalId.replace(/[0-9a-f]{16}$/, 'deadbeefdeadbeef');
    const object = { client_reference_id: name, amount_total: null, currency: null };
    await deliverPayment(app, 'cs_bare', { object });
    await app.drain();

    expect(mails(app, 'unknown-payment')).toMatchObject([{ state: 'completed' }]);
    const [need] = await needs(app);
    expect(adviceText(need?.what ?? '')).toMatch(/^Payment cs_bare \(unknown\) came/);
  });

  test('is nothing to tell before it is paid, nor under another installation’s name', async () => {
    const { app, paymentId } = await unknownPayment();
    await deliverPayment(app, paymentId, { paymentStatus: 'unpaid' });
    const object = { client_reference_id: 'esign-0123456789abcdef-deadbeefdeadbeef' };
    await deliverPayment(app, 'cs_theirs', { object });
    expect(await needs(app)).toEqual([]);
    expect(mails(app, 'unknown-payment')).toEqual([]);
  });
});
