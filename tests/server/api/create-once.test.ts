/** Idempotency-Key (rules 6): a creation happens once, however often, at once or after a crash it is asked for. */
import { expect, test } from 'vitest';
import { anyContractPdf, startApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { apiFor, apiOf, startApi, type Caller } from '../support.js';
import { describedBy } from './docs/described.js';

const PATH = '/api/equipments';
const BODY = { name: 'Boiler', model: 'B-200', serialNumber: 'SN-1' };
const REPLAYED = 'Idempotent-Replayed';

const post = (
  caller: Caller,
  key: string,
  { path = PATH, body = BODY }: { path?: string; body?: unknown } = {},
) => caller('POST', path, { body, headers: { 'Idempotency-Key': key } });
const count = async (caller: Caller) => (await caller('GET', PATH)).json['hydra:totalItems'];

test('the same again gives the first answer, marked, and makes nothing', async () => {
  const { anna } = await apiFor(['anna']);
  const first = await post(anna, 'k-1');
  await anna('PATCH', `${PATH}/1`, { body: { name: 'Other' } });

  const again = await post(anna, 'k-1');

  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.text).toBe(first.text);
  for (const name of ['Location', 'Content-Location', 'Content-Type']) {
    expect(again.headers.get(name)).toBe(first.headers.get(name));
  }
  expect([first.headers.get(REPLAYED), again.headers.get(REPLAYED)]).toEqual([null, 'true']);
  expect(await count(anna)).toBe(1);
});

test('the same key with another body is 422', async () => {
  const { anna } = await apiFor(['anna']);
  await post(anna, 'k-1');

  const other = await post(anna, 'k-1', { body: { ...BODY, serialNumber: 'SN-2' } });

  expect(other.status).toBe(422);
  expect(other.json).toMatchObject({ key: 'idempotency_key_reused', errors: {} });
  expect(await count(anna)).toBe(1);
});

test('everything that is created, is once', async () => {
  const { app, admin } = await apiFor(['admin']);
  const request = '/api/requests/1';
  const hook = { url: 'https://93.184.216.34/hook', event: 'offer.created', secret: 'a secret of the tests' };
  const bodies = {
    equipments: BODY,
    requests: { title: 't', description: 'd', equipment: `${PATH}/1` },
    offers: { request, amount: 12_000 },
    troubleshootings: { request, description: 'd' },
    webhooks: hook,
    prices: { words: 'boiler', amount: 12_000 },
    users: { username: 'eva@example.org' },
  };
  for (const [name, body] of Object.entries(bodies)) {
    const path = `/api/${name}`;
    const [first, again] = [await post(admin, 'k', { path, body }), await post(admin, 'k', { path, body })];
    expect([name, again.status, again.text]).toEqual([name, 201, first.text]);
    expect(again.headers.get(REPLAYED)).toBe('true');
  }
  const { operations } = await describedBy(app);
  const takeKeys = operations.filter(({ parameters }) =>
    parameters.some((each) => each.name === 'Idempotency-Key'),
  );
  const others = ['/api/requests/{id}/signature', '/api/requests/{id}/signature/reset'];
  const paths = [...Object.keys(bodies).map((name) => `/api/${name}`), ...others];
  expect(takeKeys.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
});

test('the order of its members makes no other body', async () => {
  const { anna } = await apiFor(['anna']);
  await post(anna, 'k-1');

  const turned = Object.fromEntries(Object.entries(BODY).toReversed());

  expect((await post(anna, 'k-1', { body: turned })).headers.get(REPLAYED)).toBe('true');
});

test('a key belongs to its user and its path', async () => {
  const { anna, ben } = await apiFor(['anna', 'ben']);
  await post(anna, 'k-1');

  expect((await post(ben, 'k-1')).headers.get(REPLAYED)).toBeNull();
  const request = { title: 't', description: 'd', equipment: `${PATH}/1` };
  expect((await post(anna, 'k-1', { path: '/api/requests', body: request })).status).toBe(201);
  const versioned = await post(anna, 'k-1', { path: '/api/v1/equipments' });
  expect(versioned.headers.get(REPLAYED)).toBe('true');
});

test('ten at once make one, and all hear of it', async () => {
  const { anna } = await apiFor(['anna']);

  const answers = await Promise.all(Array.from({ length: 10 }, () => post(anna, 'k-1')));

  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers.filter(({ headers }) => headers.get(REPLAYED) === null)).toHaveLength(1);
  expect(await count(anna)).toBe(1);
});

test('a refusal is not remembered: the key is good for the next try', async () => {
  const { anna } = await apiFor(['anna']);

  expect((await post(anna, 'k-1', { body: { name: 'x' } })).status).toBe(422);
  expect((await post(anna, 'k-1')).status).toBe(201);
});

test('after 24 hours a key is new again', async () => {
  const { ctx, clock, anna, ...app } = await apiFor(['anna']);
  const first = await post(anna, 'k-1');

  clock.advance(DAY);
  const token = await app.tokenOf('anna@example.org');
  const caller: Caller = (method, path, options) => app.call(method, path, { token, ...options });
  const later = await post(caller, 'k-1', { body: { ...BODY, serialNumber: 'SN-2' } });

  expect([first.json['id'], later.json['id']]).toEqual([1, 2]);
  expect(ctx.db.raw.prepare('SELECT count(*) FROM idempotencyKeys').pluck().get()).toBe(1);
});

test('the answer and what it tells of are stored together or not at all, and survive a restart', async () => {
  const { ctx, anna } = await apiFor(['anna']);
  ctx.db.raw.exec(
    "CREATE TEMP TRIGGER crash BEFORE INSERT ON idempotencyKeys BEGIN SELECT raise(ABORT, 'crash'); END",
  );
  expect((await post(anna, 'k-1')).status).toBe(500);
  expect(await count(anna)).toBe(0);

  ctx.db.raw.exec('DROP TRIGGER crash');
  const { text } = await post(anna, 'k-1');
  const next = startApi({ dataDir: ctx.config.dataDir });
  const token = await next.tokenOf('anna@example.org');
  const again = await post((method, path, options) => next.call(method, path, { token, ...options }), 'k-1');

  expect(again.text).toBe(text);
  expect(again.headers.get(REPLAYED)).toBe('true');
});

test.each(['', 'x'.repeat(256), 'tab\there'])('the key %j is 400', async (key) => {
  const { anna } = await apiFor(['anna']);

  expect((await post(anna, key)).status).toBe(400);
  expect(await count(anna)).toBe(0);
});

test('no password can be told from what is kept of a body', async () => {
  const kept = async (jwtSecret: string) => {
    const { ctx, anna } = await apiFor(['anna'], { jwtSecret });
    await post(anna, 'k-1');
    return ctx.db.raw.prepare('SELECT fingerprint FROM idempotencyKeys').pluck().get();
  };
  const one = 'a secret of the tests, long enough for them';
  expect(await kept('another secret, as long as the first was')).not.toBe(await kept(one));
});

/** Request 1, whose customer the signature provider accepts. */
async function withProvider() {
  const app = await startApp();
  await app.addRequest();
  return { sandbox: app.sandbox, admin: await apiOf(app).as('admin@example.org') };
}

test('a signature is started once and reset once, whose answers were lost', async () => {
  const { sandbox, admin } = await withProvider();
  const form = async () => {
    const pdf = new FormData();
    pdf.set('file', new Blob([new Uint8Array(await anyContractPdf())], { type: 'application/pdf' }), 'c.pdf');
    return pdf;
  };
  const start = async () => post(admin, 'k-1', { path: '/api/requests/1/signature', body: await form() });
  const reset = () => post(admin, 'k-1', { path: '/api/requests/1/signature/reset', body: '' });

  const started = [await start(), await start()];
  const again = [await reset(), await reset(), await start()];

  expect([...started, ...again].map(({ status, json }) => [status, json['@id']])).toEqual([
    [201, '/api/contracts/1'],
    [201, '/api/contracts/1'],
    [201, '/api/contracts/2'],
    [201, '/api/contracts/2'],
    [201, '/api/contracts/1'],
  ]);
  expect(sandbox.state().signatureRequests.map(({ status }) => status)).toEqual(['canceled', 'ongoing']);
});

test('a start whose answer the provider lost is asked for again under its key: one contract, one answer from then on', async () => {
  const { sandbox, admin } = await withProvider();
  const start = () => post(admin, 'k-1', { path: '/api/requests/1/signature', body: '' });
  sandbox.faults.add('signature.activate:answer_lost:1');

  const [lost, first] = [await start(), await start()];
  sandbox.sign(sandbox.state().signatureRequests[0]?.id as string);
  const again = await start();

  expect([lost.status, first.status, again.status]).toEqual([503, 201, 201]);
  expect(again.text).toBe(first.text);
  expect(again.headers.get(REPLAYED)).toBe('true');
  expect(sandbox.state().signatureRequests).toHaveLength(1);
});
