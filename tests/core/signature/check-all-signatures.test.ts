/** Bulk check: one list call for a hundred contracts, and one that fails stops no other. */
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { SCHEDULE } from '../../../src/core/actor.js';
import { change } from '../../../src/core/change.js';
import { Round } from '../../../src/core/calls/round.js';
import {
  checkAllSignatures,
  type BulkCheckOptions,
} from '../../../src/core/signature/check-all-signatures.js';
import { listedSignatures } from '../../../src/core/signature/listed-signatures.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import {
  rememberUnknown,
  settleUnknown,
  findOpenUnknown,
  listOpenUnknown,
} from '../../../src/core/signature/unknown-signatures.js';
import { findLastRun, findPlace, setPlace } from '../../../src/db/installation/runs.js';
import {
  rejection,
  startApp,
  TESTER,
  type AppOptions,
  type TestApp,
  type Waiting,
} from '../../support/app.js';
import { MINUTE } from '../../support/clock.js';
import { deliver } from '../../support/webhooks.js';

async function waitingApp(count: number, options: AppOptions = {}) {
  const app = await startApp(options);
  const waiting = await Promise.all(Array.from({ length: count }, () => app.waitingRequest()));
  return { app, waiting: waiting as [Waiting, Waiting, Waiting, ...Waiting[]] };
}

const checkAll = (app: TestApp, options: Partial<BulkCheckOptions> = {}) =>
  checkAllSignatures(app.ctx, { actor: TESTER, ...options });

const calls = (app: TestApp) => app.sandbox.state().counters.calls;
const writes = (app: TestApp) => app.ctx.db.raw.prepare('SELECT total_changes() AS n').get();
const statuses = (app: TestApp, waiting: readonly Waiting[]) =>
  waiting.map(({ request: { id } }) => [app.request(id).status, app.contract(id).status].join(' '));

describe('the provider’s list', () => {
  test('105 waiting contracts cost two list calls and no call of their own', async () => {
    const { app, waiting } = await waitingApp(105);
    app.sandbox.sign(waiting[0].signId);
    app.sandbox.decline(waiting[1].signId);

    const result = await checkAll(app);

    expect(result).toMatchObject({ checked: 105, changed: 2, failed: 0 });
    expect(calls(app)).toMatchObject({ 'signature.list': 2, 'signature.download': 1, 'payment.create': 1 });
    expect(calls(app)['signature.get']).toBeUndefined();
    expect(app.request(waiting[0].request.id).status).toBe('WAITING_PAYMENT');
  });

  test('is read no further than the last contract that waits here', async () => {
    const { app } = await waitingApp(2);
    await checkAll(app);
    expect(calls(app)['signature.list']).toBe(1);
  });

  test('is not asked for when nothing waits', async () => {
    const app = await startApp();
    await app.addRequest();
    expect(await checkAll(app)).toEqual({ checked: 0, changed: 0, failed: 0, results: [] });
    expect(calls(app)).toEqual({});
  });

  test('that lacks a contract leads to one question of its own: gone means closed', async () => {
    const { app, waiting } = await waitingApp(3);
    app.sandbox.delete(waiting[1].signId, { permanent: true });

    const result = await checkAll(app);

    expect(result).toMatchObject({ checked: 3, changed: 1, failed: 0 });
    expect(result.results.at(-1)).toMatchObject({ key: 'signature_not_found', changed: true });
    expect(calls(app)['signature.get']).toBe(1);
    expect(statuses(app, waiting)).toEqual([
      'WAITING_SIGNATURE PENDING',
      'WAITING_SIGNATURE EXPIRED',
      'WAITING_SIGNATURE PENDING',
    ]);
  });
});

test('every state is applied as by the manual check', async () => {
  const { app, waiting } = await waitingApp(8);
  const ids = waiting.map(({ signId }) => signId) as [string, string, string, string, string, string, string];
  app.sandbox.sign(ids[0]);
  app.sandbox.expire(ids[1]);
  app.sandbox.decline(ids[2]);
  app.sandbox.cancel(ids[3]);
  app.sandbox.reject(ids[4]);
  app.sandbox.delete(ids[5]);
  app.sandbox.setStatus(ids[6], 'paused');

  const { checked, changed, failed, results } = await checkAll(app);

  expect({ checked, changed, failed }).toEqual({ checked: 8, changed: 6, failed: 0 });
  const told = results
    .sort((a, b) => a.requestId - b.requestId)
    .map(({ key, params, changed: isChanged }) => [key, params['status'], isChanged]);
  expect(told).toEqual([
    ['check_signature_success', undefined, true],
    ['check_signature_info.expired', undefined, true],
    ['check_signature_info.status', 'declined', true],
    ['check_signature_info.status', 'canceled', true],
    ['check_signature_info.status', 'rejected', true],
    ['check_signature_info.status', 'deleted', true],
    ['check_signature_info.status', 'paused', false],
    ['check_signature_info.ongoing', undefined, false],
  ]);
  expect(statuses(app, waiting)).toEqual([
    'WAITING_PAYMENT SIGNED',
    ...Array(5).fill('WAITING_SIGNATURE EXPIRED'),
    ...Array(2).fill('WAITING_SIGNATURE PENDING'),
  ]);

  const asked = calls(app)['signature.signer_get'];
  expect(await checkAll(app)).toMatchObject({ checked: 7, changed: 0 });
  expect(calls(app)['signature.signer_get'], 'what is over here needs no proof').toBe(asked);
});

describe('failures', () => {
  test('one contract whose document does not come stops no other', async () => {
    const { app, waiting } = await waitingApp(3);
    for (const { signId } of waiting) app.sandbox.sign(signId);
    app.sandbox.faults.add('signature.download:404:1');

    const result = await checkAll(app);

    expect(result).toMatchObject({ checked: 3, changed: 2, failed: 1 });
    expect(result.results.filter(({ type }) => type === 'error')).toMatchObject([
      { key: 'provider_unavailable', changed: false, params: { error: expect.stringContaining('404') } },
    ]);
    expect(statuses(app, waiting).filter((status) => status === 'WAITING_PAYMENT SIGNED')).toHaveLength(2);
  });

  test('a payment session that cannot be made counts as failed, the signature as changed', async () => {
    const { app, waiting } = await waitingApp(1);
    app.sandbox.sign(waiting[0].signId);
    app.sandbox.faults.add('payment.create:500:1');
    expect(await checkAll(app)).toMatchObject({ checked: 1, changed: 1, failed: 1 });
    expect(app.request(waiting[0].request.id).status).toBe('WAITING_PAYMENT');
  });

  test.each(['401', '429', '500', 'reset'])(
    'a provider that answers with %s is reported by an error; nothing is changed and no run is noted',
    async (kind) => {
      const { app, waiting } = await waitingApp(2);
      app.sandbox.sign(waiting[0].signId);
      app.sandbox.faults.add(`signature:${kind}`);
      const known = () => [statuses(app, waiting), app.history(waiting[0].request.id)];
      const before = known();

      const pause = async () => undefined;
      expect((await rejection(checkAll(app, { pause }))).name).toBe('ProviderError');
      expect(known()).toEqual(before);
      expect(findLastRun(app.ctx.db, { name: 'reconcile' })).toBeUndefined();
    },
  );

  test('a list that cannot be read at all: the contracts are asked for one by one, and it is no good run', async () => {
    const { app, waiting } = await waitingApp(3);
    app.sandbox.sign(waiting[2].signId);
    app.sandbox.faults.add('signature.list:500');
    expect(await checkAll(app)).toMatchObject({
      checked: 3,
      changed: 1,
      failed: 0,
      brokeOff: true,
      trouble: 'broke off: the list: signature provider answered 500 (Something wrong occurred.)',
    });
    expect(app.request(waiting[2].request.id).status).toBe('WAITING_PAYMENT');
    expect(findLastRun(app.ctx.db, { name: 'reconcile' })).toBeUndefined();
  });

  test('one contract that fails for ever stops no other, and the run is no good one until it is answered', async () => {
    const { app, waiting } = await waitingApp(4);
    for (const { signId } of waiting) app.sandbox.sign(signId);
    const { request, signId } = waiting[1];
    app.sandbox.faults.add(`signature.download~${signId}:500`);
    expect(await checkAll(app)).toMatchObject({
      checked: 4,
      changed: 3,
      failed: 1,
      trouble: `request ${request.id}: signature provider answered 500 (Something wrong occurred.)`,
    });
    expect(findLastRun(app.ctx.db, { name: 'reconcile' })).toBeUndefined();
    app.sandbox.faults.clear();
    expect(await checkAll(app)).toMatchObject({ checked: 1, changed: 1, failed: 0 });
    expect(findLastRun(app.ctx.db, { name: 'reconcile' })).toBeDefined();
  });
});

describe('a list of several pages', () => {
  /** The oldest contract is on the second page, the newest on the first. */
  async function twoPagesWaiting() {
    const { app, waiting } = await waitingApp(1);
    app.clock.advance(MINUTE);
    await addTheirs(app, 100);
    app.clock.advance(MINUTE);
    const newest = await app.waitingRequest();
    for (const { signId } of [waiting[0], newest]) app.sandbox.sign(signId);
    return { app, oldest: waiting[0].request.id, newest: newest.request.id };
  }
  const pause = async () => undefined;

  test('of which one cannot be read: what is on it is asked for one by one', async () => {
    const { app, oldest, newest } = await twoPagesWaiting();
    app.sandbox.faults.add('signature.list@2:500');
    expect(await checkAll(app)).toMatchObject({ checked: 2, changed: 2, brokeOff: true });
    expect([app.request(oldest).status, app.request(newest).status]).toEqual(
      Array(2).fill('WAITING_PAYMENT'),
    );
  });

  test('whose limit lasts: the next check begins behind the page that was read, then reads the first again', async () => {
    const { app, oldest, newest } = await twoPagesWaiting();
    for (const call of ['list@2', 'get']) app.sandbox.faults.add(`signature.${call}:429:4`);
    const first = await checkAll(app, { pause });
    expect(first).toMatchObject({ checked: 2, changed: 1, failed: 1, brokeOff: true });
    expect(first.trouble).toContain('429');
    expect([app.request(oldest).status, app.request(newest).status]).toEqual([
      'WAITING_SIGNATURE',
      'WAITING_PAYMENT',
    ]);
    expect(findLastRun(app.ctx.db, { name: 'reconcile' })).toBeUndefined();
    expect(findPlace(app.ctx.db, 'list')).toBeDefined();

    app.clock.advance(MINUTE);
    const later = await app.waitingRequest();
    const before = calls(app)['signature.list'] ?? 0;
    const seen: string[] = [];
    expect(await checkAll(app, { pause, onListed: ({ signId }) => seen.push(signId) })).toMatchObject({
      checked: 2,
      changed: 1,
      failed: 0,
    });
    expect(seen.slice(0, 2), 'the second page comes first').toContain(app.contract(oldest).signId);
    expect(seen).toContain(later.signId);
    expect(new Set(seen).size, 'nothing is read twice').toBe(seen.length);
    expect((calls(app)['signature.list'] ?? 0) - before).toBe(2);
    expect(findPlace(app.ctx.db, 'list')).toBeUndefined();
    expect(findLastRun(app.ctx.db, { name: 'reconcile' })).toBeDefined();
  });

  test('a place that leads nowhere any more is ignored', async () => {
    const { app } = await twoPagesWaiting();
    await app.ctx.writer.write((db) => setPlace(db, 'list', 'no cursor'));
    expect(await checkAll(app)).toMatchObject({ checked: 2, changed: 2, failed: 0 });
    expect(findPlace(app.ctx.db, 'list')).toBeUndefined();
  });

  test('that gives its first page again under new cursors ends; what it lacks is asked for', async () => {
    const { app, oldest } = await twoPagesWaiting();
    app.sandbox.faults.add('signature.list@2:first_page');
    expect(await checkAll(app)).toMatchObject({ checked: 2, changed: 2, failed: 0 });
    expect(calls(app)['signature.list']).toBe(2);
    expect(app.request(oldest).status).toBe('WAITING_PAYMENT');
  });
});

describe('resets and runs', () => {
  test('a reset that stopped half-way is resumed, with one signature request in the end', async () => {
    const { app, waiting } = await waitingApp(2);
    const { request } = waiting[0];
    app.sandbox.faults.add('signature.activate:500:1');
    await rejection(resetSignature(app.ctx, request.id, { actor: TESTER }));
    const begun = app.contract(request.id);
    expect(begun).toMatchObject({ status: 'PENDING', signUrl: null });

    const result = await checkAll(app);

    expect(result).toMatchObject({ checked: 2, changed: 1, failed: 0 });
    expect(app.contract(request.id)).toMatchObject({
      id: begun.id,
      signUrl: expect.stringContaining('/sign/'),
    });
    const there = app.sandbox.state().signatureRequests.filter(({ status }) => status === 'ongoing');
    expect(there.map(({ external_id }) => external_id).sort()).toEqual(
      [waiting[1].contract.externalId, begun.externalId].sort(),
    );
  });

  test('a reset whose customer signed before our retry is taken over and completed at once', async () => {
    const { app, waiting } = await waitingApp(1);
    const { request } = waiting[0];
    app.sandbox.faults.add('signature.activate:answer_lost:1');
    await rejection(resetSignature(app.ctx, request.id, { actor: TESTER }));
    app.sandbox.sign(app.contract(request.id).signId as string);

    expect(await checkAll(app)).toMatchObject({ checked: 1, changed: 1, failed: 0 });
    expect(app.request(request.id).status).toBe('WAITING_PAYMENT');
    expect(calls(app)['signature.create']).toBe(2);
  });

  test('a run is noted with its numbers', async () => {
    const { app } = await waitingApp(2);
    await checkAll(app);
    expect(findLastRun(app.ctx.db, { name: 'reconcile' })).toMatchObject({
      startedAt: '2026-03-02T09:14:07.250Z',
      result: '{"checked":2,"changed":0,"failed":0}',
    });
  });

  test('a dry run shows what would change and writes nothing, not even the run', async () => {
    const { app, waiting } = await waitingApp(3);
    app.sandbox.sign(waiting[0].signId);
    app.sandbox.decline(waiting[1].signId);
    const before = writes(app);
    expect(await checkAll(app, { dryRun: true })).toMatchObject({ checked: 3, changed: 2, failed: 0 });
    expect(writes(app)).toEqual(before);
    expect(statuses(app, waiting)).toEqual(Array(3).fill('WAITING_SIGNATURE PENDING'));
  });

  test('progress is told after each contract', async () => {
    const { app } = await waitingApp(3);
    const seen: string[] = [];
    await checkAll(app, { onProgress: (done, total) => seen.push(`${done}/${total}`) });
    expect(seen).toEqual(['1/3', '2/3', '3/3']);
  });

  test('an interruption ends it after the contract under way', async () => {
    const { app, waiting } = await waitingApp(3);
    for (const { signId } of waiting) app.sandbox.sign(signId);
    const interrupt = new AbortController();
    const result = await checkAll(app, {
      signal: interrupt.signal,
      onProgress: () => interrupt.abort(),
    });
    expect(result).toMatchObject({ checked: 1, changed: 1, failed: 0 });
    expect(statuses(app, waiting).filter((status) => status.includes('SIGNED'))).toHaveLength(1);
  });
});

describe('an interruption', () => {
  test.each<[string, (app: TestApp, waiting: readonly Waiting[]) => void]>([
    [
      'missing in the list',
      ({ sandbox }, waiting) => waiting.forEach(({ signId }) => sandbox.delete(signId, { permanent: true })),
    ],
    ['not known to be sent', ({ ctx }) => void ctx.db.raw.exec("UPDATE contracts SET sending = 'asked'")],
  ])('ends it after the contract under way among those %s', async (_, happen) => {
    const { app, waiting } = await waitingApp(2);
    happen(app, waiting);
    const interrupt = new AbortController();
    const { signal } = interrupt;
    const result = await checkAll(app, { signal, onProgress: () => interrupt.abort() });
    expect(result).toMatchObject({ checked: 1, changed: 1, failed: 0 });
  });

  test('that cuts off a call about a contract leaves that one out: neither checked nor failed', async () => {
    const cut = new AbortController();
    const { app, waiting } = await waitingApp(2, { context: { cut: cut.signal } });
    for (const { signId } of waiting) app.sandbox.delete(signId, { permanent: true });
    const result = await checkAll(app, { onProgress: () => cut.abort() });
    expect(result).toMatchObject({ checked: 1, changed: 1, failed: 0 });
  });

  test('that cuts off the list ends the check, and no run is noted', async () => {
    const cut = new AbortController();
    const { app } = await waitingApp(1, { context: { cut: cut.signal } });
    await addTheirs(app, 99);
    await app.waitingRequest();
    expect((await rejection(checkAll(app, { onListed: () => cut.abort() }))).name).toBe('CallCut');
    expect(findLastRun(app.ctx.db, { name: 'reconcile' })).toBeUndefined();
  });

  test('is no good run, and the next check begins behind the contract under way', async () => {
    const { app, waiting } = await waitingApp(3);
    const interrupt = new AbortController();
    await checkAll(app, { signal: interrupt.signal, onProgress: () => interrupt.abort() });
    expect(findLastRun(app.ctx.db, { name: 'reconcile' })).toBeUndefined();
    const { results } = await checkAll(app);
    const ids = waiting.map(({ request }) => request.id).toSorted((a, b) => a - b);
    expect(results.map(({ requestId }) => requestId)).toEqual([ids[1], ids[2], ids[0]]);
    expect(findLastRun(app.ctx.db, { name: 'reconcile' })).toBeDefined();
  });
});

/** Documents at the provider that are nobody's here. */
async function addTheirs(app: TestApp, count: number) {
  const end = { expirationDate: '2026-12-31', timeZone: 'UTC', locale: 'en' } as const;
  for (let i = 0; i < count; i += 1)
    await app.ctx.provider.createRequest({ name: `Document ${i}`, externalId: `theirs-${i}`, ...end });
}

describe('how far back the list is read', () => {
  /** Documents at the provider that are nobody's here; two pages. */
  async function twoPages(options: AppOptions = {}) {
    const app = await startApp(options);
    await addTheirs(app, 50);
    app.clock.advance(MINUTE);
    await addTheirs(app, 51);
    const times = app.sandbox
      .state()
      .signatureRequests.map(({ created_at: at }) => new Date(at).toISOString());
    return { app, first: times.toSorted()[0] as string, last: times.toSorted().at(-1) as string };
  }
  const read = async (app: TestApp, options: Partial<BulkCheckOptions>) => {
    const seen: string[] = [];
    const before = calls(app)['signature.list'] ?? 0;
    await checkAll(app, { ...options, onListed: ({ signId }) => seen.push(signId) });
    return [(calls(app)['signature.list'] ?? 0) - before, seen.length];
  };

  test('is as far as asked, when nothing waits', async () => {
    const { app, first, last } = await twoPages();
    expect(await read(app, {})).toEqual([0, 0]);
    expect(await read(app, { backTo: new Date(Date.parse(last) + 1).toISOString() })).toEqual([1, 100]);
    // Of the second page comes the first that is older.
    expect(await read(app, { backTo: last })).toEqual([1, 100]);
    expect(await read(app, { backTo: first })).toEqual([2, 101]);
    expect(await read(app, { isWhole: true })).toEqual([2, 101]);
  });

  test('pages follow each other at once while the provider allows it, and after a pause when it does not', async () => {
    const { app } = await twoPages();
    const pauses: number[] = [];
    const pause = async (ms: number) => void pauses.push(ms);
    await checkAll(app, { isWhole: true, pause });
    expect(pauses).toEqual([]);
    app.sandbox.faults.add('signature.list:429:1');
    await checkAll(app, { isWhole: true, pause });
    expect(pauses).toHaveLength(1);
  });

  test('a page after which few calls are left is followed by a pause, before the provider refuses one', async () => {
    const { app } = await twoPages({ sandbox: { rateLimit: { minute: 54, hour: 1_000 } } });
    const pauses: number[] = [];
    await checkAll(app, { isWhole: true, pause: async (ms) => void pauses.push(ms) });
    expect(pauses).toEqual([60_000]);
  });

  test('whoever reads it may end it after as many pages as wanted', async () => {
    const { app } = await twoPages();
    const listed = listedSignatures(app.ctx, new Round(), { isWanted: (pagesRead) => pagesRead < 1 });
    let read = 0;
    for await (const _ of listed) read += 1;
    expect(read).toBe(100);
  });
});

test('contracts that were over before a day are left out; those over since, or without a last day, are asked about', async () => {
  const { app, waiting } = await waitingApp(4);
  const overAt = ['2026-03-01T22:59:59.000Z', '2026-03-02T22:59:59.000Z', null];
  for (const [i, expiredAt] of overAt.entries())
    app.ctx.db.raw
      .prepare("UPDATE contracts SET status = 'EXPIRED', expiredAt = ? WHERE id = ?")
      .run(expiredAt, waiting[i]?.contract.id);
  app.ctx.db.raw
    .prepare('UPDATE contracts SET expiredAt = ? WHERE id = ?')
    .run('2026-01-01T22:59:59.000Z', waiting[3]?.contract.id);
  const checked = async (overSince?: string) =>
    (await checkAll(app, { dryRun: true, overSince })).results
      .map(({ requestId }) => requestId)
      .toSorted((a, b) => a - b);
  const ids = waiting.map(({ request }) => request.id);
  expect(await checked()).toEqual(ids);
  expect(await checked('2026-03-02T22:59:59.000Z')).toEqual(ids.slice(1));
  expect(await checked('2026-03-02T23:00:00.000Z')).toEqual(ids.slice(2));
});

test('the history tells of a check that a person has ordered, with its numbers; not of those by schedule', async () => {
  const { app } = await waitingApp(1);
  const told = () =>
    app.ctx.db.raw
      .prepare("SELECT detail FROM history WHERE what = 'signatures.checked'")
      .pluck()
      .all() as string[];
  await checkAll(app, { actor: SCHEDULE });
  expect(told()).toEqual([]);
  await checkAll(app, { reason: 'a customer has called' });
  expect(told().map((detail) => JSON.parse(detail) as unknown)).toEqual([
    { checked: 1, changed: 0, failed: 0, reason: 'a customer has called' },
  ]);
});

describe('the log', () => {
  async function logged() {
    const lines: { msg: string }[] = [];
    const log = pino(
      { base: null, timestamp: false },
      { write: (line) => void lines.push(JSON.parse(line)) },
    );
    const { app, waiting } = await waitingApp(1, { context: { log } });
    lines.splice(0);
    return {
      app,
      waiting,
      warnings: () => lines.splice(0).filter((line) => 'level' in line && line.level === 40),
    };
  }

  test('names the contract that could not be checked, and why', async () => {
    const { app, waiting, warnings } = await logged();
    app.sandbox.sign(waiting[0].signId);
    app.sandbox.faults.add('signature.download:500');
    await checkAll(app);
    expect(warnings()).toContainEqual({
      level: 40,
      requestId: waiting[0].request.id,
      contractId: waiting[0].contract.id,
      error: expect.stringContaining('500'),
      msg: 'signature could not be checked',
    });
  });

  test('names documents of ours that are unknown here, and says nothing where there are none', async () => {
    const { app, waiting, warnings } = await logged();
    await checkAll(app, { isWhole: true });
    expect(warnings()).toEqual([]);
    const { request, contract, signId } = waiting[0];
    app.ctx.db.raw.prepare('DELETE FROM history WHERE requestId = ?').run(request.id);
    app.ctx.db.raw.prepare('DELETE FROM contracts WHERE id = ?').run(contract.id);
    await checkAll(app, { isWhole: true });
    expect(warnings()).toMatchObject([
      { unknown: [{ signId }], msg: 'signatures of this installation are unknown here' },
    ]);
  });
});

describe('documents of ours that are unknown here', () => {
  const one = { externalId: 'ours', status: 'ongoing', name: 'Boiler', createdAt: null };

  async function remembered(...signIds: string[]) {
    const app = await startApp();
    await change(app.ctx, { actor: TESTER }, (tx) =>
      rememberUnknown(
        tx,
        signIds.map((signId) => ({ ...one, signId })),
        [],
      ),
    );
    return app;
  }

  test('stay when the provider cannot be asked about them, and go when it does not know them', async () => {
    const app = await remembered(
      '00000000-0000-4000-8000-000000000001',
      '00000000-0000-4000-8000-000000000002',
    );
    const open = () => listOpenUnknown(app.ctx.db, 9).length;
    app.sandbox.faults.add('signature.get:500');
    await checkAll(app);
    expect(open()).toBe(2);
    app.sandbox.faults.clear();
    await checkAll(app);
    expect(open()).toBe(0);
  });

  test('are settled one at a time, not by a dry run; drafts are none, since they have reached nobody', async () => {
    const app = await remembered('sr_1', 'sr_2');
    const { db } = app.ctx;
    await change(app.ctx, { actor: TESTER }, (tx) =>
      rememberUnknown(tx, [{ ...one, signId: 'sr_3', status: 'draft' }], []),
    );
    expect(findOpenUnknown(db, 'sr_3')).toBeUndefined();
    await settleUnknown(app.ctx, 'sr_2', { actor: TESTER, dryRun: true });
    expect(findOpenUnknown(db, 'sr_2')?.signId).toBe('sr_2');
    await settleUnknown(app.ctx, 'sr_2', { actor: TESTER, reason: 'withdrawn by telephone' });
    expect(findOpenUnknown(db, 'sr_2')).toBeUndefined();
    expect(findOpenUnknown(db, 'sr_1')?.signId).toBe('sr_1');
    expect(await rejection(settleUnknown(app.ctx, 'sr_2', { actor: TESTER }))).toMatchObject({
      code: 'not_found',
    });
    const detail = db.raw
      .prepare("SELECT detail FROM history WHERE what = 'signature.settled'")
      .pluck()
      .get();
    expect(JSON.parse(detail as string)).toEqual({ signId: 'sr_2', reason: 'withdrawn by telephone' });
  });
});

test('near the provider’s rate limit the client is asked to wait for the next minute', async () => {
  const { app } = await waitingApp(1, { sandbox: { rateLimit: { minute: 7, hour: 100 } } });
  expect((await app.ctx.provider.listSignatures()).waitMs).toBe(60_000);
});

test('a bulk check that comes second to a webhook counts no failure', async () => {
  const app = await startApp();
  const { request, signId } = await app.waitingRequest();
  app.sandbox.sign(signId);

  const [checked] = await Promise.all([
    checkAllSignatures(app.ctx, { actor: TESTER }),
    ...[1, 2, 3].map(() => deliver(app, signId)),
  ]);

  expect(checked).toMatchObject({ checked: 1, failed: 0 });
  expect(app.request(request.id).status).toBe('WAITING_PAYMENT');
});
