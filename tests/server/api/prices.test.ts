/** /api/prices: administrators list, set and remove prices. */
import { expect, test } from 'vitest';
import { startApi } from '../support.js';

test('a price is set, set again by the same words in any order, listed and removed, with history', async () => {
  const { as, ctx } = startApi();
  const admin = await as('admin@example.org');
  const set = (words: string, amount: number) =>
    admin('POST', '/api/prices', { body: { words, amount, currency: 'eur' } });
  const { status, json } = await set('gas boiler', 18_000);
  expect([status, json]).toEqual([
    201,
    {
      '@context': '/api/contexts/Price',
      '@id': '/api/prices/1',
      '@type': 'Price',
      id: 1,
      words: 'gas boiler',
      amount: 18_000,
      currency: 'eur',
      updatedAt: expect.any(String) as unknown,
    },
  ]);
  expect((await set('Boiler GAS', 19_050)).json).toMatchObject({
    id: 1,
    words: 'Boiler GAS',
    amount: 19_050,
  });
  await set('A-100', 9_000);
  const listed = (await admin('GET', '/api/prices')).json['hydra:member'] as unknown as { words: string }[];
  expect(listed.map(({ words }) => words)).toEqual(['A-100', 'Boiler GAS']);
  expect((await admin('DELETE', '/api/prices/1')).status).toBe(204);
  expect((await admin('GET', '/api/prices/1')).status).toBe(404);
  expect((await admin('DELETE', '/api/prices/1')).status).toBe(404);
  const words = ctx.db.raw.prepare("SELECT what FROM history WHERE what LIKE 'price.%' ORDER BY id");
  expect(words.pluck().all()).toEqual(['price.set', 'price.set', 'price.set', 'price.removed']);
});

test('a repeated call with one key sets a price once', async () => {
  const { as } = startApi();
  const admin = await as('admin@example.org');
  const call = (amount: number) =>
    admin('POST', '/api/prices', { body: { words: 'boiler', amount }, headers: { 'Idempotency-Key': 'k' } });
  await call(18_000);
  expect((await call(18_000)).headers.get('Idempotent-Replayed')).toBe('true');
  expect((await call(19_000)).status).toBe(422);
});

test.each([
  [{ words: ' ', amount: 100 }, 'words'],
  [{ words: '– –', amount: 100 }, 'words'],
  [{ words: 'boiler' }, 'amount'],
  [{ words: 'boiler', amount: 0 }, 'amount'],
  [{ words: 'boiler', amount: 10 }, 'amount'],
  [{ words: 'boiler', amount: 18_000, currency: 'usd' }, 'currency'],
])('%j is refused at %s', async (body, field) => {
  const { as, ctx } = startApi();
  const admin = await as('admin@example.org');
  const answer = await admin('POST', '/api/prices', { body });
  expect([answer.status, Object.keys(answer.json['errors'] ?? {})]).toEqual([422, [field]]);
  expect(ctx.db.raw.prepare('SELECT count(*) FROM prices').pluck().get()).toBe(0);
});

test('the price list is for administrators', async () => {
  const { as } = startApi();
  const admin = await as('admin@example.org');
  await admin('POST', '/api/prices', { body: { words: 'boiler', amount: 18_000 } });
  const anna = await as('anna@example.org');
  for (const [method, path] of [
    ['GET', '/api/prices'],
    ['GET', '/api/prices/1'],
    ['GET', '/api/prices/999'],
    ['DELETE', '/api/prices/1'],
    ['POST', '/api/prices'],
  ] as const) {
    const body = method === 'POST' ? { words: 'x', amount: 100 } : undefined;
    expect([path, (await anna(method, path, { body })).status]).toEqual([path, 403]);
  }
  expect((await admin('GET', '/api/prices/1')).json).toMatchObject({ amount: 18_000 });
});
