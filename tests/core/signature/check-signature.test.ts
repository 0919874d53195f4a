/** Manual signature check (rules 4), rule by rule in the order of the rules. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failureOf } from '../../../src/core/http/refusal.js';
import { checkSignature, type CheckResult } from '../../../src/core/signature/check-signature.js';
import { reconcile } from '../../../src/core/signature/reconcile.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import type { Sandbox } from '../../../sandbox/start.js';
import {
  rejection,
  startApp,
  TESTER,
  type AppOptions,
  type TestApp,
  type Waiting,
} from '../../support/app.js';
import { DAY, MINUTE } from '../../support/clock.js';
import { patienceWith } from '../../support/patience.js';
import { deliver } from '../../support/webhooks.js';

async function waitingApp(options: AppOptions = {}): Promise<{ app: TestApp; waiting: Waiting }> {
  const app = await startApp(options);
  return { app, waiting: await app.waitingRequest() };
}

const check = (app: TestApp, { request }: Pick<Waiting, 'request'>, dryRun = false) =>
  checkSignature(app.ctx, request.id, { actor: TESTER, dryRun });

const writes = (app: TestApp) => app.ctx.db.raw.prepare('SELECT total_changes() AS n').get();
const mails = (app: TestApp) => app.jobs('send-mail').map((job) => JSON.parse(job.payload));
const signedPdf = (app: TestApp, { contract }: Waiting) =>
  join(app.dataDir, 'contracts', `${contract.id}.pdf`);

function expectUntouched(app: TestApp, { request }: Waiting): void {
  expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');
  expect(app.contract(request.id).status).toBe('PENDING');
  expect(app.jobs()).toEqual([]);
}

test('a request that does not exist is not found', async () => {
  const app = await startApp();
  const error = await rejection(checkSignature(app.ctx, 4711, { actor: TESTER }));
  expect(error).toMatchObject({ kind: 'not_found', code: 'request_not_found' });
});

describe('rule 1: a request that does not wait for a signature', () => {
  test.each(['new', 'in_progress', 'WAITING_PAYMENT', 'COMPLETE'])(
    '%s gives not_waiting_signature, without asking the provider',
    async (status) => {
      const { app, waiting } = await waitingApp();
      app.ctx.db.raw.prepare('UPDATE requests SET status = ?').run(status);
      expect(await check(app, waiting)).toEqual({ type: 'error', key: 'not_waiting_signature', params: {} });
      expect(app.sandbox.state().counters.calls['signature.get']).toBeUndefined();
    },
  );
});

test('rule 2: a request without contract gives contract_not_found', async () => {
  const app = await startApp();
  const request = await app.addRequest(undefined, { status: 'WAITING_SIGNATURE' });
  expect(await check(app, { request })).toMatchObject({ type: 'error', key: 'contract_not_found' });
});

test('rule 3: a contract without signId gives no_sign_id', async () => {
  const { app, waiting } = await waitingApp();
  app.ctx.db.raw.prepare('UPDATE contracts SET signUrl = NULL, signId = NULL').run();
  expect(await check(app, waiting)).toMatchObject({ type: 'error', key: 'no_sign_id' });
});

describe('rule 4: the query fails', () => {
  test('a signature that the provider does not know closes the contract, notifies the administrator, and the request keeps waiting', async () => {
    const { app, waiting } = await waitingApp();
    app.sandbox.delete(waiting.signId, { permanent: true });

    expect(await check(app, waiting)).toEqual({
      type: 'error',
      key: 'signature_not_found',
      params: {},
      changed: true,
    });

    expect(app.contract(waiting.request.id).status).toBe('EXPIRED');
    expect(app.request(waiting.request.id).status).toBe('WAITING_SIGNATURE');
    expect(mails(app)).toMatchObject([{ mail: 'contract-ended', reason: 'not_found' }]);
    expect(app.history(waiting.request.id).at(-1)).toBe('contract.ended');
  });

  test.each([
    ['400', 'provider_rejects'],
    ['401', 'provider_refuses_key'],
    ['403', 'provider_forbids'],
    ['404_html', 'provider_unrecognised'],
    ['405', 'provider_answered'],
    ['422', 'provider_rejects'],
    ['429', 'provider_busy'],
    ['500', 'provider_answered'],
    ['503', 'provider_answered'],
    ['reset', 'provider_unavailable'],
    ['timeout', 'provider_unavailable'],
    ['answer_lost', 'provider_unavailable'],
  ])('%s is trouble of the provider, told as %s: nothing changes', async (kind, words) => {
    const { app, waiting } = await waitingApp(patienceWith(kind));
    app.sandbox.faults.add(`signature.get:${kind}`);
    expect(await check(app, waiting)).toMatchObject({ type: 'error', key: 'provider_unavailable', words });
    expectUntouched(app, waiting);
  });

  test('a provider that is not there at all changes nothing', async () => {
    const { app, waiting } = await waitingApp();
    await app.sandbox.close();
    expect(await check(app, waiting)).toMatchObject({ key: 'provider_unavailable' });
    expectUntouched(app, waiting);
  });

  test('an error of our own is not taken for the provider’s', async () => {
    const { app, waiting } = await waitingApp();
    app.sandbox.decline(waiting.signId);
    app.ctx.db.raw.exec(
      "CREATE TRIGGER full BEFORE UPDATE ON contracts BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
    );
    expect(await rejection(check(app, waiting))).toMatchObject({ message: 'the disk is full' });
  });

  test('one short trouble is got over by asking again', async () => {
    const { app, waiting } = await waitingApp();
    app.sandbox.faults.add('signature.get:500:1');
    expect(await check(app, waiting)).toMatchObject({ key: 'check_signature_info.ongoing' });
  });

  test.each<[number, string, boolean?]>([
    [404, 'not_found'],
    [404, 'unavailable', false],
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [429, 'rate_limited'],
    [400, 'rejected'],
    [422, 'rejected'],
    [400, 'unavailable', false],
    [302, 'unavailable'],
    [408, 'unavailable'],
    [409, 'unavailable'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])('of the answers only its own 404 means gone: %d is %s', (status, failure, isOwnError = true) => {
    expect(failureOf({ status, type: isOwnError ? 'a.word' : undefined })).toBe(failure);
  });
});

describe('rule 5: done', () => {
  test('brings everything into line and makes the payment session at once', async () => {
    const { app, waiting } = await waitingApp();
    app.clock.advance(MINUTE);
    app.sandbox.sign(waiting.signId);

    expect(await check(app, waiting)).toEqual({
      type: 'success',
      key: 'check_signature_success',
      params: {},
      changed: true,
    });

    const request = app.request(waiting.request.id);
    expect(request.status).toBe('WAITING_PAYMENT');
    expect(request.paymentId).toBe(app.sandbox.state().sessions[0]?.id);
    expect(request.paymentUrl).toBe(app.sandbox.state().sessions[0]?.url);
    expect(app.contract(request.id)).toMatchObject({
      status: 'SIGNED',
      signedAt: '2026-03-02T09:15:07.000Z',
    });
    expect(existsSync(signedPdf(app, waiting))).toBe(true);
    expect(mails(app).map(({ mail }) => mail)).toEqual(['contract-signed', 'admin-signed', 'payment-link']);
  });

  test('names the person who checked in the history', async () => {
    const { app, waiting } = await waitingApp();
    app.sandbox.sign(waiting.signId);
    await check(app, waiting);
    const moved = app.ctx.db.raw.prepare("SELECT actor FROM history WHERE what = 'contract.signed'").get();
    expect(moved).toEqual({ actor: 'user:tester@example.org' });
  });

  test('payment_creation_failed: the signature counts, and the payment job goes through its retries', async () => {
    const { app, waiting } = await waitingApp();
    app.sandbox.sign(waiting.signId);
    app.sandbox.faults.add('payment.create:500:1');

    expect(await check(app, waiting)).toMatchObject({ type: 'error', key: 'payment_creation_failed' });
    expect(app.request(waiting.request.id)).toMatchObject({ status: 'WAITING_PAYMENT', paymentUrl: null });
    expect(app.jobs('create-payment-session')).toMatchObject([
      { state: 'available', attempt: 1, runAt: '2026-03-02T09:14:08.250Z' },
    ]);

    app.clock.advance(1_000);
    await app.drain();
    expect(app.request(waiting.request.id).paymentUrl).toContain('/pay/');
    expect(app.jobs('create-payment-session')).toMatchObject([{ state: 'completed', attempt: 2 }]);
  });

  test.each(['pdf:empty', 'pdf:truncated', 'signature.download:404', 'signature.download:500'])(
    'a document that does not come (%s) is trouble of the provider: nothing changes, the contract least of all',
    async (fault) => {
      const { app, waiting } = await waitingApp();
      app.sandbox.sign(waiting.signId);
      app.sandbox.faults.add(fault);
      expect(await check(app, waiting)).toMatchObject({ type: 'error', key: 'provider_unavailable' });
      expectUntouched(app, waiting);
      expect(existsSync(signedPdf(app, waiting))).toBe(false);
    },
  );

  test('check and webhook at the same time complete once', async () => {
    const { app, waiting } = await waitingApp();
    app.sandbox.sign(waiting.signId);
    const [checked, status] = await Promise.all([check(app, waiting), deliver(app, waiting.signId)]);
    await app.drain();

    const winners = [checked.type === 'success', status === 200].filter(Boolean);
    expect(winners).toHaveLength(1);
    expect(app.request(waiting.request.id).status).toBe('WAITING_PAYMENT');
    expect(mails(app)).toHaveLength(3);
    expect(app.sandbox.state().sessions).toHaveLength(1);
    expect(app.history(waiting.request.id).filter((what) => what === 'contract.signed')).toHaveLength(1);
  });

  test('five checks at the same time complete once', async () => {
    const { app, waiting } = await waitingApp();
    app.sandbox.sign(waiting.signId);
    const keys = (await Promise.all([1, 2, 3, 4, 5].map(() => check(app, waiting)))).map(({ key }) => key);
    expect(keys.sort()).toEqual(['check_signature_success', ...Array(4).fill('not_waiting_signature')]);
    expect(app.sandbox.state().counters.calls['payment.create']).toBe(1);
  });

  test('a completion that a webhook left waiting is done by the check, and its job then finds nothing to do', async () => {
    const { app, waiting } = await waitingApp();
    app.sandbox.sign(waiting.signId);
    app.sandbox.faults.add('signature.download:404:1');
    expect(await deliver(app, waiting.signId)).toBe(202);
    await app.ctx.jobs.idle();

    expect(await check(app, waiting)).toMatchObject({ type: 'success' });
    app.clock.advance(MINUTE);
    await app.drain();
    expect(app.jobs('complete-signature')).toMatchObject([{ state: 'completed', attempt: 2 }]);
    expect(mails(app)).toHaveLength(3);
    expect(app.ctx.db.raw.prepare('SELECT state, outcome FROM inbox').all()).toEqual([
      { state: 'done', outcome: 'completed' },
    ]);
  });
});

test('rule 6: ongoing is reported, and nothing changes', async () => {
  const { app, waiting } = await waitingApp();
  const before = writes(app);
  expect(await check(app, waiting)).toEqual({
    type: 'info',
    key: 'check_signature_info.ongoing',
    params: {},
  });
  expect(writes(app)).toEqual(before);
});

test('a check with a reason is in the history, with its answer, although nothing changed', async () => {
  const { app, waiting } = await waitingApp();
  await checkSignature(app.ctx, waiting.request.id, { actor: TESTER, reason: 'the customer called' });
  const { detail } = app.ctx.db.raw
    .prepare("SELECT detail FROM history WHERE what = 'signature.checked'")
    .get() as { detail: string };
  expect(JSON.parse(detail)).toEqual({
    answer: 'check_signature_info.ongoing',
    reason: 'the customer called',
  });
});

test.each([
  [
    'has another name',
    "UPDATE contracts SET externalId = 'other', signId = NULL, signUrl = NULL, sending = 'unsent'",
  ],
  ['has another document', "UPDATE contracts SET signId = 'other'"],
  ['is deleted', 'DELETE FROM history; DELETE FROM contracts'],
])(
  'a contract that %s since the provider was asked is not given the document of before',
  async (_, happen) => {
    const { app, waiting } = await waitingApp();
    app.ctx.db.raw.exec('UPDATE contracts SET signerEmail = NULL');
    const asked = app.contract(waiting.request.id);
    const state = await app.ctx.provider.getSignatureStatus({ ...asked, signId: waiting.signId });
    app.ctx.db.raw.exec(happen);
    const contracts = () => app.ctx.db.raw.prepare('SELECT * FROM contracts').all();
    const before = contracts();
    await reconcile(app.ctx, asked.id, { actor: TESTER, listed: state, isOwnWork: true });
    expect(contracts()).toEqual(before);
  },
);

test('rule 7: expired closes the contract without a mail; the request keeps waiting', async () => {
  const { app, waiting } = await waitingApp();
  app.sandbox.expire(waiting.signId);
  expect(await check(app, waiting)).toEqual({
    type: 'info',
    key: 'check_signature_info.expired',
    params: {},
    changed: true,
  });
  expect(app.contract(waiting.request.id).status).toBe('EXPIRED');
  expect(app.request(waiting.request.id).status).toBe('WAITING_SIGNATURE');
  expect(app.jobs()).toEqual([]);
});

describe('rule 8: the message names any other status', () => {
  const ends: [string, (sandbox: Sandbox, signId: string) => unknown][] = [
    ['declined', (sandbox, id) => sandbox.decline(id, { reason: 'Too dear' })],
    ['canceled', (sandbox, id) => sandbox.cancel(id)],
    ['rejected', (sandbox, id) => sandbox.reject(id)],
    ['deleted', (sandbox, id) => sandbox.delete(id)],
  ];

  test.each(ends)('%s closes the contract and notifies the administrator, once', async (word, act) => {
    const { app, waiting } = await waitingApp();
    act(app.sandbox, waiting.signId);
    const told: CheckResult = { type: 'info', key: 'check_signature_info.status', params: { status: word } };

    expect(await check(app, waiting)).toEqual({ ...told, changed: true });
    expect(await check(app, waiting)).toEqual(told);

    expect(app.contract(waiting.request.id).status).toBe('EXPIRED');
    expect(app.request(waiting.request.id).status).toBe('WAITING_SIGNATURE');
    expect(mails(app)).toMatchObject([{ mail: 'contract-ended', reason: word }]);
  });

  test('the words of a customer who declined go to the administrator', async () => {
    const { app, waiting } = await waitingApp();
    app.sandbox.decline(waiting.signId, { reason: 'Too dear' });
    await check(app, waiting);
    expect(mails(app)).toMatchObject([{ declineReason: 'Too dear' }]);
  });

  test.each(['draft', 'approval', 'paused', 'a word of next year'])('%s changes nothing', async (status) => {
    const { app, waiting } = await waitingApp();
    app.sandbox.setStatus(waiting.signId, status);
    const before = writes(app);
    expect(await check(app, waiting)).toEqual({
      type: 'info',
      key: 'check_signature_info.status',
      params: { status },
    });
    expect(writes(app)).toEqual(before);
  });
});

describe('contract_expired: the provider’s clock decides', () => {
  test('signed after the last moment: refused, told to the administrator once, nothing moved', async () => {
    const { app, waiting } = await waitingApp();
    app.sandbox.sign(waiting.signId, { completedAt: '2026-04-02T00:00:00Z' });
    app.clock.set('2026-04-02T20:00:00.000Z');

    expect(await check(app, waiting)).toMatchObject({ type: 'error', key: 'contract_expired' });
    expect(await check(app, waiting)).toMatchObject({ type: 'error', key: 'contract_expired' });

    expect(app.request(waiting.request.id).status).toBe('WAITING_SIGNATURE');
    expect(mails(app)).toMatchObject([{ mail: 'signed-late', signedAt: '2026-04-02T00:00:00.000Z' }]);
    expect(app.history(waiting.request.id).filter((what) => what === 'contract.signed_late')).toHaveLength(1);
  });

  test('signed in the last second and checked days later: completed, although the contract is EXPIRED here', async () => {
    const { app, waiting } = await waitingApp();
    app.clock.advance(29 * DAY);
    app.sandbox.sign(waiting.signId, { completedAt: '2026-04-01T23:59:59Z' });
    app.clock.advance(5 * DAY);
    app.ctx.db.raw.prepare("UPDATE contracts SET status = 'EXPIRED'").run();

    expect(await check(app, waiting)).toMatchObject({ type: 'success' });
    expect(app.contract(waiting.request.id)).toMatchObject({
      status: 'SIGNED',
      signedAt: '2026-04-01T23:59:59.000Z',
    });
  });
});

describe('dry run', () => {
  const states: [string, (sandbox: Sandbox, signId: string) => unknown, string][] = [
    ['done', (sandbox, id) => sandbox.sign(id), 'check_signature_success'],
    ['ongoing', () => undefined, 'check_signature_info.ongoing'],
    ['expired', (sandbox, id) => sandbox.expire(id), 'check_signature_info.expired'],
    ['declined', (sandbox, id) => sandbox.decline(id), 'check_signature_info.status'],
    ['gone', (sandbox, id) => sandbox.delete(id, { permanent: true }), 'signature_not_found'],
  ];

  test.each(states)('%s: shows what would happen and writes nothing', async (_, act, key) => {
    const { app, waiting } = await waitingApp();
    act(app.sandbox, waiting.signId);
    const before = writes(app);
    expect(await check(app, waiting, true)).toMatchObject({ key });
    expect(writes(app)).toEqual(before);
    expect(app.sandbox.state().sessions).toEqual([]);
    expect(existsSync(signedPdf(app, waiting))).toBe(false);
  });

  test('foresees contract_expired too', async () => {
    const { app, waiting } = await waitingApp();
    app.sandbox.sign(waiting.signId, { completedAt: '2026-04-02T00:00:00Z' });
    app.clock.set('2026-04-02T20:00:00.000Z');
    expect(await check(app, waiting, true)).toMatchObject({ key: 'contract_expired' });
  });
});

test('only the newest contract is checked', async () => {
  const { app, waiting } = await waitingApp();
  await resetSignature(app.ctx, waiting.request.id, { actor: TESTER });
  app.sandbox.setStatus(waiting.signId, 'ongoing');
  app.sandbox.sign(waiting.signId);
  expect(await check(app, waiting)).toMatchObject({ key: 'check_signature_info.ongoing' });
});
