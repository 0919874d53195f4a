/** `If-Match`: a change that is meant for what its caller has seen is made to nothing else. */
import { expect, test } from 'vitest';
import { anEquipment, apiFor, aRequest, startApi, type Caller } from '../support.js';

async function etagOf(caller: Caller, path: string, headers: Record<string, string> = {}): Promise<string> {
  return (await caller('GET', path, { headers })).headers.get('ETag') as string;
}

/** One item of every kind that can be changed, at /…/1; the administrator may do all of it. */
async function oneOfEach(): Promise<Caller> {
  const { admin } = await apiFor(['admin']);
  await aRequest(admin);
  const request = '/api/requests/1';
  const hook = { url: 'https://93.184.216.34/hook', event: 'offer.created', secret: 'a secret of the tests' };
  for (const [name, body] of Object.entries({
    offers: { request, amount: 12_000 },
    troubleshootings: { request, description: 'd' },
    webhooks: hook,
    prices: { words: 'gas boiler', amount: 15_000 },
  }))
    await admin('POST', `/api/${name}`, { body });
  return admin;
}

const CHANGES: [string, object, object][] = [
  ['/api/requests/1', { title: 'first' }, { title: 'second' }],
  ['/api/equipments/1', { model: 'first' }, { model: 'second' }],
  ['/api/offers/1', { description: 'first' }, { description: 'second' }],
  ['/api/troubleshootings/1', { description: 'first' }, { description: 'second' }],
  ['/api/webhooks/1', { active: false }, { active: true }],
  ['/api/users/1', { firstName: 'first' }, { firstName: 'second' }],
  ['/api/users/me', { firstName: 'first' }, { firstName: 'second' }],
];

test.each(CHANGES)(
  '%s: who read it before the last change hears 412 and changes nothing',
  async (path, first, second) => {
    const admin = await oneOfEach();
    const seen = await etagOf(admin, path);
    const patch = (body: object, tag: string) => admin('PATCH', path, { body, headers: { 'If-Match': tag } });

    const done = await patch(first, seen);
    expect(done.status).toBe(200);
    const stale = await patch(second, seen);
    expect([stale.status, stale.json]).toMatchObject([412, { code: 412, errors: {} }]);
    expect((await admin('GET', path)).json).toMatchObject(first);

    const fresh = done.headers.get('ETag') as string;
    expect(await etagOf(admin, path)).toBe(fresh);
    expect((await patch(second, fresh)).status).toBe(200);
    expect((await admin('GET', path)).json).toMatchObject(second);
  },
);

test.each(['/api/requests/1', '/api/equipments/1'])('PUT of %s too', async (path) => {
  const admin = await oneOfEach();
  const { json, headers } = await admin('GET', path);
  const put = (tag: string) => admin('PUT', path, { body: json, headers: { 'If-Match': tag } });

  expect((await put('"another"')).status).toBe(412);
  expect((await put(headers.get('ETag') as string)).status).toBe(200);
});

test.each(['offers', 'troubleshootings', 'webhooks', 'requests', 'equipments', 'prices'])(
  'a stale DELETE of /api/%s/1 removes nothing, a fresh one does',
  async (name) => {
    const admin = await oneOfEach();
    if (name === 'equipments') await admin('DELETE', '/api/requests/1');
    const path = `/api/${name}/1`;
    const remove = (tag: string) => admin('DELETE', path, { headers: { 'If-Match': tag } });

    expect((await remove('"another"')).status).toBe(412);
    expect((await admin('GET', path)).status).toBe(200);
    expect((await remove(await etagOf(admin, path))).status).toBe(204);
    expect((await remove('*')).status).toBe(404);
  },
);

test('any of several tags will do, the tag of either media type, that of the creation, or *', async () => {
  const { admin } = await apiFor(['admin']);
  const body = { name: 'Boiler', model: 'B', serialNumber: 'S' };
  const created = (await admin('POST', '/api/equipments', { body })).headers.get('ETag') as string;
  const asJson = await etagOf(admin, '/api/equipments/1', { Accept: 'application/json' });
  const asLd = await etagOf(admin, '/api/equipments/1');

  expect(created).toBe(asLd);
  for (const tag of [created, asJson, `"x", ${asLd} ,"y"`, '*', ' * ']) {
    const headers = { Accept: 'application/json', 'If-Match': tag };
    // What is there already is no change, so the tags stay good.
    const { status } = await admin('PATCH', '/api/equipments/1', { body: { model: 'B' }, headers });
    expect.soft([tag, status]).toEqual([tag, 200]);
  }
});

test('a weak tag, a bare word and an empty header match nothing', async () => {
  const { admin } = await apiFor(['admin']);
  await anEquipment(admin);
  const tag = await etagOf(admin, '/api/equipments/1');

  for (const wrong of [`W/${tag}`, tag.replaceAll('"', ''), '', '"', `"*"`]) {
    const headers = { 'If-Match': wrong };
    const { status } = await admin('PATCH', '/api/equipments/1', { body: { model: 'x' }, headers });
    expect.soft([wrong, status]).toEqual([wrong, 412]);
  }
  expect((await admin('GET', '/api/equipments/1')).json['model']).toBe('B-200');
});

test('of two who have read the same and change it at once one succeeds and one hears 412', async () => {
  const { admin } = await apiFor(['admin']);
  await anEquipment(admin);
  const headers = { 'If-Match': await etagOf(admin, '/api/equipments/1') };

  const both = await Promise.all(
    ['mine', 'theirs'].map((model) => admin('PATCH', '/api/equipments/1', { body: { model }, headers })),
  );

  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
});

test('whether something is there, and whose it is, comes before what was read of it', async () => {
  const { anna, ben } = await apiFor(['anna', 'ben']);
  await anEquipment(anna);
  const headers = { 'If-Match': '"x"' };
  for (const id of [1, 9]) {
    expect((await ben('PATCH', `/api/equipments/${id}`, { body: {}, headers })).status).toBe(404);
    expect((await ben('DELETE', `/api/equipments/${id}`, { headers })).status).toBe(404);
  }
});

test('the documents tell of it at every change, and every change that they tell of is tested here', async () => {
  const { paths } = (await startApi().call('GET', '/api/docs.json')).json as unknown as {
    paths: Record<string, Record<string, { parameters?: { name?: string }[]; responses: object }>>;
  };
  const changes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => ['patch', 'put', 'delete'].includes(method))
      .map(([, operation]) => ({ path, operation })),
  );

  expect(new Set(changes.map(({ path }) => path.replace('{id}', '1')))).toEqual(
    new Set([...CHANGES.map(([path]) => path), '/api/prices/1']),
  );
  for (const { path, operation } of changes) {
    expect
      .soft(
        operation.parameters?.map(({ name }) => name),
        path,
      )
      .toContain('If-Match');
    expect.soft(Object.keys(operation.responses), path).toContain('412');
  }
});
