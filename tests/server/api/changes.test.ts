/** Changing and removing requests and equipments: whose they are, what may change when, and that all or nothing changes. */
import { expect, test } from 'vitest';
import { listHistory } from '../../../src/db/history/history.js';
import { moveRequest } from '../../../src/db/requests/requests.js';
import { insertWebhook } from '../../../src/db/webhooks/webhooks.js';
import type { RequestStatus } from '../../../src/db/schema.js';
import { anEquipment, aRequest, startApi, type Caller, type TestApi } from '../support.js';

const BLANK = 'This value should not be blank.';
const MERGE = { 'Content-Type': 'application/merge-patch+json' };

const patch = (caller: Caller, path: string, body: unknown, headers = MERGE) =>
  caller('PATCH', path, { body, headers });

async function annasRequest() {
  const app = startApi();
  const anna = await app.as('anna@example.org');
  const request = await aRequest(anna);
  return { app, anna, request };
}

function put(app: TestApi, to: RequestStatus) {
  return app.ctx.writer.write((db) =>
    moveRequest(db, { id: 1, from: ['new', 'in_progress'], to, now: '2026-03-02T12:00:00.000Z' }),
  );
}

const whats = (app: TestApi) => listHistory(app.ctx.db, { requestId: 1 }).map(({ what }) => what);

test('PATCH changes what is given and nothing else; the answer is the request as it is then', async () => {
  const { app, anna, request } = await annasRequest();
  app.clock.advance(60_000);

  const answer = await patch(anna, '/api/requests/1', {
    title: 'Boiler leaks',
    unknown: 1,
    id: 9,
    reference: 'x',
  });

  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({
    ...(request as object),
    title: 'Boiler leaks',
    updatedAt: '2026-03-02T09:15:07+00:00',
  });
  expect(answer.headers.get('Content-Location')).toBe('/api/requests/1');
  expect(answer.headers.get('Accept-Patch')).toBe('application/merge-patch+json');
  expect((await anna('GET', '/api/requests/1')).json).toEqual(answer.json);
  expect(listHistory(app.ctx.db, { requestId: 1 }).at(-1)).toMatchObject({
    what: 'request.changed',
    actor: 'user:anna@example.org',
    detail: '{"fields":["title"]}',
  });
});

test('a change that leaves all as it is changes nothing, not even the time', async () => {
  const { app, anna, request } = await annasRequest();
  app.clock.advance(60_000);

  expect((await patch(anna, '/api/requests/1', request)).json).toEqual(request);
  expect((await patch(anna, '/api/requests/1', {})).json).toEqual(request);
  expect(whats(app)).toEqual(['request.created']);
});

test.each([
  [{ title: null }, { title: BLANK }],
  [
    { title: ' ', description: 5 },
    { title: BLANK, description: 'This value should be of type string.' },
  ],
  [{ title: 'x'.repeat(256) }, { title: 'This value is too long. It should have 255 characters or less.' }],
  [{ description: 'x'.repeat(5_001) }, { description: expect.stringContaining('5000 characters') }],
  [{ equipment: null }, { equipment: BLANK }],
  [{ equipment: '/api/equipments/99' }, { equipment: 'There is no such equipment.' }],
  [{ title: 'good', equipment: '/api/equipments/2' }, { equipment: 'There is no such equipment.' }],
])('PATCH %j is refused by name, and nothing of it is done', async (body, errors) => {
  const { app, anna, request } = await annasRequest();
  await anEquipment(await app.as('ben@example.org'));

  const answer = await patch(anna, '/api/requests/1', body);

  expect(answer.status).toBe(422);
  expect(answer.json['errors']).toEqual(errors);
  expect((await anna('GET', '/api/requests/1')).json).toEqual(request);
});

test('PATCH takes merge-patch alone, PUT takes JSON, and each says so', async () => {
  const { anna } = await annasRequest();
  for (const path of ['/api/requests/1', '/api/equipments/1']) {
    for (const type of ['application/json', 'application/ld+json', 'text/plain']) {
      const answer = await patch(anna, path, {}, { 'Content-Type': type });
      expect(answer.status).toBe(415);
      expect(answer.headers.get('Accept-Patch')).toBe('application/merge-patch+json');
    }
    expect((await anna('PUT', path, { body: {}, headers: MERGE })).status).toBe(415);
    expect((await patch(anna, path, '[]')).status).toBe(400);
    expect((await patch(anna, path, '{')).status).toBe(400);
    const allowed = (await anna('POST', path, { body: {} })).headers.get('Allow');
    expect(allowed).toBe('GET, HEAD, PUT, PATCH, DELETE');
  }
});

test('PUT asks for all that POST asks for, in JSON or JSON-LD', async () => {
  const { anna, request } = await annasRequest();
  const body = { ...(request as object), title: 'Boiler leaks' };

  const answer = await anna('PUT', '/api/requests/1', {
    body,
    headers: { 'Content-Type': 'application/ld+json' },
  });
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual(body);
  const partial = await anna('PUT', '/api/requests/1', { body: { title: 'x' } });
  expect(partial.json['errors']).toEqual({ description: BLANK, equipment: BLANK });
  const equipment = await anna('PUT', '/api/equipments/1', {
    body: { name: 'a', model: 'b', serialNumber: 'c' },
  });
  expect(equipment.json).toMatchObject({
    '@id': '/api/equipments/1',
    name: 'a',
    model: 'b',
    serialNumber: 'c',
  });
  expect((await anna('PUT', '/api/equipments/1', { body: { name: 'a' } })).json['errors']).toEqual({
    model: BLANK,
    serialNumber: BLANK,
  });
});

test('what belongs to somebody else is not there, whatever one wants with it; without a token all is 401', async () => {
  const { app, anna } = await annasRequest();
  const ben = await app.as('ben@example.org');
  for (const path of ['/api/requests/1', '/api/equipments/1']) {
    const { json } = await anna('GET', path);
    expect((await patch(ben, path, { title: 'mine', name: 'mine' })).status).toBe(404);
    // Not even whether the body were good is told.
    expect((await ben('PUT', path, { body: {} })).status).toBe(404);
    expect((await ben('DELETE', path)).status).toBe(404);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      expect((await app.call(method, path)).status).toBe(401);
    }
    expect((await anna('GET', path)).json).toEqual(json);
  }
});

test('a status from a user is ignored, whatever it is', async () => {
  const { anna } = await annasRequest();
  for (const status of ['in_progress', 'COMPLETE', 'nonsense', 5, null, {}]) {
    const { json } = await patch(anna, '/api/requests/1', { title: 'changed', status });
    expect(json).toMatchObject({ title: 'changed', status: 'new' });
  }
});

test('an administrator moves a new request on, in any letter case, once', async () => {
  const { app } = await annasRequest();
  const admin = await app.as('admin@example.org');

  expect((await patch(admin, '/api/requests/1', { status: 'NEW' })).json['status']).toBe('new');
  const both = await Promise.all([
    patch(admin, '/api/requests/1', { status: 'In_Progress' }),
    patch(admin, '/api/requests/1', { status: 'in_progress' }),
  ]);

  expect(both.map(({ status, json }) => [status, json['status']])).toEqual([
    [200, 'in_progress'],
    [200, 'in_progress'],
  ]);
  expect(whats(app)).toEqual(['request.created', 'request.moved']);
});

test.each([
  ['WAITING_SIGNATURE', expect.stringContaining('from new to WAITING_SIGNATURE')],
  ['COMPLETE', expect.stringContaining('from new to COMPLETE')],
  ['nonsense', 'The value you selected is not a valid choice.'],
  [5, 'This value should be of type string.'],
  [null, BLANK],
])('a status %j from an administrator is 422, and the title beside it stays too', async (status, message) => {
  const { app, request } = await annasRequest();
  const admin = await app.as('admin@example.org');

  const answer = await patch(admin, '/api/requests/1', { title: 'changed', status });

  expect(answer.status).toBe(422);
  expect(answer.json['errors']).toEqual({ status: message });
  expect((await admin('GET', '/api/requests/1')).json).toEqual(request);
});

test('once the contract is sent its words stay, and the request cannot be removed', async () => {
  const { app, anna } = await annasRequest();
  const admin = await app.as('admin@example.org');
  await put(app, 'WAITING_SIGNATURE');
  const { json: request } = await anna('GET', '/api/requests/1');

  for (const caller of [anna, admin]) {
    const answer = await patch(caller, '/api/requests/1', { title: 'other', description: 'other' });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.json['errors'] as object)).toEqual(['title', 'description']);
    const removal = await caller('DELETE', '/api/requests/1');
    expect(removal.status).toBe(422);
    expect(removal.json).toMatchObject({ key: 'cannot_be_changed', errors: {} });
    // A client that sends back what it got has changed nothing.
    expect((await caller('PUT', '/api/requests/1', { body: request })).status).toBe(200);
  }
  expect((await patch(admin, '/api/requests/1', { status: 'in_progress' })).status).toBe(422);
});

test('two changes at once of different members are both there', async () => {
  const { anna } = await annasRequest();

  await Promise.all([
    patch(anna, '/api/requests/1', { title: 'one' }),
    patch(anna, '/api/requests/1', { description: 'two' }),
  ]);

  expect((await anna('GET', '/api/requests/1')).json).toMatchObject({ title: 'one', description: 'two' });
});

test('one PATCH is one event, whatever it changes; one that changes nothing is none', async () => {
  const { app } = await annasRequest();
  const admin = await app.as('admin@example.org');
  await app.ctx.writer.write((db) =>
    insertWebhook(db, {
      ownerId: 1,
      url: 'https://a.example/x',
      event: 'request.updated',
      secret: 's',
      now: '2026-03-02T09:14:07.250Z',
    }),
  );

  await patch(admin, '/api/requests/1', { title: 'changed', status: 'in_progress' });
  await patch(admin, '/api/requests/1', { title: 'changed', status: 'in_progress' });
  await patch(admin, '/api/requests/1', { title: 'again', status: 'COMPLETE' });
  await admin('DELETE', '/api/requests/1');

  const told = app.ctx.db.raw.prepare('SELECT content FROM deliveries').pluck().all() as string[];
  expect(told.map((content) => JSON.parse(content) as unknown)).toMatchObject([
    { event: 'request.updated', data: { id: 1, reference: 'REQ-2026-000001', status: 'in_progress' } },
  ]);
  // What was to be told of it is still owed when it is gone.
  const owed = app.ctx.db.raw.prepare("SELECT count(*) FROM jobs WHERE kind = 'deliver-webhook'").pluck();
  expect(owed.get()).toBe(1);
});

test('a removed request is gone, its history stays; of two at once one removes it', async () => {
  const { app, anna } = await annasRequest();

  const both = await Promise.all([anna('DELETE', '/api/requests/1'), anna('DELETE', '/api/requests/1')]);

  expect(both.map(({ status }) => status).sort()).toEqual([204, 404]);
  expect(both.find(({ status }) => status === 204)).toMatchObject({ text: '' });
  expect((await anna('GET', '/api/requests/1')).status).toBe(404);
  expect((await anna('GET', '/api/requests')).json['hydra:totalItems']).toBe(0);
  expect(whats(app)).toEqual(['request.created', 'request.deleted']);
  expect((await aRequest(anna))['id']).toBe(2);
});

test('an administrator gives a request only an equipment of its owner', async () => {
  const { app, anna } = await annasRequest();
  const admin = await app.as('admin@example.org');
  await anEquipment(anna);
  await anEquipment(await app.as('ben@example.org'));

  const own = await patch(admin, '/api/requests/1', { equipment: '/api/v1/equipments/2' });
  expect(own.json['equipment']).toBe('/api/equipments/2');
  const foreign = await patch(admin, '/api/requests/1', { equipment: '/api/equipments/3' });
  expect(foreign.json['errors']).toEqual({ equipment: 'This equipment belongs to another customer.' });
});

test('an equipment is changed in part, and its serial number stays unique for its owner', async () => {
  const { app, anna } = await annasRequest();
  const other = await anEquipment(anna);
  const admin = await app.as('admin@example.org');

  const answer = await patch(anna, '/api/equipments/1', { model: 'B-300' });
  expect(answer.json).toMatchObject({ '@id': '/api/equipments/1', name: 'Boiler', model: 'B-300' });
  for (const caller of [anna, admin]) {
    const taken = await patch(caller, '/api/equipments/1', { serialNumber: other['serialNumber'] });
    expect(taken.status).toBe(422);
    expect(taken.json['errors']).toEqual({ serialNumber: 'This value is already used.' });
  }
  const nothing = await patch(anna, '/api/equipments/1', { name: null });
  expect(nothing.json['errors']).toEqual({ name: BLANK });
});

test('an equipment stays while a request is about it', async () => {
  const { anna } = await annasRequest();

  const used = await anna('DELETE', '/api/equipments/1');
  expect(used.status).toBe(422);
  expect(used.json).toMatchObject({ key: 'in_use' });

  await anna('DELETE', '/api/requests/1');
  const both = await Promise.all([anna('DELETE', '/api/equipments/1'), anna('DELETE', '/api/equipments/1')]);
  expect(both.map(({ status }) => status).sort()).toEqual([204, 404]);
});
