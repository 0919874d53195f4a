/**
 * Who may call what (rules 6), of every operation. What belongs to somebody else is answered like what is not there, to
 * the byte: nobody learns which ids are taken.
 */
import { describe, expect, test } from 'vitest';
import { startApp } from '../../support/app.js';
import { apiOf, type Caller } from '../support.js';
import { describedBy, type DescribedOperation } from './docs/described.js';

const TAKEN = 1;
const FREE = 999;

/** What a customer may call below /api; everything else there, and the manual check, is for administrators. */
const FOR_CUSTOMERS = Object.entries({
  GET: 'contracts contracts/{id} contracts/{id}/pdf equipments equipments/{id} offers offers/{id} requests requests/{id} \
troubleshootings troubleshootings/{id} users/{id} users/me webhooks webhooks/{id} webhooks/{id}/deliveries webhook_deliveries/{id}',
  POST: 'equipments requests troubleshootings webhooks webhooks/{id}/ping webhook_deliveries/{id}/redeliver',
  PUT: 'equipments/{id} requests/{id}',
  PATCH: 'equipments/{id} requests/{id} troubleshootings/{id} users/me webhooks/{id}',
  DELETE: 'equipments/{id} requests/{id} troubleshootings/{id} webhooks/{id}',
}).flatMap(([method, paths]) => paths.split(' ').map((path) => `${method} /api/${path}`));

/** Open to everybody, or to who has a token of another kind. */
const OPEN = /^\/api(\/(docs|contexts|index|login_check|token)\b.*)?$/;
const isSecured = ({ path }: DescribedOperation) =>
  /^\/(api|check_signature)\b/.test(path) && !OPEN.test(path);

test('without a token every operation is 401; what is for administrators is 403 to a customer, to whom it belongs too', async () => {
  const { operations, ask } = await annasThings();
  // What removes things comes last, so that the others find something.
  const secured = operations
    .filter(isSecured)
    .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
  for (const operation of secured) {
    const { name } = operation;
    expect([name, (await ask('nobody', operation, TAKEN)).status]).toEqual([name, 401]);
    const { status, text } = await ask('anna', operation, TAKEN);
    const isDone = operation.method === 'GET' ? status === 200 : ![401, 404, 405].includes(status);
    const became = status === 403 ? JSON.parse(text).message : isDone;
    expect([name, became]).toEqual([name, FOR_CUSTOMERS.includes(name) || 'Access Denied.']);
  }
  expect(secured.map(({ name }) => name)).toEqual(expect.arrayContaining(FOR_CUSTOMERS));
});

describe('somebody else’s', () => {
  test('item is like one that is not there, for every operation', async () => {
    const { operations, ask } = await annasThings();
    // The price list is nobody's.
    for (const operation of operations.filter(({ path }) => /^\/api\/(?!prices).*\{id\}/.test(path))) {
      const { name } = operation;
      const missing = await ask('ben', operation, FREE);
      expect([name, missing.status]).toEqual([name, 404]);
      expect([name, await ask('ben', operation, TAKEN)]).toEqual([name, missing]);
    }
  });

  test('things are in no list; an administrator’s has all', async () => {
    const { operations, ask } = await annasThings();
    const lists = operations.filter(
      ({ name }) => FOR_CUSTOMERS.includes(name) && /^GET \/api\/\w+$/.test(name),
    );
    expect(lists).toHaveLength(6);
    const found = async (who: string) => {
      const answers = await Promise.all(lists.map((operation) => ask(who, operation, TAKEN)));
      return answers.map(({ text }) => (JSON.parse(text) as Record<string, number>)['hydra:totalItems']);
    };
    expect(await found('anna')).toEqual(lists.map(() => 1));
    expect(await found('admin')).toEqual(lists.map(() => 1));
    expect(await found('ben')).toEqual(lists.map(() => 0));
  });
});

/** Anna, whose id is 1 like those of all that is hers, and Ben, who has nothing. */
async function annasThings() {
  const service = await startApp({
    env: { ESIGN_RATE_LIMIT_IP: '0', ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' },
  });
  const { app, as, call } = apiOf(service);
  const anna = await as('anna@example.org');
  const admin = await as('admin@example.org');
  const callers: Record<string, Caller> = { anna, ben: await as('ben@example.org'), admin, nobody: call };
  const request = '/api/requests/1';
  const equipment = '/api/equipments/1';
  const hook = { url: 'https://127.0.0.1/', event: 'request.created', secret: 'a secret of my own' };
  for (const [caller, path, body] of [
    [anna, '/api/equipments', { name: 'Boiler', model: 'B-200', serialNumber: 'SN-1' }],
    [anna, '/api/requests', { title: 't', description: 'd', equipment }],
    [anna, '/api/troubleshootings', { request, description: 'Cold again' }],
    [anna, '/api/webhooks', hook],
    [anna, '/api/webhooks/1/ping', undefined],
    [admin, '/api/offers', { request, amount: 12_000 }],
    [admin, '/api/prices', { words: 'boiler', amount: 12_000 }],
    [admin, `${request}/signature`, undefined],
  ] as const)
    expect([path, (await caller('POST', path, { body })).status < 300]).toEqual([path, true]);

  const ask = async (who: string, { method, path, bodies }: DescribedOperation, id: number) => {
    const [type = ''] = Object.keys(bodies);
    const isTyped = type !== '' && type !== 'multipart/form-data';
    const options = isTyped ? { body: '{}', headers: { 'Content-Type': type } } : {};
    const { status, text } = await (callers[who] as Caller)(
      method,
      path.replace('{id}', String(id)),
      options,
    );
    return { status, text };
  };
  return { operations: (await describedBy(app)).operations, ask };
}
