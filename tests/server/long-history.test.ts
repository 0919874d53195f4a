/** A customer may change a request as often as the limits allow: what that leaves behind is read by nobody who needs something else. */
import { beforeEach, expect, test } from 'vitest';
import { explain } from '../../src/core/explain/explain.js';
import { listNeeds } from '../../src/core/needs/needs.js';
import type { Db } from '../../src/db/db.js';
import { officeOn, PASSWORD, type Office } from './admin/support.js';
import { stepsOf, type Run } from '../db/support.js';
import { startApp, type Waiting } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { addDeliveryJobs, lengthenHistory } from '../support/long-history.js';
import { hashOf } from '../support/password-hash.js';
import { deliver, deliverPayment } from '../support/webhooks.js';

/** More than any page of a list has, and more than the two hundred newest entries or deliveries with what else is known. */
const ROWS_MAX = 250;

let office: Office;
let waiting: Waiting;
let reads: Read[];

interface Read extends Run {
  rows: number;
}

/** A request as long as nobody's, waiting for its signature. */
beforeEach(async () => {
  const app = await startApp();
  reads = watchReads(app.ctx.db);
  office = await officeOn(app);
  waiting = await office.waitingRequest({ passwordHash: await hashOf(PASSWORD) });
  const changes = { requestId: waiting.request.id, by: 2_000 };
  lengthenHistory(app.ctx.db, changes);
  addDeliveryJobs(app.ctx.db, changes);
  reads.length = 0;
});

/** What every statement reads from now on. */
function watchReads(db: Db): Read[] {
  const found: Read[] = [];
  const prepare = db.raw.prepare.bind(db.raw);
  db.raw.prepare = ((sql: string) => {
    const statement = prepare(sql);
    const noting =
      <T>(read: (...values: unknown[]) => T, rowsOf: (answer: T) => number) =>
      (...values: unknown[]) => {
        const answer = read(...values);
        found.push({ sql, parameters: values.flat(), rows: rowsOf(answer) });
        return answer;
      };
    statement.all = noting(statement.all.bind(statement), (rows) => rows.length);
    statement.get = noting(statement.get.bind(statement), (row) => (row === undefined ? 0 : 1));
    return statement;
  }) as typeof db.raw.prepare;
  return found;
}

/** Through all entries or jobs, or through those of a request. */
const WALKS =
  /SCAN (history|jobs)\b(?! USING .*INDEX jobs(Failed|Open))|historyByRequest \(requestId=\?|jobsByRequest \(requestId=\?( AND id|\))/;
/** In the order of the index; also of several requests, each of which SQLite leaves when the others have newer entries. */
const CUT_OFF = /order by "id" desc\s+limit/;

function expectShortReads(): void {
  const { raw } = office.ctx.db;
  const ofTables = reads.filter(({ sql }) => /"(history|jobs)"/.test(sql));
  expect(ofTables).not.toEqual([]);
  expect(reads.filter(({ rows }) => rows > ROWS_MAX)).toEqual([]);
  const asked = new Map(ofTables.map((read) => [read.sql, read]));
  const long = [...asked.values()].filter((read) => {
    return !CUT_OFF.test(read.sql) && stepsOf({ raw } as Db, read).some((step) => WALKS.test(step));
  });
  expect(long.map(({ sql }) => sql)).toEqual([]);
  reads.length = 0;
}

const ask = (path: string, init: RequestInit = {}) =>
  office.app.request(path, init, { incoming: { socket: { remoteAddress: '192.0.2.1' } } });

test('the webhook, the payment job, mails, the link to pay and the payment read only what they need', async () => {
  const { signId, request } = waiting;
  office.sandbox.sign(signId);
  expect(await deliver(office, signId)).toBe(200);
  expectShortReads();
  await office.drain();
  expect(office.request(request.id).status).toBe('WAITING_PAYMENT');
  expectShortReads();
  const link = `/pay/${office.request(request.id).payToken}`;
  expect((await ask(link)).status).toBe(303);
  office.clock.advance(2 * DAY);
  office.sandbox.expireSession(office.request(request.id).paymentId as string);
  expect((await ask(link)).status).toBe(303);
  await office.drain();
  expectShortReads();
  expect(await deliverPayment(office, office.request(request.id).paymentId as string)).toBe(200);
  await office.drain();
  expect(office.request(request.id).status).toBe('COMPLETE');
  expectShortReads();
});

test('the API reads only what it answers', async () => {
  const { request, owner } = waiting;
  const body = JSON.stringify({ username: owner.username, password: PASSWORD });
  const headers = { 'content-type': 'application/json' };
  const entered = await ask('/api/login_check', { method: 'POST', body, headers });
  const { token } = (await entered.json()) as { token: string };
  const authorization = `Bearer ${token}`;
  for (const path of [`/api/requests/${request.id}`, '/api/requests', '/api/contracts']) {
    expect((await ask(path, { headers: { authorization } })).status).toBe(200);
  }
  expect(reads.filter(({ sql }) => /"(history|jobs)"/.test(sql))).toEqual([]);
  expect(reads.filter(({ rows }) => rows > ROWS_MAX)).toEqual([]);
});

test('explain, todo and the pages of the office read the newest entries, and say where the others are', async () => {
  const { request, owner, signId } = waiting;
  office.sandbox.decline(signId);
  await deliver(office, signId, { name: 'signature_request.declined' });
  await office.drain();
  reads.length = 0;

  const { needs } = await listNeeds(office.ctx, 50);
  expect(needs.map(({ kind }) => kind)).toContain('ended');
  expectShortReads();

  const { timeline, earlier, findings } = await explain(office.ctx, String(request.id), { offline: true });
  expect(findings[0]).toMatchObject({ key: 'ended', cause: expect.stringMatching(/^declined/) as string });
  const told = timeline.filter(({ what }) => !what.startsWith('job.') && !what.startsWith('webhook.'));
  expect([told.length, told[0]?.what, told.some(({ what }) => what === 'contract.ended')]).toEqual([
    200,
    'request.changed',
    true,
  ]);
  expect(earlier).toMatchObject({
    name: 'history',
    options: ['--about', String(request.id), '--cursor', expect.any(String)],
  });
  expectShortReads();

  const staff = await office.staff();
  const page = await staff.get(`/admin/requests/${request.id}`);
  const [, link = ''] = /href="(\/admin\/history\?about=\d+&amp;cursor=[\w-]+)"/.exec(page.text) ?? [];
  expect((await staff.get(link.replaceAll('&amp;', '&'))).text).toContain('Request changed');
  for (const path of [
    `/admin/users/${owner.id}`,
    `/admin/requests/${request.id}/reply`,
    '/admin/todo',
    '/admin',
  ]) {
    expect((await staff.get(path)).status).toBe(200);
  }
  expectShortReads();
});
