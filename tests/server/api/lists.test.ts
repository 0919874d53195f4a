/** The collections of the API: their shape, their pages, and how each kind of filter is spelled; what each list is filtered by: resources.test.ts. */
import { expect, test } from 'vitest';
import { surveyOf } from '../../../src/server/api/docs/survey.js';
import { aRequest, apiFor, type Caller } from '../support.js';

const MEMBER = 'hydra:member';
const TOTAL = 'hydra:totalItems';
const VIEW = 'hydra:view';

async function ids(caller: Caller, path: string): Promise<string> {
  const { json } = await caller('GET', path);
  const found = [...json[MEMBER]];
  expect([path, json[TOTAL]]).toEqual([path, found.length]);
  return found.map((each) => each['id']).join('');
}

/**
 * Requests 1 to 3 of anna, made an hour apart from 09:14:07.250; the second is in progress, the third waits for its
 * signature. Request 4 is ben's.
 */
async function fourRequests() {
  const api = await apiFor(['anna', 'ben', 'admin']);
  for (const title of ['a', 'b', 'c']) await aRequest(api.anna, title);
  api.ctx.db.raw.exec(`
    UPDATE requests SET createdAt = format('2026-03-02T%02d:14:07.250Z', 8 + id),
      status = CASE id WHEN 1 THEN 'new' WHEN 2 THEN 'in_progress' ELSE 'WAITING_SIGNATURE' END`);
  await aRequest(api.ben, 'd');
  return api;
}

test('a collection has the shape of hydra; its members have no context of their own', async () => {
  const { anna } = await fourRequests();

  const { json } = await anna('GET', '/api/requests');

  expect(Object.keys(json)).toEqual(['@context', '@id', '@type', TOTAL, MEMBER, VIEW, 'hydra:search']);
  const of = { '@context': '/api/contexts/Request', '@id': '/api/requests', '@type': 'hydra:Collection' };
  expect(json).toMatchObject({ ...of, [TOTAL]: 3 });
  const newest = { '@id': '/api/requests/3', '@type': 'Request', id: 3, status: 'WAITING_SIGNATURE' };
  expect(json[MEMBER]?.[0]).toMatchObject(newest);
  expect(json[MEMBER]?.[0]).not.toHaveProperty('@context');
  const search = { '@type': 'hydra:IriTemplate', 'hydra:variableRepresentation': 'BasicRepresentation' };
  expect(json['hydra:search']).toMatchObject(search);
  const variable = { variable: 'search', property: 'search', required: false };
  expect(json['hydra:search']?.['hydra:mapping']?.[0]).toEqual({
    '@type': 'IriTemplateMapping',
    ...variable,
  });
});

test('hydra:search tells what the declaration says; every list has a view, an empty one too', async () => {
  const { app, admin } = await apiFor(['admin']);
  const body = { url: 'https://93.184.216.34/hook', event: 'offer.created', secret: 'a secret of the tests' };
  await admin('POST', '/api/webhooks', { body });
  const { resources } = surveyOf(app);
  expect(resources.map(({ type }) => type)).toEqual(expect.arrayContaining(['Request', 'WebhookDelivery']));
  for (const { type, path: declared, parameters } of resources) {
    const path = type === 'WebhookDelivery' ? '/api/webhooks/1/deliveries' : declared;
    const { json } = await admin('GET', path);
    const names = parameters.map(({ name }) => name);
    const { 'hydra:template': template, 'hydra:mapping': mapping } = json['hydra:search'] ?? {};
    expect([type, [...(mapping ?? [])].map((each) => each['variable'])]).toEqual([type, names]);
    expect(template).toBe(`${path}{?${names.join(',')}}`);
    expect(json[VIEW]).toEqual(viewOf(`${path}?`, 1, 1));
    expect((await admin('GET', `${path}?page=1`)).json[VIEW]).toEqual(json[VIEW]);
  }
});

/** What is said of a page, all of whose addresses begin so. */
function viewOf(begin: string, page: number, last: number): Record<string, string> {
  const of = (one: number) => `${begin}page=${one}`;
  return {
    '@id': of(page),
    '@type': 'hydra:PartialCollectionView',
    'hydra:first': of(1),
    'hydra:last': of(last),
    ...(page > 1 && { 'hydra:previous': of(page - 1) }),
    ...(page < last && { 'hydra:next': of(page + 1) }),
  };
}

test('a view shows the position of a page, in one spelling of the query', async () => {
  const { anna } = await fourRequests();
  const order = 'order%5BcreatedAt%5D=DESC';
  for (const [query, begin, page, last] of [
    ['', '', 1, 1],
    ['?page=', '', 1, 1],
    ['?page=1&pagination=1', 'pagination=1&', 1, 1],
    ['?foo=b%20%26r&page=1', 'foo=b%20%26r&', 1, 1],
    ['?itemsPerPage=0', 'itemsPerPage=0&', 1, 1],
    ['?status=unknown', 'status=unknown&', 1, 1],
    ['?page=5', '', 5, 1],
    ['?itemsPerPage=1', 'itemsPerPage=1&', 1, 3],
    ['?page=3&itemsPerPage=1', 'itemsPerPage=1&', 3, 3],
    ['?page=9&itemsPerPage=2', 'itemsPerPage=2&', 9, 2],
    [
      '?status[0]=new&status[1]=in_progress&page=2&itemsPerPage=1&order[createdAt]=DESC',
      `itemsPerPage=1&${order}&status%5B%5D=new&status%5B%5D=in_progress&`,
      2,
      2,
    ],
  ] as const) {
    const { json } = await anna('GET', `/api/requests${query}`);
    expect.soft(json[VIEW], query).toEqual(viewOf(`/api/requests?${begin}`, page, last));
  }
});

test('asking for the next page gives a view of that very name, up to the end, and every row once', async () => {
  const { anna } = await fourRequests();
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

const NO_DATE = 'This value is not a valid date.';
const NO_SPELLING =
  'This filter should be one of createdAt[before], createdAt[strictly_before], createdAt[after], createdAt[strictly_after].';

test('an impossible page, size or date is 400 and says what is wrong', async () => {
  const { admin } = await apiFor(['admin']);
  for (const [query, told] of [
    ['page=0', 'Page should not be less than 1'],
    ['page=-1', 'Page should not be less than 1'],
    ['page=abc', 'Page should not be less than 1'],
    ['page[]=1', 'Page should not be less than 1'],
    ['page=99999999999999999999', 'Page parameter is too large.'],
    ['itemsPerPage=-1', 'Limit should not be less than 0'],
    ['itemsPerPage=0&page=2', 'Page should not be greater than 1 if limit is equal to 0'],
    ['createdAt[after]=2026-02-30', { 'createdAt[after]': NO_DATE }],
    ['createdAt[before]=tomorrow', { 'createdAt[before]': NO_DATE }],
    ['createdAt[after]=2026-03-02T25:00', { 'createdAt[after]': NO_DATE }],
    [
      'createdAt[strictly_after]=x&createdAt[strictly_before]=y',
      { 'createdAt[strictly_after]': NO_DATE, 'createdAt[strictly_before]': NO_DATE },
    ],
    ['createdAt[after][]=2027-01-01', { 'createdAt[after]': NO_DATE }],
    ['createdAt=2027-01-01&status=new', { createdAt: NO_SPELLING }],
    ['createdAt[since]=2027-01-01', { 'createdAt[since]': NO_SPELLING }],
  ] as const) {
    const { status, json } = await admin('GET', `/api/requests?${query}`);
    const said = typeof told === 'string' ? { message: told } : { errors: told };
    expect.soft([query, status, json]).toMatchObject([query, 400, said]);
  }
  for (const query of ['page=2x', 'itemsPerPage=abc', 'page=&itemsPerPage='])
    expect.soft([query, (await admin('GET', `/api/requests?${query}`)).status]).toEqual([query, 200]);
});

test('a page has 30 rows, 100 at most when asked for more, none when asked to count', async () => {
  const { anna, ctx } = await apiFor(['anna']);
  ctx.db.raw.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 101)
    INSERT INTO equipments (ownerId, name, model, serialNumber, createdAt, updatedAt)
      SELECT 1, 'B', 'B', i, '2026-03-02T09:14:07.250Z', '2026-03-02T09:14:07.250Z' FROM n`);
  const page = async (query: string) => (await anna('GET', `/api/equipments${query}`)).json;

  expect((await page(''))[MEMBER]).toHaveLength(30);
  expect((await page('?itemsPerPage='))[MEMBER]).toHaveLength(30);
  const most = await page('?itemsPerPage=1000');
  expect(most[MEMBER]).toHaveLength(100);
  expect(most[VIEW]).toEqual(viewOf('/api/equipments?itemsPerPage=1000&', 1, 2));
  expect(await page('?itemsPerPage=0')).toMatchObject({ [MEMBER]: [], [TOTAL]: 101 });
});

test('each kind of filter finds what it names; what makes no sense is ignored, what names nothing finds nothing', async () => {
  const { ctx, anna, ben, admin } = await fourRequests();
  for (const event of ['request.created', 'request.updated', 'offer.created']) {
    const body = { url: 'https://93.184.216.34/hook', event, secret: 'a secret of the tests' };
    await anna('POST', '/api/webhooks', { body });
  }
  ctx.db.raw.exec(
    `UPDATE webhooks SET active = 0 WHERE id = 2; UPDATE equipments SET serialNumber = 'S,' || id`,
  );
  for (const [query, found] of FILTERS) {
    const path = query.startsWith('/') ? query : `/api/requests${query}`;
    expect.soft([query, await ids(anna, path)]).toEqual([query, found]);
  }
  for (const [query, found] of [
    ['', '3241'],
    ['?owner=1', '321'],
    ['?owner=/api/users/2', '4'],
    ['?owner=1&status=new', '1'],
    ['?owner=1&search=B', '2'],
    ['?owner=2&search=anna', ''],
    ['?owner=1&equipment=4', ''],
    ['?owner=1,2', '3241'],
    ['?owner=999', ''],
  ] as const)
    expect.soft([query, await ids(admin, `/api/requests${query}`)]).toEqual([query, found]);
  expect(await ids(ben, '/api/requests?owner=1')).toBe('4');
  expect(await ids(admin, '/api/users')).toBe('123');
  expect(await ids(admin, '/api/users?username=Anna@Example.org')).toBe('1');
});

/** Of requests, where no other path is named. */
const FILTERS: [query: string, ids: string][] = [
  ['', '321'],
  // One of several words.
  ['?status=new', '1'],
  ['?status=NEW', '1'],
  ['?status=new,in_progress', '21'],
  ['?status[]=new&status[]=waiting_signature', '31'],
  ['?status[0]=new&status[1]=in_progress', '21'],
  ['?status=unknown', ''],
  ['?status=', '321'],
  ['?status[]=&status=,', '321'],
  ['?status[]=new&status[]=', '1'],
  ['?status=new,unknown', '1'],
  ['?status[x]=new', '321'],
  ["?status=new'--&equipment=1;drop", ''],
  ['/api/webhooks?event=Request.Created', '1'],
  ['/api/webhooks?event=request.updated,offer.created', '23'],
  // A search.
  ['?search=B', '2'],
  ['?search=B&status=new', ''],
  ['?search=', '321'],
  ['?search=nothing-like-it', ''],
  ['?search[]=b', '321'],
  // Another resource, by number or IRI.
  ['?equipment=2', '2'],
  ['?equipment=/api/equipments/2', '2'],
  ['?equipment=%2Fapi%2Fv1%2Fequipments%2F2', '2'],
  ['?equipment[]=1&equipment[]=/api/equipments/3', '31'],
  ['?equipment=99', ''],
  ['?equipment=abc', ''],
  ['?equipment=/api/requests/2', ''],
  ['?equipment=', '321'],
  ['?equipment=https://contracts.example.org/api/equipments/2,3', '32'],
  ['?equipment=https://evil.test/api/equipments/2', ''],
  ['?equipment=2&status=new', ''],
  // A text, which may hold commas.
  ['/api/equipments?serialNumber=S,2', '2'],
  ['/api/equipments?serialNumber[]=S,3&serialNumber[]=S,1&serialNumber[]=x', '13'],
  ['/api/equipments?serialNumber=s,2', ''],
  ['/api/equipments?serialNumber=', '123'],
  // Yes or no.
  ['/api/webhooks?active=true', '13'],
  ['/api/webhooks?active=0', '2'],
  ['/api/webhooks?active=perhaps', '123'],
  ['/api/webhooks?event[]=request.updated&active=false', '2'],
  // A span of time, to the second.
  ['?createdAt[after]=2026-03-02T10:14:07Z', '32'],
  ['?createdAt[after]=2026-03-02T10:14:08Z', '3'],
  ['?createdAt[strictly_after]=2026-03-02T10:14:07Z', '3'],
  ['?createdAt[before]=2026-03-02T10:14:07Z', '21'],
  ['?createdAt[strictly_before]=2026-03-02T10:14:07Z', '1'],
  ['?createdAt[after]=2026-03-02T10:14:07%2B00:00&createdAt[before]=2026-03-02T10:14:07%2B00:00', '2'],
  ['?createdAt[after]=2026-03-02T12:14:07 02:00', '32'],
  ['?createdAt[before]=2026-03-02T08:14:07-02:00', '21'],
  ['?createdAt[after]=2026-03-02', '321'],
  ['?createdAt[before]=2026-03-02', ''],
  ['?createdAt[after]=&createdAt[before]=', '321'],
  ['?createdAt=', '321'],
  ['?createdAt[before]=9999-12-31T23:59:59-12:00', '321'],
  ['?createdAt[after]=0000-01-01T00:00:00%2B12:00', '321'],
  // The order.
  ['?order[createdAt]=desc', '321'],
  ['?order[createdAt]=ASC', '123'],
  ['?order[createdAt]=sideways', '321'],
  ['?order[id]=DESC&sort=x&order[]=desc&foo[bar]=1', '321'],
  ['/api/equipments?order[model]=desc&order[name]=up', '123'],
];
