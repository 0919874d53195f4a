/** Bulk check: one list call for a hundred contracts, and one that fails stops no other. */
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { SCHEDULE } from '../../../src/core/actor.js';
import { change } from '../../../src/core/change.js';
import { Round } from '../../../src/core/calls/round.js';
import {
  areAllGone,
  checkAllSignatures,
  type BulkCheckOptions,
  type BulkCheckResult,
} from '../../../src/core/signature/check-all-signatures.js';
import type { SignatureState } from '../../../src/core/signature/provider-answers.js';
import { listedSignatures } from '../../../src/core/signature/listed-signatures.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import {
  rememberUnknown,
  settleUnknown,
  findOpenUnknown,
  listOpenUnknown,
  unknownAmong,
} from '../../../src/core/signature/unknown-signatures.js';
import { putHold } from '../../../src/db/installation/installation.js';
import { findLastRun, findPlace, setPlace } from '../../../src/db/installation/runs.js';
import { rejection, startApp, TESTER, type AppOptions, type TestApp } from '../../support/app.js';
import { MINUTE } from '../../support/clock.js';
import { becomes, BY } from '../../support/story.js';
import { deliver } from '../../support/webhooks.js';

/** A contract for each word, of which that has become at the provider. */
async function apart(words: readonly string[], options: AppOptions = {}) {
  const app = await startApp(options);
  const waiting = [];
  for (const word of words) {
    const one = await app.waitingRequest();
    if (word !== 'ongoing') becomes(word)(app.sandbox, one.signId);
    waiting.push(one);
  }
  const ids = waiting.map(({ request }) => request.id);
  const stand = () => ids.map((id) => `${app.request(id).status} ${app.contract(id).status}`);
  return {
    app,
    ids,
    stand,
    signIds: waiting.map(({ signId }) => signId),
    first: waiting[0] as (typeof waiting)[0],
  };
}
const several = (count: number, word: string, options?: AppOptions) =>
  apart(Array<string>(count).fill(word), options);

const checkAll = (app: TestApp, options: Partial<BulkCheckOptions> = {}) =>
  checkAllSignatures(app.ctx, { ...BY, ...options });
const run = (app: TestApp) => findLastRun(app.ctx.db, { name: 'reconcile' });
const calls = (app: TestApp) => app.sandbox.state().counters.calls;
const told = (app: TestApp, what: string) =>
  app.ctx.db.raw
    .prepare('SELECT detail FROM history WHERE what = ?')
    .pluck()
    .all(what)
    .map((detail) => JSON.parse(detail as string) as unknown);
const OPEN = 'WAITING_SIGNATURE PENDING';
const OVER = 'WAITING_SIGNATURE EXPIRED';
const SIGNED = 'WAITING_PAYMENT SIGNED';
const pause = async () => undefined;

/** Documents at the provider that are nobody's here. */
async function addTheirs(app: TestApp, count: number) {
  const end = { expirationDate: '2026-12-31', timeZone: 'UTC', locale: 'en' } as const;
  for (let i = 0; i < count; i += 1)
    await app.ctx.provider.createRequest({ name: `Document ${i}`, externalId: `theirs-${i}`, ...end });
}

test('contracts on two pages of the list cost two calls and none of their own; progress is told after each', async () => {
  const { app, stand } = await apart(['signed', 'declined', 'ongoing']);
  await addTheirs(app, 98);
  const seen: string[] = [];
  const onProgress = (done: number, total: number) => seen.push(`${done}/${total}`);
  expect(await checkAll(app, { onProgress })).toMatchObject({ checked: 3, changed: 2, failed: 0 });
  expect(seen).toEqual(['1/3', '2/3', '3/3']);
  expect(calls(app)).toMatchObject({ 'signature.list': 2, 'signature.download': 1, 'payment.create': 1 });
  expect(calls(app)['signature.get']).toBeUndefined();
  expect(stand()).toEqual([SIGNED, OVER, OPEN]);
});

test('the list is not asked for when nothing waits, and read no further than the last contract that does', async () => {
  const app = await startApp();
  await app.addRequest();
  expect(await checkAll(app)).toEqual({ checked: 0, changed: 0, failed: 0, results: [] });
  expect(calls(app)).toEqual({});
  await app.waitingRequest();
  await checkAll(app);
  expect(calls(app)['signature.list']).toBe(1);
});

test('every state is applied as by the manual check; what the list lacks is asked for once: gone means closed', async () => {
  const ENDS = ['expired', 'declined', 'canceled', 'rejected', 'deleted', 'gone'];
  const { app, ids, stand } = await apart(['signed', ...ENDS, 'paused', 'ongoing']);
  const { results, ...counts } = await checkAll(app);

  expect(counts).toEqual({ checked: 9, changed: 7, failed: 0 });
  const words = ids.map((id) => {
    const { key, params, changed } = results.find(({ requestId }) => requestId === id) ?? {};
    return [key?.replace('check_signature_', ''), params?.['status'], changed];
  });
  expect(words).toEqual([
    ['success', undefined, true],
    ['info.expired', undefined, true],
    ['info.status', 'declined', true],
    ['info.status', 'canceled', true],
    ['info.status', 'rejected', true],
    ['info.status', 'deleted', true],
    ['signature_not_found', undefined, true],
    ['info.status', 'paused', false],
    ['info.ongoing', undefined, false],
  ]);
  expect(stand()).toEqual([SIGNED, ...ENDS.map(() => OVER), OPEN, OPEN]);
  expect(calls(app)['signature.get']).toBe(1);

  const asked = calls(app)['signature.signer_get'];
  expect(await checkAll(app)).toMatchObject({ checked: 8, changed: 0 });
  // What is over here needs no proof; only what the list lacks is asked for again.
  expect(calls(app)['signature.signer_get']).toBe((asked ?? 0) + 1);
});

describe('failures', () => {
  test('a payment session that cannot be made counts as failed, the signature as changed', async () => {
    const { app, stand } = await apart(['signed']);
    app.sandbox.faults.add('payment.create:500:1');
    expect(await checkAll(app)).toMatchObject({ checked: 1, changed: 1, failed: 1 });
    expect(stand()).toEqual([SIGNED]);
  });

  test.each(['400', '401', '429', '500'])(
    'a provider that answers with %s is reported by an error; nothing is changed and no run is noted',
    async (kind) => {
      const { app, ids, stand } = await apart(['signed', 'ongoing']);
      app.sandbox.faults.add(`signature:${kind}`);
      const known = () => [stand(), ...ids.map((id) => app.history(id))];
      const before = known();
      expect((await rejection(checkAll(app, { pause }))).name).toBe('ProviderError');
      expect([known(), run(app)]).toEqual([before, undefined]);
    },
  );

  test('a list that cannot be read at all: the contracts are asked for one by one, and it is no good run', async () => {
    const { app, stand } = await apart(['ongoing', 'signed']);
    app.sandbox.faults.add('signature.list:500');
    const trouble = 'broke off: the list: signature provider answered 500 (Something wrong occurred.)';
    const found = { checked: 2, changed: 1, failed: 0, brokeOff: true, trouble };
    expect(await checkAll(app)).toMatchObject(found);
    expect(stand()).toEqual([OPEN, SIGNED]);
    expect(run(app)).toBeUndefined();
  });

  test('a fault of our own is told as one, and stops no other', async () => {
    const { app, ids } = await apart(['declined', 'ongoing']);
    const full = "CREATE TRIGGER full BEFORE UPDATE ON contracts BEGIN SELECT RAISE(ABORT, 'disk full'); END";
    app.ctx.db.raw.exec(full);
    const { results } = await checkAll(app);
    const fault = { requestId: ids[0], key: 'check_failed', type: 'error', params: { error: 'disk full' } };
    expect(results).toMatchObject([fault, { type: 'info' }]);
  });

  test('one contract that fails for ever stops no other, and the run is no good one until it is answered', async () => {
    const { app, ids, signIds, stand } = await several(3, 'signed');
    app.sandbox.faults.add(`signature.download~${signIds[1]}:500`);
    const trouble = `request ${ids[1]}: signature provider answered 500 (Something wrong occurred.)`;
    const { results, ...found } = await checkAll(app);
    expect(found).toEqual({ checked: 3, changed: 2, failed: 1, trouble });
    const error = expect.stringContaining('500') as string;
    const failed = { key: 'provider_unavailable', class: 'failed', changed: false, params: { error } };
    expect(results.filter(({ type }) => type === 'error')).toMatchObject([failed]);
    expect(stand()).toEqual([SIGNED, OPEN, SIGNED]);
    expect(run(app)).toBeUndefined();
    app.sandbox.faults.clear();
    expect(await checkAll(app)).toMatchObject({ checked: 1, changed: 1, failed: 0 });
    expect(run(app)).toBeDefined();
  });
});

describe('a list of several pages', () => {
  /** The oldest contract is on the second page, the newest on the first. */
  async function twoPagesWaiting() {
    const { app, first: oldest } = await apart(['signed']);
    app.clock.advance(MINUTE);
    await addTheirs(app, 100);
    app.clock.advance(MINUTE);
    const newest = await app.waitingRequest();
    app.sandbox.sign(newest.signId);
    const stand = () => [oldest, newest].map(({ request }) => app.request(request.id).status);
    return { app, oldest, stand };
  }
  const BOTH = ['WAITING_PAYMENT', 'WAITING_PAYMENT'];

  test('of which one cannot be read: what is on it is asked for one by one', async () => {
    const { app, stand } = await twoPagesWaiting();
    app.sandbox.faults.add('signature.list@2:500');
    expect(await checkAll(app)).toMatchObject({ checked: 2, changed: 2, brokeOff: true });
    expect(stand()).toEqual(BOTH);
    // It is tried first the next time, and after that the list is read from its beginning.
    expect(findPlace(app.ctx.db, 'list')).toBeDefined();
    await app.waitingRequest();
    expect(await checkAll(app)).toMatchObject({ checked: 1, failed: 0, brokeOff: true });
    expect(findPlace(app.ctx.db, 'list')).toBeUndefined();
  });

  test('whose limit lasts: the next check begins behind the page that was read, then reads the first again', async () => {
    const { app, oldest, stand } = await twoPagesWaiting();
    for (const call of ['list@2', 'get']) app.sandbox.faults.add(`signature.${call}:429:4`);
    const broken = await checkAll(app, { pause });
    expect(broken).toMatchObject({ checked: 2, changed: 1, failed: 1, brokeOff: true });
    expect(broken.trouble).toContain('429');
    expect([...stand(), run(app)]).toEqual(['WAITING_SIGNATURE', 'WAITING_PAYMENT', undefined]);
    expect(findPlace(app.ctx.db, 'list')).toBeDefined();

    app.clock.advance(MINUTE);
    const later = await app.waitingRequest();
    const before = calls(app)['signature.list'] ?? 0;
    const seen: string[] = [];
    const onListed = ({ signId }: { signId: string }) => seen.push(signId);
    expect(await checkAll(app, { pause, onListed })).toMatchObject({ checked: 2, changed: 1, failed: 0 });
    expect(seen.slice(0, 2), 'the second page comes first').toContain(oldest.signId);
    expect(seen).toContain(later.signId);
    expect(new Set(seen).size, 'nothing is read twice').toBe(seen.length);
    expect((calls(app)['signature.list'] ?? 0) - before).toBe(2);
    expect(findPlace(app.ctx.db, 'list')).toBeUndefined();
    expect(run(app)).toBeDefined();
  });

  test('a place that leads nowhere any more is ignored', async () => {
    const { app } = await twoPagesWaiting();
    await app.ctx.writer.write((db) => setPlace(db, 'list', 'no cursor'));
    expect(await checkAll(app)).not.toHaveProperty('brokeOff');
    expect(run(app)?.result).toBe(JSON.stringify({ checked: 2, changed: 2, failed: 0 }));
    expect(findPlace(app.ctx.db, 'list')).toBeUndefined();
  });

  test('that gives its first page again under new cursors ends; what it lacks is asked for', async () => {
    const { app, stand } = await twoPagesWaiting();
    app.sandbox.faults.add('signature.list@2:first_page');
    expect(await checkAll(app)).toMatchObject({ checked: 2, changed: 2, failed: 0 });
    expect(calls(app)['signature.list']).toBe(2);
    expect(stand()).toEqual(BOTH);
  });
});

test('a reset that stopped half-way is resumed, with one signature request in the end', async () => {
  const { app, first } = await apart(['ongoing', 'ongoing']);
  const { id } = first.request;
  app.sandbox.faults.add('signature.activate:500:1');
  await rejection(resetSignature(app.ctx, id, BY));
  const begun = app.contract(id);
  expect(begun).toMatchObject({ status: 'PENDING', signUrl: null });
  expect(await checkAll(app)).toMatchObject({ checked: 2, changed: 1, failed: 0 });
  expect(app.contract(id)).toMatchObject({ id: begun.id, signUrl: expect.stringContaining('/sign/') });
  const there = app.sandbox.state().signatureRequests.filter(({ status }) => status === 'ongoing');
  expect(there.map(({ external_id }) => external_id)).toContain(begun.externalId);
  expect(there).toHaveLength(2);
});

test('a run is noted with its numbers; the history tells of one that a person has ordered, not of those by schedule', async () => {
  const { app } = await apart(['ongoing']);
  const numbers = { checked: 1, changed: 0, failed: 0 };
  await checkAll(app, { actor: SCHEDULE });
  expect(told(app, 'signatures.checked')).toEqual([]);
  const startedAt = '2026-03-02T09:14:07.250Z';
  expect(run(app)).toMatchObject({ startedAt, result: JSON.stringify(numbers) });
  await checkAll(app, { reason: 'a customer has called' });
  expect(told(app, 'signatures.checked')).toEqual([{ ...numbers, reason: 'a customer has called' }]);
});

test('a dry run shows what would change and writes nothing, not even the run', async () => {
  const { app, stand } = await apart(['signed', 'declined', 'ongoing']);
  await app.ctx.writer.write((db) => setPlace(db, 'list', 'no cursor'));
  const writes = () => app.ctx.db.raw.prepare('SELECT total_changes()').pluck().get();
  const before = writes();
  expect(await checkAll(app, { dryRun: true })).toMatchObject({ checked: 3, changed: 2, failed: 0 });
  expect(writes()).toEqual(before);
  expect(stand()).toEqual([OPEN, OPEN, OPEN]);
});

describe('an interruption', () => {
  test.each([
    ['that the list shows', 'ongoing', '', [1, 2, 0]],
    ['that are missing in the list', 'gone', '', [1, 2, 0]],
    // The first is known to be sent by then, so it is in the list.
    ['that are not known to be sent', 'ongoing', "UPDATE contracts SET sending = 'asked'", [0, 1, 2]],
  ])(
    'ends it after the contract under way among those %s; the next check begins behind it',
    async (_, word, sql, order) => {
      const { app, ids } = await several(3, word);
      app.ctx.db.raw.exec(sql);
      const interrupt = new AbortController();
      const { signal } = interrupt;
      const { results, ...found } = await checkAll(app, { signal, onProgress: () => interrupt.abort() });
      expect(found).toMatchObject({ checked: 1, failed: 0 });
      expect([results[0]?.requestId, run(app)]).toEqual([ids[0], undefined]);
      const next = await checkAll(app);
      expect(next.results.map(({ requestId }) => ids.indexOf(requestId))).toEqual(order);
      expect(run(app)).toBeDefined();
    },
  );

  test('that cuts off a call about a contract leaves that one out: neither checked nor failed', async () => {
    const cut = new AbortController();
    const { app } = await several(2, 'gone', { context: { cut: cut.signal } });
    const result = await checkAll(app, { onProgress: () => cut.abort() });
    expect(result).toMatchObject({ checked: 1, changed: 1, failed: 0 });
  });

  test('that cuts off the list ends the check, and no run is noted', async () => {
    const cut = new AbortController();
    const { app } = await apart(['ongoing'], { context: { cut: cut.signal } });
    await addTheirs(app, 99);
    await app.waitingRequest();
    expect((await rejection(checkAll(app, { onListed: () => cut.abort() }))).name).toBe('CallCut');
    expect(run(app)).toBeUndefined();
  });
});

describe('how far back the list is read', () => {
  /** Documents at the provider that are nobody's here; two pages. */
  async function twoPages(options: AppOptions = {}) {
    const app = await startApp(options);
    await addTheirs(app, 50);
    app.clock.advance(MINUTE);
    await addTheirs(app, 51);
    const pauses: number[] = [];
    return { app, pauses, pause: async (ms: number) => void pauses.push(ms) };
  }

  test('is as far as asked, when nothing waits', async () => {
    const { app } = await twoPages();
    const times = app.sandbox
      .state()
      .signatureRequests.map(({ created_at }) => Date.parse(created_at))
      .sort();
    const at = (time: number) => new Date(time).toISOString();
    const [first, last] = [Math.min(...times), Math.max(...times)];
    const read = async (options: Partial<BulkCheckOptions>) => {
      let seen = 0;
      const before = calls(app)['signature.list'] ?? 0;
      await checkAll(app, { ...options, onListed: () => (seen += 1) });
      return [(calls(app)['signature.list'] ?? 0) - before, seen];
    };
    expect(await read({})).toEqual([0, 0]);
    // From the newest on, wherever the last check has stopped.
    await app.ctx.writer.write((db) => setPlace(db, 'list', 'no cursor'));
    expect(await read({ backTo: at(last + 1) })).toEqual([1, 100]);
    // Of the second page comes the first that is older.
    expect(await read({ backTo: at(last) })).toEqual([1, 100]);
    expect(await read({ backTo: at(first) })).toEqual([2, 101]);
    expect(await read({ isWhole: true })).toEqual([2, 101]);
  });

  test('pages follow each other at once while the provider allows it, and after a pause when it does not', async () => {
    const { app, pauses, pause } = await twoPages();
    await checkAll(app, { isWhole: true, pause });
    expect(pauses).toEqual([]);
    app.sandbox.faults.add('signature.list:429:1');
    await checkAll(app, { isWhole: true, pause });
    expect(pauses).toHaveLength(1);
  });

  test('a page after which few calls are left is followed by a pause, before the provider refuses one', async () => {
    const { app, pauses, pause } = await twoPages({ sandbox: { rateLimit: { minute: 54, hour: 1_000 } } });
    await checkAll(app, { isWhole: true, pause });
    expect(pauses).toEqual([60_000]);
  });

  test('where the pause would be too long, the check breaks off, and the next one begins at that page', async () => {
    const { app, pause } = await twoPages({ sandbox: { rateLimit: { minute: 54, hour: 1_000 } } });
    const found = await checkAll(app, { isWhole: true, pause, pauseMsMax: 59_000 });
    expect(found).toMatchObject({ brokeOff: true, trouble: expect.stringContaining('used up') as unknown });
    expect(calls(app)['signature.list']).toBe(1);
    expect(findPlace(app.ctx.db, 'list')).toBeDefined();
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
  const { app, ids } = await several(4, 'ongoing');
  const overAt = ['2026-03-01T22:59:59.000Z', '2026-03-02T22:59:59.000Z', null, '2026-01-01T22:59:59.000Z'];
  const set = app.ctx.db.raw.prepare('UPDATE contracts SET status = ?, expiredAt = ? WHERE requestId = ?');
  for (const [i, at] of overAt.entries()) set.run(i < 3 ? 'EXPIRED' : 'PENDING', at, ids[i]);
  const checked = async (overSince?: string) =>
    (await checkAll(app, { dryRun: true, overSince })).results.map(({ requestId }) => requestId).sort();
  expect(await checked()).toEqual(ids);
  expect(await checked('2026-03-02T22:59:59.000Z')).toEqual(ids.slice(1));
  expect(await checked('2026-03-02T23:00:00.000Z')).toEqual(ids.slice(2));
});

test('the log names a contract that could not be checked, and documents of ours that are unknown here; else nothing', async () => {
  const lines: { level: number }[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) });
  const { app, first } = await apart(['ongoing'], { context: { log } });
  const warnings = async () => {
    lines.splice(0);
    await checkAll(app, { isWhole: true });
    return lines.filter(({ level }) => level === 40);
  };
  expect(await warnings()).toEqual([]);

  const { signId, contract } = first;
  app.sandbox.sign(signId);
  app.sandbox.faults.add('signature.download:500');
  const { id: contractId, requestId } = contract;
  const error = expect.stringContaining('500') as string;
  const msg = 'signature could not be checked';
  expect(await warnings()).toContainEqual({ level: 40, requestId, contractId, error, msg });

  app.ctx.db.raw.exec('DELETE FROM history; DELETE FROM contracts');
  expect(await warnings()).toMatchObject([
    { unknown: [{ signId }], msg: 'signatures of this installation are unknown here' },
  ]);
});

describe('documents of ours that are unknown here', () => {
  const one = { externalId: 'ours', status: 'ongoing', name: 'Boiler', createdAt: null };

  async function remembered(...signIds: string[]) {
    const app = await startApp();
    const unknown = signIds.map((signId) => ({ ...one, signId }));
    await change(app.ctx, BY, (tx) => rememberUnknown(tx, unknown));
    return app;
  }

  test.each<[what: string, known: string, found: Partial<SignatureState>, count: number]>([
    ['a second document of one of our contracts', '', { status: 'ongoing' }, 1],
    ['a second draft, which has reached nobody', '', { status: 'draft' }, 0],
    ['one that is over', '', { status: 'declined' }, 0],
    ['one without a name', '', { externalId: null }, 0],
    ['one of another installation', '', { externalId: 'theirs' }, 0],
    [
      'that of a start which does not know its signId yet',
      'contracts SET signUrl = NULL, signId = NULL',
      {},
      0,
    ],
    ['one whose contract is lost', "contracts SET externalId = 'esign-0-0'", {}, 1],
  ])('%s: told or not', async (_, known, found, count) => {
    const { app, first } = await apart(['ongoing']);
    const { externalId } = first.contract;
    if (known) app.ctx.db.raw.exec(`UPDATE ${known}`);
    const state = { signId: 'another', status: 'ongoing', createdAt: null, name: null, externalId, ...found };
    expect(unknownAmong(app.ctx.db, [state as SignatureState])).toHaveLength(count);
  });

  test('stay when the provider cannot be asked about them or still has them, and go when it does not know them or they are over', async () => {
    const id = '00000000-0000-4000-8000-00000000000';
    const app = await remembered(`${id}1`, `${id}2`);
    const open = () => listOpenUnknown(app.ctx.db, 9).map(({ signId }) => signId);
    app.sandbox.faults.add('signature.get:500');
    expect((await checkAll(app)).trouble).toContain(`document ${id}1: `);
    expect(open()).toHaveLength(2);
    app.sandbox.faults.clear();
    const { signId, contract } = await app.waitingRequest();
    app.ctx.db.raw.exec('DELETE FROM history; DELETE FROM contracts');
    const lost = { ...one, signId, externalId: contract.externalId };
    await change(app.ctx, BY, (tx) => rememberUnknown(tx, [lost]));
    await checkAll(app);
    expect(open()).toEqual([signId]);
    becomes('declined')(app.sandbox, signId);
    await checkAll(app);
    expect(open()).toEqual([]);
  });

  test('are settled one at a time, not by a dry run; drafts are none, since they have reached nobody', async () => {
    const app = await remembered('sr_1', 'sr_2');
    const open = () => listOpenUnknown(app.ctx.db, 9).map(({ signId }) => signId);
    await change(app.ctx, BY, (tx) => rememberUnknown(tx, [{ ...one, signId: 'sr_3', status: 'draft' }]));
    await settleUnknown(app.ctx, 'sr_2', { actor: TESTER, dryRun: true });
    expect(open()).toEqual(['sr_1', 'sr_2']);
    const by = { actor: TESTER, reason: 'withdrawn by telephone' };
    await settleUnknown(app.ctx, 'sr_2', by);
    expect([open(), findOpenUnknown(app.ctx.db, 'sr_2')]).toEqual([['sr_1'], undefined]);
    expect(await rejection(settleUnknown(app.ctx, 'sr_2', by))).toMatchObject({ code: 'not_found' });
    expect(told(app, 'signature.settled')).toEqual([{ signId: 'sr_2', reason: by.reason }]);
  });
});

test.each([
  [[], false],
  [['gone'], true],
  [['gone', 'waiting'], false],
])('where %j was found, the account is in doubt: %s', (classes, isSo) => {
  const results = classes.map((each) => ({ class: each }));
  expect(areAllGone({ results } as BulkCheckResult)).toBe(isSo);
});

test('on held data it is so only where nothing else there is ours', async () => {
  const { app, ids, signIds } = await apart(['ongoing', 'ongoing']);
  const now = app.clock.now().toISOString();
  await app.ctx.writer.write((db) => putHold(db, { since: now, madeAt: now, lastJobId: 0 }));
  app.sandbox.faults.add('signature.list:500');
  expect(await checkAll(app)).toMatchObject({ checked: 2, failed: 0 });
  app.sandbox.faults.clear();
  becomes('gone')(app.sandbox, signIds[0] as string);
  app.ctx.db.raw.exec(`UPDATE requests SET status = 'WAITING_PAYMENT' WHERE id = ${ids[1]}`);
  expect(await checkAll(app)).toMatchObject({ checked: 1, changed: 1, failed: 0 });
});

test('a bulk check that comes second to a webhook counts no failure', async () => {
  const { app, stand, signIds } = await apart(['signed']);
  const events = [1, 2, 3].map(() => deliver(app, signIds[0] as string));
  const [checked] = await Promise.all([checkAll(app), ...events]);
  expect(checked).toMatchObject({ checked: 1, failed: 0 });
  expect(stand()).toEqual([SIGNED]);
});
