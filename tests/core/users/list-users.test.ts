/** The list of users: found by their words, in the order asked for, walked to its end. */
import { expect, test } from 'vitest';
import { page, walk } from '../../../src/core/users/list-users.js';
import { every } from '../../../src/core/resources/show.js';
import { USERS } from '../../../src/core/resources/users.js';
import type { Place } from '../../../src/core/calls/listing.js';
import { startApi } from '../../server/support.js';

test('users are found by their words, in the order asked for, and walked from one to the next', async () => {
  const { ctx, addUser } = startApi();
  for (const name of ['ben', 'anna', 'annabel']) await addUser(`${name}@example.org`);
  const names = (search: string | null, by: 'createdAt' | 'username', past?: Place) => {
    const wanted = {
      filter: { search, username: null },
      order: { by, direction: 'asc' },
      ownerId: null,
    } as const;
    return walk(ctx, { ...wanted, past, limit: 9 }).map(({ username }) =>
      username.replace('@example.org', ''),
    );
  };
  expect(names(null, 'createdAt')).toEqual(['ben', 'anna', 'annabel']);
  expect(names(null, 'username')).toEqual(['anna', 'annabel', 'ben']);
  expect(names(null, 'username', { id: 2, key: 'anna@example.org' })).toEqual(['annabel', 'ben']);
  expect(names('anna', 'createdAt')).toEqual(['anna', 'annabel']);
  expect(names('anna', 'createdAt', { id: 2 })).toEqual(['annabel']);
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
