/** The list of users: found by their words, in the order asked for, walked to its end. */
import { expect, test } from 'vitest';
import { page, walk } from '../../../src/core/users/list-users.js';
import { every } from '../../../src/core/resources/show.js';
import { USERS } from '../../../src/core/resources/users.js';
import type { Place } from '../../../src/core/calls/listing.js';
import { startApi } from '../../server/support.js';

test('users are found by their words and addresses, in the order asked for, and walked from one to the next', async () => {
  const { ctx, addUser } = startApi();
  for (const name of ['ben', 'annabel', 'anna']) await addUser(`${name}@example.org`);
  const ask = (search: string | null, by: 'createdAt' | 'username', ...names: string[]) => ({
    filter: { search, username: names.length > 0 ? names.map((name) => `${name}@EXAMPLE.org`) : null },
    order: { by, direction: 'asc' as const },
    ownerId: null,
  });
  const named = (rows: { username: string }[]) =>
    rows.map(({ username }) => username.replace('@example.org', ''));
  const names = (wanted: ReturnType<typeof ask>, past?: Place) =>
    named(walk(ctx, { ...wanted, past, limit: 9 }));
  expect(names(ask(null, 'createdAt'))).toEqual(['ben', 'annabel', 'anna']);
  expect(names(ask(null, 'username'))).toEqual(['anna', 'annabel', 'ben']);
  expect(names(ask(null, 'username'), { id: 3, key: 'anna@example.org' })).toEqual(['annabel', 'ben']);
  expect(names(ask(null, 'createdAt', 'anna', 'ben'))).toEqual(['ben', 'anna']);
  expect(names(ask('anna', 'createdAt'))).toEqual(['annabel', 'anna']);
  expect(names(ask('anna', 'createdAt'), { id: 2 })).toEqual(['anna']);
  expect(names(ask('anna', 'username'))).toEqual(['anna', 'annabel']);
  expect(names(ask('anna', 'createdAt', 'anna', 'ben'))).toEqual(['anna']);

  const second = page(ctx, { ...ask('anna', 'username'), limit: 1, offset: 1 });
  expect([second.total, named(second.rows)]).toEqual([2, ['annabel']]);
});

test('a file of all users leaves out none when the one that was read last gets another address meanwhile', async () => {
  const { ctx, addUser } = startApi();
  await addUser('0@example.org');
  ctx.db.raw.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 600)
    INSERT INTO users (username, passwordHash, firstName, lastName, role, enabled, createdAt, updatedAt)
    SELECT printf('%03d@example.org', n), '', '', '', 'ROLE_USER', 1, createdAt, createdAt FROM users, numbers`);
  const wanted = {
    filter: { search: null, username: null },
    order: { by: 'username', direction: 'asc' },
    ownerId: null,
  } as const;
  const ids: number[] = [];
  for (const { id } of every(USERS, { walk, page }, ctx, wanted)) {
    ids.push(id);
    if (ids.length === 500)
      ctx.db.raw.prepare("UPDATE users SET username = 'z@example.org' WHERE id = ?").run(id);
  }
  expect(new Set(ids).size).toBe(601);
});
