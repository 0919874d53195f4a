/** Sessions of the back office, and refresh tokens: whose they are, and how long. */
import { describe, expect, test } from 'vitest';
import {
  beginSession,
  clearFlash,
  listSessions,
  openSession,
  setFlash,
  type OpenSession,
} from '../../../src/core/users/sessions.js';
import { issueRefreshToken } from '../../../src/core/users/tokens.js';
import { getUser, setPassword } from '../../../src/core/users/users.js';
import { startApi } from '../../server/support.js';

const ACTOR = { kind: 'cli', name: 'test' } as const;

describe('a session of the back office', () => {
  const FROM = { address: '192.0.2.7', agent: 'x'.repeat(1_000) };
  async function anAdministrator() {
    const app = startApi();
    const user = await app.addUser('admin@example.org', { role: 'ROLE_ADMIN' });
    const begin = async () => (await beginSession(app.ctx, user, FROM)) as string;
    return { ...app, user, begin };
  }

  test('does not begin for an account that was closed, or got a new password, since it was proved', async () => {
    const { ctx, user } = await anAdministrator();
    await setPassword(ctx, user.id, 'another good one', ACTOR);
    expect(await beginSession(ctx, user, FROM)).toBeUndefined();
    expect(await beginSession(ctx, getUser(ctx, user.id), FROM)).toBeDefined();
    expect(await beginSession(ctx, { ...user, id: 999 }, FROM)).toBeUndefined();
    ctx.db.raw.prepare('UPDATE users SET enabled = 0 WHERE id = ?').run(user.id);
    expect(await beginSession(ctx, getUser(ctx, user.id), FROM)).toBeUndefined();
  });

  test('is not open once its account is closed', async () => {
    const { ctx, user, begin } = await anAdministrator();
    const token = await begin();
    ctx.db.raw.prepare('UPDATE users SET enabled = 0 WHERE id = ?').run(user.id);
    expect(await openSession(ctx, token)).toBeUndefined();
    expect(await openSession(ctx, 'another token')).toBeUndefined();
  });

  test('is stored as seen once a minute, and its browser by no more than a few words', async () => {
    const { ctx, clock, begin } = await anAdministrator();
    const token = await begin();
    const seenAfter = async (ms: number) => {
      clock.advance(ms);
      await openSession(ctx, token);
      return Date.parse((await openSession(ctx, token))?.session.lastSeenAt ?? '');
    };
    const begun = clock.now().getTime();
    expect(await seenAfter(59_999)).toBe(begun);
    expect(await seenAfter(1)).toBe(begun + 60_000);
    expect((await openSession(ctx, token))?.session.agent).toMatch(/^x{20,500}$/);
  });

  test('is listed as long as it is open', async () => {
    const { ctx, clock, user, begin } = await anAdministrator();
    await begin();
    clock.advance(2 * 3_600_000);
    await begin();
    expect(listSessions(ctx, user).map(({ id }) => id)).toEqual([2]);
  });

  test('keeps a message for the next page, which shows it once', async () => {
    const { ctx, begin } = await anAdministrator();
    const token = await begin();
    const open = async () => (await openSession(ctx, token)) as OpenSession;
    const flash = { type: 'success', message: 'Done.' } as const;
    expect(await clearFlash(ctx, await open())).toBeUndefined();
    await setFlash(ctx, await open(), flash);
    expect(await clearFlash(ctx, await open())).toEqual(flash);
    expect(await clearFlash(ctx, await open())).toBeUndefined();
  });
});

test('no refresh token is issued to an account that was closed, or got a new password, since it was proved', async () => {
  const { ctx, addUser } = startApi();
  const user = await addUser('anna@example.org');
  expect(await issueRefreshToken(ctx, { ...user, tokenVersion: user.tokenVersion + 1 })).toBeUndefined();
  expect(await issueRefreshToken(ctx, { ...user, id: 999 })).toBeUndefined();
  ctx.db.raw.exec('UPDATE users SET enabled = 0');
  expect(await issueRefreshToken(ctx, user)).toBeUndefined();
});
