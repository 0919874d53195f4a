/** /api/requests, /api/equipments, /api/contracts: whose they are, their pages and filters. */
import { describe, expect, test } from 'vitest';
import { insertRenewal, moveRequest, requireRequest } from '../../../src/db/requests/requests.js';
import { anEquipment, aRequest, startApi, type Caller, type Json, type TestApi } from '../support.js';

const MEMBER = 'hydra:member';
const TOTAL = 'hydra:totalItems';
const VIEW = 'hydra:view';

async function titles(caller: Caller, query: string): Promise<string[]> {
  const { json } = await caller('GET', `/api/requests${query}`);
  return [...json[MEMBER]].map((each) => String(each['title']));
}

/** Requests a, b, c, an hour apart from 09:14:07.250; b is in progress, c waits for a signature. */
async function threeRequests(app: TestApi): Promise<Caller> {
  await app.as('anna@example.org');
  let token = '';
  const anna: Caller = (method, path, options) => app.call(method, path, { token, ...options });
  for (const title of ['a', 'b', 'c']) {
    // An access token lives an hour, and that passes between two requests.
    token = await app.tokenOf('anna@example.org');
    await aRequest(anna, title);
    app.clock.advance(3600_000);
  }
  await app.ctx.writer.write((db) => {
    moveRequest(db, { id: 2, from: ['new'], to: 'in_progress', now: '2026-03-02T12:00:00.000Z' });
    moveRequest(db, { id: 3, from: ['new'], to: 'WAITING_SIGNATURE', now: '2026-03-02T12:00:00.000Z' });
  });
  token = await app.tokenOf('anna@example.org');
  return anna;
}

test('a user sees only what it owns, the rest is 404; an administrator sees all', async () => {
  const app = startApi();
  const [anna, ben, admin] = [
    await app.as('anna@example.org'),
    await app.as('ben@example.org'),
    await app.as('admin@example.org'),
  ];
  await aRequest(anna);
  await aRequest(ben);

  for (const path of ['/api/requests', '/api/equipments']) {
    expect((await anna('GET', path)).json[TOTAL]).toBe(1);
    expect((await ben('GET', `${path}/2`)).status).toBe(200);
    const foreign = await ben('GET', `${path}/1`);
    const missing = await ben('GET', `${path}/99`);
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(missing.text);
    expect((await admin('GET', path)).json[TOTAL]).toBe(2);
    expect((await admin('GET', `${path}/1`)).status).toBe(200);
  }
});

test('a request and the one that renews it name each other, alone and in the list', async () => {
  const app = startApi();
  const anna = await app.as('anna@example.org');
  await aRequest(anna);
  const { ownerId, equipmentId, title, description } = requireRequest(app.ctx.db, { id: 1 });
  const words = { ownerId, equipmentId, title, description, status: 'new' as const };
  const now = app.clock.now().toISOString();
  await app.ctx.writer.write((db) => insertRenewal(db, { ...words, renewsId: 1, now }));
  const [old, next] = [{ renewedBy: '/api/requests/2' }, { renews: '/api/requests/1' }];
  const both = ['renews', 'renewedBy'];
  const links = (json: Json) =>
    Object.fromEntries(Object.entries(json).filter(([name]) => both.includes(name)));
  expect(links((await anna('GET', '/api/requests/1')).json)).toEqual(old);
  expect(links((await anna('GET', '/api/requests/2')).json)).toEqual(next);
  expect([...(await anna('GET', '/api/requests')).json[MEMBER]].map(links)).toEqual([next, old]);
});

test('what a client may not write is ignored', async () => {
  const anna = await startApi().as('anna@example.org');
  const equipment = (await anEquipment(anna))['@id'];

  const { json } = await anna('POST', '/api/requests', {
    body: {
      title: 't',
      description: 'd\nd',
      equipment,
      id: 77,
      '@id': '/api/requests/77',
      status: 'COMPLETE',
      reference: 'x',
      paymentUrl: 'http://evil.test',
      createdAt: '2000-01-01',
      ownerId: 5,
    },
  });

  expect(json).toMatchObject({ id: 1, status: 'new', reference: 'REQ-2026-000001', description: 'd\nd' });
  expect(json).not.toHaveProperty('paymentUrl');
});

test.each([
  [undefined, 'This value should not be blank.'],
  [null, 'This value should not be blank.'],
  ['', 'This value should not be blank.'],
  [1, 'This value should be of type string.'],
  [{ '@id': '/api/equipments/1' }, 'Nested documents are not allowed. Use IRIs instead.'],
  ['1', 'Invalid IRI "1".'],
  ['/api/requests/1', 'Invalid IRI "/api/requests/1".'],
  ...[
    'http://evil.test/api/equipments/1',
    'https://contracts.example.org.evil.test/api/equipments/1',
    'http://contracts.example.org/api/equipments/1',
    'https://contracts.example.org:8443/api/equipments/1',
    'https://contracts.example.org@evil.test/api/equipments/1',
    'https://me@contracts.example.org/api/equipments/1',
    'https://contracts.example.org/api/equipments/1?x=1',
    'https://contracts.example.org/api/requests/1',
    'https://contracts.example.org/equipments/1',
    '//contracts.example.org/api/equipments/1',
    'https://[',
  ].map((iri): [unknown, string] => [iri, `Invalid IRI "${iri}".`]),
  ['/api/equipments/99', 'There is no such equipment.'],
  ['/api/equipments/1', 'There is no such equipment.'],
])('the equipment %j is refused by name', async (equipment, message) => {
  const app = startApi();
  await anEquipment(await app.as('anna@example.org'));
  const ben = await app.as('ben@example.org');

  const { status, json } = await ben('POST', '/api/requests', {
    body: { title: 't', description: 'd', equipment },
  });

  expect(status).toBe(422);
  expect(json['errors']).toEqual({ equipment: message });
});

test.each([
  'https://contracts.example.org/api/equipments/1',
  'https://contracts.example.org/api/v1/equipments/1',
  'HTTPS://Contracts.Example.org:443/api/equipments/1',
])('%s names an equipment of this service, in bodies and filters', async (iri) => {
  const anna = await startApi().as('anna@example.org');
  await anEquipment(anna);
  const body = { title: 't', description: 'd', equipment: iri };

  expect((await anna('POST', '/api/requests', { body })).json).toMatchObject({
    equipment: '/api/equipments/1',
  });
  const patched = await anna('PATCH', '/api/requests/1', {
    body: { equipment: iri },
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });
  expect([patched.status, (await anna('PUT', '/api/requests/1', { body })).status]).toEqual([200, 200]);
  expect(await titles(anna, `?equipment=${encodeURIComponent(iri)}`)).toEqual(['t']);
  const report = { request: iri.replace('equipments', 'requests'), description: 'd' };
  expect((await anna('POST', '/api/troubleshootings', { body: report })).status).toBe(201);
});

test('behind a path of its own the whole address counts, too', async () => {
  const anna = await startApi({ baseUrl: 'https://example.org/esign' }).as('anna@example.org');
  await anEquipment(anna);
  const body = { title: 't', description: 'd', equipment: 'https://example.org/esign/api/equipments/1' };
  expect((await anna('POST', '/api/requests', { body })).status).toBe(201);
  const without = { ...body, equipment: 'https://example.org/api/equipments/1' };
  expect((await anna('POST', '/api/requests', { body: without })).status).toBe(422);
});

test('a collection has the shape of hydra; its members have no context of their own', async () => {
  const anna = await threeRequests(startApi());

  const { json } = await anna('GET', '/api/requests');

  expect(Object.keys(json)).toEqual(['@context', '@id', '@type', TOTAL, MEMBER, VIEW, 'hydra:search']);
  expect(json).toMatchObject({
    '@context': '/api/contexts/Request',
    '@id': '/api/requests',
    '@type': 'hydra:Collection',
    [TOTAL]: 3,
  });
  expect(json[MEMBER]?.[0]).toMatchObject({
    '@id': '/api/requests/3',
    '@type': 'Request',
    id: 3,
    status: 'WAITING_SIGNATURE',
  });
  expect(json[MEMBER]?.[0]).not.toHaveProperty('@context');
  expect(json['hydra:search']).toMatchObject({
    '@type': 'hydra:IriTemplate',
    'hydra:template':
      '/api/requests{?search,status,status[],owner,owner[],equipment,equipment[],createdAt[before],createdAt[strictly_before],createdAt[after],createdAt[strictly_after],order[createdAt],order[statusSince]}',
    'hydra:variableRepresentation': 'BasicRepresentation',
  });
  expect(json['hydra:search']?.['hydra:mapping']?.[0]).toEqual({
    '@type': 'IriTemplateMapping',
    variable: 'search',
    property: 'search',
    required: false,
  });
});

test('a view shows the position of a page, in one spelling of the query', async () => {
  const anna = await threeRequests(startApi());
  for (const [query, view] of VIEWS) {
    const { json } = await anna('GET', `/api/requests${query}`);
    expect.soft(json[VIEW], query).toEqual({ ...view, '@type': 'hydra:PartialCollectionView' });
  }
});

/** Of a list that fits on one page. */
function onePage(path: string): Record<string, string> {
  return { '@id': path, 'hydra:first': path, 'hydra:last': path };
}

const VIEWS: [string, Record<string, string>][] = [
  ['', onePage('/api/requests?page=1')],
  ['?page=', onePage('/api/requests?page=1')],
  ['?page=1&pagination=1', onePage('/api/requests?pagination=1&page=1')],
  ['?itemsPerPage=5', onePage('/api/requests?itemsPerPage=5&page=1')],
  ['?foo=b%20%26r&page=1', onePage('/api/requests?foo=b%20%26r&page=1')],
  ['?itemsPerPage=0', onePage('/api/requests?itemsPerPage=0&page=1')],
  ['?status=unknown', onePage('/api/requests?status=unknown&page=1')],
  [
    '?page=5',
    {
      '@id': '/api/requests?page=5',
      'hydra:first': '/api/requests?page=1',
      'hydra:last': '/api/requests?page=1',
      'hydra:previous': '/api/requests?page=4',
    },
  ],
  [
    '?itemsPerPage=1',
    {
      '@id': '/api/requests?itemsPerPage=1&page=1',
      'hydra:first': '/api/requests?itemsPerPage=1&page=1',
      'hydra:last': '/api/requests?itemsPerPage=1&page=3',
      'hydra:next': '/api/requests?itemsPerPage=1&page=2',
    },
  ],
  [
    '?page=3&itemsPerPage=1',
    {
      '@id': '/api/requests?itemsPerPage=1&page=3',
      'hydra:first': '/api/requests?itemsPerPage=1&page=1',
      'hydra:last': '/api/requests?itemsPerPage=1&page=3',
      'hydra:previous': '/api/requests?itemsPerPage=1&page=2',
    },
  ],
  [
    '?page=9&itemsPerPage=2',
    {
      '@id': '/api/requests?itemsPerPage=2&page=9',
      'hydra:first': '/api/requests?itemsPerPage=2&page=1',
      'hydra:last': '/api/requests?itemsPerPage=2&page=2',
      'hydra:previous': '/api/requests?itemsPerPage=2&page=8',
    },
  ],
  [
    '?status[0]=new&status[1]=in_progress&page=2&itemsPerPage=1&order[createdAt]=DESC',
    {
      '@id':
        '/api/requests?itemsPerPage=1&order%5BcreatedAt%5D=DESC&status%5B%5D=new&status%5B%5D=in_progress&page=2',
      'hydra:first':
        '/api/requests?itemsPerPage=1&order%5BcreatedAt%5D=DESC&status%5B%5D=new&status%5B%5D=in_progress&page=1',
      'hydra:last':
        '/api/requests?itemsPerPage=1&order%5BcreatedAt%5D=DESC&status%5B%5D=new&status%5B%5D=in_progress&page=2',
      'hydra:previous':
        '/api/requests?itemsPerPage=1&order%5BcreatedAt%5D=DESC&status%5B%5D=new&status%5B%5D=in_progress&page=1',
    },
  ],
];

test('asking for the next page gives a view of that very name, up to the end, and every row once', async () => {
  const anna = await threeRequests(startApi());
  const seen: number[] = [];
  const views: [string, string][] = [];
  let path: string | undefined =
    "/api/requests?order[createdAt]=desc&createdAt[after]=2026-03-02T10:00:00%2B02:00&x=a%20b%2Cc!'()*&itemsPerPage=1";

  while (path) {
    const { json } = await anna('GET', path);
    views.push([path, String(json[VIEW]?.['@id'])]);
    seen.push(...[...json[MEMBER]].map((each) => Number(each['id'])));
    path = json[VIEW]?.['hydra:next'];
  }

  expect(seen).toEqual([3, 2, 1]);
  for (const [asked, view] of views.slice(1)) expect(view).toBe(asked);
});

test.each([
  ['?page=0', 400, 'Page should not be less than 1'],
  ['?page=-1', 400, 'Page should not be less than 1'],
  ['?page=abc', 400, 'Page should not be less than 1'],
  ['?page[]=1', 400, 'Page should not be less than 1'],
  ['?page=99999999999999999999', 400, 'Page parameter is too large.'],
  ['?itemsPerPage=-1', 400, 'Limit should not be less than 0'],
  ['?itemsPerPage=0&page=2', 400, 'Page should not be greater than 1 if limit is equal to 0'],
  ['?page=2x', 200, undefined],
  ['?itemsPerPage=abc', 200, undefined],
  ['?page=&itemsPerPage=', 200, undefined],
])('the pagination %s is %i', async (query, status, message) => {
  const anna = await startApi().as('anna@example.org');

  const answer = await anna('GET', `/api/requests${query}`);

  expect(answer.status).toBe(status);
  expect(answer.json['message']).toBe(message);
});

test('a page has 30 rows, 100 at most when asked for more, none when asked to count', async () => {
  const app = startApi();
  const anna = await app.as('anna@example.org');
  for (let i = 0; i < 101; i += 1) await anEquipment(anna);
  const page = async (query: string) => (await anna('GET', `/api/equipments${query}`)).json;

  expect((await page(''))[MEMBER]).toHaveLength(30);
  expect((await page('?itemsPerPage='))[MEMBER]).toHaveLength(30);
  expect((await page('?itemsPerPage=1000'))[MEMBER]).toHaveLength(100);
  expect((await page('?itemsPerPage=1000'))[VIEW]?.['hydra:last']).toBe(
    '/api/equipments?itemsPerPage=1000&page=2',
  );
  expect(await page('?itemsPerPage=0')).toMatchObject({ [MEMBER]: [], [TOTAL]: 101 });
});

test('each filter finds what it names; what makes no sense is ignored, what names nothing finds nothing', async () => {
  const anna = await threeRequests(startApi());
  for (const [query, found] of FILTERS) {
    expect.soft((await titles(anna, query)).join(''), query).toBe(found);
  }
});

const FILTERS: [string, string][] = [
  ['', 'cba'],
  ['?status=new', 'a'],
  ['?status=NEW', 'a'],
  ['?status=new,in_progress', 'ba'],
  ['?status[]=new&status[]=waiting_signature', 'ca'],
  ['?status[0]=new&status[1]=in_progress', 'ba'],
  ['?status=unknown', ''],
  ['?status=', 'cba'],
  ['?status[]=&status=,', 'cba'],
  ['?status[]=new&status[]=', 'a'],
  ['?status=new,unknown', 'a'],
  ['?status[x]=new', 'cba'],
  ['?search=B', 'b'],
  ['?search=B&status=new', ''],
  ['?search=', 'cba'],
  ['?search=nothing-like-it', ''],
  ['?search[]=b', 'cba'],
  ['?equipment=2', 'b'],
  ['?equipment=/api/equipments/2', 'b'],
  ['?equipment=%2Fapi%2Fv1%2Fequipments%2F2', 'b'],
  ['?equipment[]=1&equipment[]=/api/equipments/3', 'ca'],
  ['?equipment=99', ''],
  ['?equipment=abc', ''],
  ['?equipment=', 'cba'],
  ['?equipment=https://contracts.example.org/api/equipments/2,3', 'cb'],
  ['?equipment=https://evil.test/api/equipments/2', ''],
  ['?equipment=2&status=new', ''],
  ['?order[createdAt]=desc', 'cba'],
  ['?order[createdAt]=ASC', 'abc'],
  ['?order[createdAt]=sideways', 'cba'],
  ['?order[id]=DESC&sort=x&order[]=desc&foo[bar]=1', 'cba'],
  ['?createdAt[after]=2026-03-02T10:14:07Z', 'cb'],
  ['?createdAt[after]=2026-03-02T10:14:08Z', 'c'],
  ['?createdAt[strictly_after]=2026-03-02T10:14:07Z', 'c'],
  ['?createdAt[before]=2026-03-02T10:14:07Z', 'ba'],
  ['?createdAt[strictly_before]=2026-03-02T10:14:07Z', 'a'],
  ['?createdAt[after]=2026-03-02T10:14:07%2B00:00&createdAt[before]=2026-03-02T10:14:07%2B00:00', 'b'],
  ['?createdAt[after]=2026-03-02T12:14:07 02:00', 'cb'],
  ['?createdAt[before]=2026-03-02T08:14:07-02:00', 'ba'],
  ['?createdAt[after]=2026-03-02', 'cba'],
  ['?createdAt[before]=2026-03-02', ''],
  ['?createdAt[after]=&createdAt[before]=', 'cba'],
  ['?createdAt=', 'cba'],
  ['?createdAt[before]=9999-12-31T23:59:59-12:00', 'cba'],
  ['?createdAt[after]=0000-01-01T00:00:00%2B12:00', 'cba'],
  ["?status=new'--&equipment=1;drop", ''],
];

const NO_DATE = 'This value is not a valid date.';
const NO_SPELLING =
  'This filter should be one of createdAt[before], createdAt[strictly_before], createdAt[after], createdAt[strictly_after].';

test.each([
  ['createdAt[after]=2026-02-30', { 'createdAt[after]': NO_DATE }],
  ['createdAt[before]=tomorrow', { 'createdAt[before]': NO_DATE }],
  ['createdAt[after]=2026-03-02T25:00', { 'createdAt[after]': NO_DATE }],
  [
    'createdAt[strictly_after]=x&createdAt[strictly_before]=y',
    { 'createdAt[strictly_after]': NO_DATE, 'createdAt[strictly_before]': NO_DATE },
  ],
  ['createdAt[after][]=2027-01-01', { 'createdAt[after]': NO_DATE }],
  ['createdAt=2027-01-01', { createdAt: NO_SPELLING }],
  ['createdAt[since]=2027-01-01', { 'createdAt[since]': NO_SPELLING }],
])('the malformed date filter %s is 400 and named, on every list that has one', async (query, errors) => {
  const admin = await startApi().as('admin@example.org');
  for (const path of ['/api/requests', '/api/contracts', '/api/offers', '/api/troubleshootings']) {
    const { status, json } = await admin('GET', `${path}?${query}&status=new`);
    expect([status, json['errors']]).toEqual([400, errors]);
  }
});

test('an administrator finds the requests of an owner, by number or IRI; for others it is no filter', async () => {
  const app = startApi();
  const anna = await threeRequests(app);
  const ben = await app.as('ben@example.org');
  const admin = await app.as('admin@example.org');
  await aRequest(ben, 'd');
  const [annas, bens] = [
    (await anna('GET', '/api/users/me')).json['id'] as number,
    (await ben('GET', '/api/users/me')).json['id'] as number,
  ];

  for (const [caller, query, found] of [
    [admin, '', 'dcba'],
    [admin, `?owner=${annas}`, 'cba'],
    [admin, `?owner=/api/users/${bens}`, 'd'],
    [admin, `?owner=${annas}&status=new`, 'a'],
    [admin, `?owner=${annas}&search=B`, 'b'],
    [admin, `?owner=${bens}&search=anna`, ''],
    [admin, `?owner=${annas}&equipment=4`, ''],
    [admin, `?owner=${annas},${bens}`, 'dcba'],
    [admin, '?owner=999', ''],
    [ben, `?owner=${annas}`, 'd'],
  ] as const) {
    expect.soft((await titles(caller, query)).join(''), query).toBe(found);
  }
});

describe('what an administrator enters for a customer', () => {
  const boiler = { name: 'Boiler', model: 'B-200', serialNumber: 'SN-1' };
  const words = { title: 'Maintenance', description: 'Yearly.' };

  test('belongs to the customer whose IRI is named', async () => {
    const { as } = startApi();
    const [anna, admin] = [await as('anna@example.org'), await as('admin@example.org')];
    const owner = (await anna('GET', '/api/users/me')).json['@id'];
    const made = await admin('POST', '/api/equipments', { body: { ...boiler, owner } });
    expect([made.status, (await anna('GET', made.json['@id'])).status]).toEqual([201, 200]);
    const body = { ...words, equipment: made.json['@id'], owner, amount: 18_000 };
    const request = await admin('POST', '/api/requests', { body });
    expect(request).toMatchObject({ status: 201, json: { amount: 18_000, currency: 'eur' } });
    expect((await anna('GET', request.json['@id'])).status).toBe(200);
  });

  test('is refused where that IRI is of nobody, no IRI, or not the owner of the equipment', async () => {
    const { as } = startApi();
    const [anna, admin] = [await as('anna@example.org'), await as('admin@example.org')];
    const mine = (await anna('POST', '/api/equipments', { body: boiler })).json['@id'];
    const me = (await admin('GET', '/api/users/me')).json['@id'];
    for (const owner of ['/api/users/999', '/api/equipments/1', 'anna@example.org', 1]) {
      const refused = await admin('POST', '/api/equipments', { body: { ...boiler, owner } });
      expect([refused.status, Object.keys(refused.json['errors'] as object)]).toEqual([422, ['owner']]);
    }
    const refused = await admin('POST', '/api/requests', { body: { ...words, equipment: mine, owner: me } });
    expect([refused.status, Object.keys(refused.json['errors'] as object)]).toEqual([422, ['equipment']]);
  });

  test('a customer’s own owner and price are not looked at, and somebody else’s equipment is none', async () => {
    const { as } = startApi();
    const [anna, ben] = [await as('anna@example.org'), await as('ben@example.org')];
    const owner = (await ben('GET', '/api/users/me')).json['@id'];
    const { json } = await anna('POST', '/api/equipments', { body: { ...boiler, owner } });
    expect((await ben('GET', json['@id'])).status).toBe(404);
    const body = { ...words, equipment: json['@id'], owner, amount: 1 };
    const { json: request } = await anna('POST', '/api/requests', { body });
    expect(request['amount']).toBeUndefined();
    await anna('PATCH', request['@id'], {
      body: { amount: 1 },
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    expect((await anna('GET', request['@id'])).json['amount']).toBeUndefined();
    expect((await ben('POST', '/api/requests', { body })).status).toBe(422);
  });

  test('can be written back as it was read: a contract that is over, or was sent, sets no price of the request', async () => {
    const app = startApi();
    const [anna, admin] = [await app.as('anna@example.org'), await app.as('admin@example.org')];
    await aRequest(anna);
    const path = '/api/requests/1';
    app.ctx.db.raw
      .exec(`INSERT INTO contracts (requestId, status, key, externalId, amount, currency, createdAt)
      VALUES (1, 'EXPIRED', '0123456789abcdef', 'esign-1', 12000, 'eur', '2026-03-02T09:00:00.000Z')`);
    for (const status of ['new', 'COMPLETE']) {
      app.ctx.db.raw.prepare('UPDATE requests SET status = ?').run(status);
      const { title, description, equipment, amount } = (await admin('GET', path)).json;
      const body = { title, description, equipment, amount };
      expect((await admin('PUT', path, { body })).status).toBe(200);
      expect(app.ctx.db.raw.prepare('SELECT amount FROM requests').pluck().get()).toBeNull();
    }
  });
});
