/** /api/prices: administrators list, set and remove prices. */
import { expect, test } from 'vitest';
import { apiFor } from '../support.js';

test('a price is set, set again by the same words in any order, listed and removed, with history', async () => {
  const { admin, ctx } = await apiFor(['admin']);
  const set = (words: string, amount: number) =>
    admin('POST', '/api/prices', { body: { words, amount, currency: 'eur' } });
  const { status, json } = await set('gas boiler', 18_000);
  expect(status).toBe(201);
  expect(json).toEqual({
    '@context': '/api/contexts/Price',
    '@id': '/api/prices/1',
    '@type': 'Price',
    id: 1,
    words: 'gas boiler',
    amount: 18_000,
    currency: 'eur',
    updatedAt: expect.any(String) as unknown,
  });
  const again = { id: 1, words: 'Boiler GAS', amount: 19_050 };
  expect((await set('Boiler GAS', 19_050)).json).toMatchObject(again);
  await set('A-100', 9_000);
  const listed = (await admin('GET', '/api/prices')).json['hydra:member'] as unknown as { words: string }[];
  expect(listed.map(({ words }) => words)).toEqual(['A-100', 'Boiler GAS']);
  for (const gone of [204, 404]) expect((await admin('DELETE', '/api/prices/1')).status).toBe(gone);
  expect((await admin('GET', '/api/prices/1')).status).toBe(404);
  const words = ctx.db.raw.prepare("SELECT what FROM history WHERE what LIKE 'price.%' ORDER BY id");
  expect(words.pluck().all()).toEqual(['price.set', 'price.set', 'price.set', 'price.removed']);
});
