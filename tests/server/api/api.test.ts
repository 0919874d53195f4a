/** What holds for the whole API: shapes, headers, negotiation, errors. */
import { expect, test } from 'vitest';
import { chooseCoding } from '../../../src/server/http/media-types.js';
import { anEquipment, apiFor, aRequest, startApi } from '../support.js';

const LINK =
  '<https://contracts.example.org/api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"';

test('an item names its context, itself and its type, and leaves out what is null', async () => {
  const { anna } = await apiFor(['anna']);
  const created = await aRequest(anna);

  const { status, headers, json } = await anna('GET', '/api/requests/1');

  expect(status).toBe(200);
  expect(json).toEqual({
    '@context': '/api/contexts/Request',
    '@id': '/api/requests/1',
    '@type': 'Request',
    id: 1,
    reference: 'REQ-2026-000001',
    title: 'Boiler is cold',
    description: 'No hot water since Monday.',
    equipment: '/api/equipments/1',
    status: 'new',
    createdAt: '2026-03-02T09:14:07+00:00',
    updatedAt: '2026-03-02T09:14:07+00:00',
    customer: 'anna@example.org',
    name: 'Eve Martin',
    statusSince: '2026-03-02T09:14:07+00:00',
  });
  expect(created).toEqual(json);
  expect(headers.get('Content-Location')).toBe('/api/requests/1');
});

test('every answer carries the headers that clients of such an API look for', async () => {
  const { anna } = await apiFor(['anna']);
  for (const path of ['/api', '/api/requests', '/api/requests/99', '/api/nowhere', '/api/contexts/Request']) {
    const { headers } = await anna('GET', path);
    expect(headers.get('Link')).toBe(LINK);
    expect(headers.get('Content-Type')).toBe('application/ld+json; charset=utf-8');
    expect(headers.get('Vary')).toBe('Accept');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('X-Frame-Options')).toBe('deny');
    expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test('a creation answers 201 with the item and says where it is', async () => {
  const { anna } = await apiFor(['anna']);
  const words = { name: 'Boiler', model: 'B-200', serialNumber: 'SN' };

  const strange = { id: 99, '@id': '/api/equipments/7', owner: 3 };
  const { status, headers, json } = await anna('POST', '/api/equipments', { body: { ...words, ...strange } });

  expect(status).toBe(201);
  for (const name of ['Location', 'Content-Location']) expect(headers.get(name)).toBe('/api/equipments/1');
  expect(json).toEqual({
    '@context': '/api/contexts/Equipment',
    '@id': '/api/equipments/1',
    '@type': 'Equipment',
    id: 1,
    ...words,
    owner: '/api/users/1',
    createdAt: '2026-03-02T09:14:07+00:00',
  });
});

test('/api/v1 is the same API; names stay those of /api', async () => {
  const { anna } = await apiFor(['anna']);
  const equipment = await anna('POST', '/api/v1/equipments', {
    body: { name: 'Boiler', model: 'B-200', serialNumber: 'SN' },
  });
  const request = await anna('POST', '/api/v1/requests', {
    body: { title: 't', description: 'd', equipment: '/api/v1/equipments/1' },
  });
  const list = await anna('GET', '/api/v1/requests?itemsPerPage=1');

  expect(equipment.headers.get('Location')).toBe('/api/equipments/1');
  expect(request.json['equipment']).toBe('/api/equipments/1');
  expect(list.json['@id']).toBe('/api/requests');
  expect(list.json['hydra:view']?.['@id']).toBe('/api/requests?itemsPerPage=1&page=1');
  expect(list.headers.get('Link')).toContain('</api/requests>; rel="canonical"');
  expect((await anna('GET', '/api/v1')).json['@id']).toBe('/api');
  expect((await anna('GET', '/api/v1x/requests')).status).toBe(404);
});

test('an ETag that the client has spares the body', async () => {
  const { anna } = await apiFor(['anna']);
  await anEquipment(anna);
  const first = await anna('GET', '/api/equipments');
  const etag = first.headers.get('ETag') ?? '';

  const again = await anna('GET', '/api/equipments', { headers: { 'If-None-Match': `"other", W/${etag}` } });
  expect(again.status).toBe(304);
  expect(again.text).toBe('');
  expect(again.headers.get('ETag')).toBe(etag);

  await anEquipment(anna);
  const changed = await anna('GET', '/api/equipments', { headers: { 'If-None-Match': etag } });
  expect(changed.status).toBe(200);
});

test('a list comes in the media type that its caller likes best, with the same hydra body, else it is 406', async () => {
  const { anna } = await apiFor(['anna']);
  for (const [type, accepts] of Object.entries(ACCEPTED)) {
    for (const Accept of accepts) {
      const { status, headers, json } = await anna('GET', '/api/equipments', { headers: { Accept } });
      const answered = [Accept, status, headers.get('Content-Type'), json['hydra:member']];
      expect.soft(answered).toEqual([Accept, 200, `${type}; charset=utf-8`, []]);
    }
  }
  for (const Accept of ['text/html', 'text/plain;q=1', 'nonsense', 'application/ld+json;q=0']) {
    const { status, json } = await anna('GET', '/api/requests', { headers: { Accept } });
    const message = `Requested format "${Accept}" is not supported. Supported MIME types are "application/ld+json", "application/json".`;
    expect.soft([status, json['message']]).toEqual([406, message]);
  }
});

const ACCEPTED = {
  'application/ld+json': [
    '*/*',
    'application/*',
    'application/ld+json',
    'application/ld+json, application/json;q=0.9',
    'application/json;q=0.5, application/ld+json',
    'text/html,application/xhtml+xml,*/*;q=0.8',
    '*/*;q=0.9, application/json;q=0.1',
    'application/*;q=0.2, application/json;q=0.1, */*;q=0.9',
    'application/ld+json;profile="a,b;q=0";q=1, application/json;q=0.9',
  ],
  'application/json': [
    'application/json',
    'application/json, text/plain, */*',
    'application/ld+json;q=0, */*',
    'application/ld+json;q=0.1, */*;q=0.9',
    '*/*, application/json',
    'Application/JSON; Charset=UTF-8',
    'application/json;profile="\\"a, b", application/ld+json;q=0.9',
  ],
};

test.each([
  [undefined, undefined],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0, gzip; q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['identity', undefined],
  ['identity, br;q=0.5', undefined],
  ['BR', 'br'],
])('Accept-Encoding %s: of br and gzip, %s', (accepted, coding) => {
  expect(chooseCoding(accepted, ['br', 'gzip'])).toBe(coding);
});

test('an error says the same in the words of every kind of client', async () => {
  const { anna } = await apiFor(['anna']);

  const { status, json } = await anna('POST', '/api/equipments', { body: { name: ' ', model: 7 } });

  const errors = {
    name: 'This value should not be blank.',
    model: 'This value should be of type string.',
    serialNumber: 'This value should not be blank.',
  };
  const told = Object.entries(errors);
  const detail = told.map(([name, message]) => `${name}: ${message}`).join('\n');
  expect(status).toBe(422);
  expect(json).toEqual({
    '@context': '/api/contexts/ConstraintViolationList',
    '@type': 'ConstraintViolationList',
    code: 422,
    message: 'Validation failed',
    errors,
    'hydra:title': 'An error occurred',
    'hydra:description': detail,
    title: 'An error occurred',
    detail,
    status: 422,
    violations: told.map(([propertyPath, message]) => ({ propertyPath, message })),
  });
});

test.each([
  ['application/json', 'application/json'],
  ['application/problem+json', 'application/problem+json'],
  ['text/html', 'application/ld+json'],
])('an error for Accept %s comes as %s', async (Accept, type) => {
  const { status, headers } = await startApi().call('GET', '/api/requests', { headers: { Accept } });
  expect([status, headers.get('Content-Type')]).toEqual([401, `${type}; charset=utf-8`]);
});

test('unknown routes are 404, known ones with another method 405 with the allowed ones; both before any log-in', async () => {
  const { call } = startApi();

  const unknown = await call('GET', '/api/nowhere');
  expect(unknown.status).toBe(404);
  expect(unknown.json).toMatchObject({
    code: 404,
    message: 'No route found for "GET /api/nowhere"',
    errors: {},
  });

  const wrong = await call('PATCH', '/api/v1/requests');
  expect(wrong.status).toBe(405);
  expect(wrong.headers.get('Allow')).toBe('GET, HEAD, POST');
  expect(wrong.json['message']).toBe(
    'No route found for "PATCH /api/requests": Method Not Allowed (Allow: GET, HEAD, POST)',
  );
  expect((await call('OPTIONS', '/api/login_check')).headers.get('Allow')).toBe('POST');
  expect((await call('GET', '/api/requests/abc')).status).toBe(404);
  for (const path of ['/api/nothing/', '/api/requests//', '//', '//api', '/webhook/']) {
    expect.soft([path, (await call('GET', path)).status]).toEqual([path, 404]);
  }
});

test('a slash at the end of a path changes nothing, and nobody is sent elsewhere', async () => {
  const { admin } = await apiFor(['admin']);
  const body = { name: 'Boiler', model: 'B-200', serialNumber: 'SN' };
  const made = await admin('POST', '/api/equipments/', { body });
  expect([made.status, made.headers.get('Location')]).toEqual([201, '/api/equipments/1']);

  const paths =
    '/api /api/v1 /api/docs /api/docs.json /api/contexts/Request /api/requests /healthz /api/v1/equipments /api/equipments/1 /api/users/me';
  for (const path of paths.split(' ')) {
    const [bare, slashed] = [await admin('GET', path), await admin('GET', `${path}/`)];
    expect.soft([path, slashed.status, slashed.text]).toEqual([path, 200, bare.text]);
    expect.soft(slashed.headers.get('ETag')).toBe(bare.headers.get('ETag'));
  }
  const paged = await admin('GET', '/api/v1/equipments/?page=1');
  expect(paged.json).toEqual((await admin('GET', '/api/equipments?page=1')).json);
  expect(paged.headers.get('Link')).toContain('</api/equipments>; rel="canonical"');
  const slashed = await admin('GET', '/api/equipments/');
  expect(slashed.headers.get('Link')).toContain('</api/equipments>; rel="canonical"');

  const patched = await admin('PATCH', '/api/equipments/1/', { body: { model: 'B-300' } });
  expect(patched.json['model']).toBe('B-300');
  const wrong = await admin('PUT', '/api/login_check/');
  expect([wrong.status, wrong.headers.get('Allow')]).toEqual([405, 'POST']);
  expect((await admin('DELETE', '/api/equipments/1/')).status).toBe(204);
});

test('/ leads a browser to the back office, and tells a program where the API is', async () => {
  const { call } = startApi();
  const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

  const led = await call('GET', '/', { headers: browser });
  expect([led.status, led.headers.get('Location')]).toEqual([303, '/admin']);
  expect((await call('POST', '/', { headers: browser })).status).toBe(405);

  for (const Accept of [undefined, '*/*', 'application/json', 'application/ld+json']) {
    const told = await call('GET', '/', Accept ? { headers: { Accept } } : {});
    expect(told.status).toBe(200);
    expect(told.json).toMatchObject({ api: '/api', documentation: '/api/docs' });
    expect(told.headers.get('Vary')).toContain('Accept');
  }
});

test('a body that is no JSON object, too deep or too large is refused as what it is', async () => {
  const { anna } = await apiFor(['anna']);
  for (const [what, body, expected] of BODIES) {
    const { status, json } = await anna('POST', '/api/equipments', { body });
    expect.soft([what, status, json['code']]).toEqual([what, expected, expected]);
  }
});

const BODIES: [string, string | Uint8Array, number][] = [
  ['malformed', '{"name":', 400],
  ['empty', '', 400],
  ['a list', '[]', 400],
  ['a string', '"x"', 400],
  ['null', 'null', 400],
  ['no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
  ['33 deep', `{"a":${'['.repeat(32)}${']'.repeat(32)}}`, 400],
  ['32 deep', `{"a":${'['.repeat(31)}${']'.repeat(31)}}`, 422],
  ['brackets in a string', `{"a":"${'[{'.repeat(50)}\\"${'['.repeat(50)}"}`, 422],
  ['50,000 deep', '['.repeat(50_000), 400],
  ['1 MiB', `{"a":"${'x'.repeat(1024 * 1024 - 8)}"}`, 422],
  ['1 MiB and a byte', `{"a":"${'x'.repeat(1024 * 1024 - 7)}"}`, 413],
  ['__proto__', '{"__proto__":{"name":"a","model":"b","serialNumber":"c"}}', 422],
];

test('a body in another media type is 415, also without one', async () => {
  const { anna } = await apiFor(['anna']);
  const post = (headers: Record<string, string>) => anna('POST', '/api/equipments', { body: '{}', headers });

  expect((await post({ 'Content-Type': 'text/plain' })).json['message']).toBe(
    'The content-type "text/plain" is not supported. Supported MIME types are "application/ld+json", "application/json".',
  );
  expect((await post({ 'Content-Type': 'application/merge-patch+json' })).status).toBe(415);
  expect((await post({ 'Content-Type': 'application/ld+json; charset=utf-8' })).status).toBe(422);
  expect((await anna('POST', '/api/equipments')).json['message']).toBe(
    'The "Content-Type" header must exist.',
  );
  expect((await anna('GET', '/api/equipments', { headers: { 'Content-Type': 'text/plain' } })).status).toBe(
    200,
  );
});

test('GET routes answer HEAD with the same headers', async () => {
  const { anna } = await apiFor(['anna']);
  const get = await anna('GET', '/api/equipments');

  const head = await anna('HEAD', '/api/equipments');

  expect(head.status).toBe(200);
  expect(head.text).toBe('');
  expect(head.headers.get('ETag')).toBe(get.headers.get('ETag'));
});

test('the entry and the contexts are open to everybody and name every collection', async () => {
  const { call } = startApi();

  expect((await call('GET', '/api')).json).toEqual({
    '@context': '/api/contexts/Entrypoint',
    '@id': '/api',
    '@type': 'Entrypoint',
    contract: '/api/contracts',
    equipment: '/api/equipments',
    offer: '/api/offers',
    price: '/api/prices',
    request: '/api/requests',
    troubleshooting: '/api/troubleshootings',
    user: '/api/users',
    webhook: '/api/webhooks',
  });
  for (const name of ['Entrypoint', 'Error', 'ConstraintViolationList', 'Request', 'Contract.jsonld']) {
    const { status, json } = await call('GET', `/api/contexts/${name}`);
    expect(status).toBe(200);
    expect(json['@context']?.['@vocab']).toBe('https://contracts.example.org/api/docs.jsonld#');
  }
  expect((await call('GET', '/api/contexts/Request')).json['@context']).toMatchObject({
    title: 'Request/title',
    equipment: { '@id': 'Request/equipment', '@type': '@id' },
    'hydra:next': { '@type': '@id' },
  });
  expect((await call('GET', '/api/contexts/Nothing')).status).toBe(404);
});

test('an unexpected error reveals a request id and nothing else; the log has the rest', async () => {
  const { ctx, anna, logged } = await apiFor(['anna']);
  ctx.db.raw.exec('DROP TABLE equipments');

  const { status, json, headers, text } = await anna('GET', '/api/equipments');

  expect(status).toBe(500);
  expect(json).toMatchObject({ code: 500, message: 'Internal Server Error', errors: {} });
  expect(json['requestId']).toBe(headers.get('X-Request-Id'));
  expect(text).not.toMatch(/equipments|sqlite|\.ts/i);
  expect(logged()).toContainEqual(expect.objectContaining({ msg: 'request failed', level: 50 }));
});

test("a caller's own request id is kept when it is harmless", async () => {
  const { call } = startApi();
  const idFor = async (id: string) =>
    (await call('GET', '/healthz', { headers: { 'X-Request-Id': id } })).headers.get('X-Request-Id');

  expect(await idFor('proxy-1234567')).toBe('proxy-1234567');
  expect(await idFor('a"b{}')).not.toBe('a"b{}');
});
