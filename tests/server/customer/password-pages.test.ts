/** Links by mail to set a password (rules 6): invitations, forgotten passwords; used once, by nobody but who got the mail. */
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { command } from '../../../src/core/commands.js';
import { prune } from '../../../src/core/retention/prune.js';
import { createUser, inviteUser } from '../../../src/core/users/create-user.js';
import { correctUser, changeUser } from '../../../src/core/users/change-user.js';
import { issueRefreshToken, refreshTokens } from '../../../src/core/users/tokens.js';
import { beginSession, openSession } from '../../../src/core/users/sessions.js';
import { getUser, setPassword, setUserEnabled } from '../../../src/core/users/users.js';
import { verifyPassword } from '../../../src/core/users/passwords.js';
import { eraseUser } from '../../../src/core/personal-data/erase-user.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import type { Context } from '../../../src/core/context.js';
import type { UserRow } from '../../../src/db/schema.js';
import { rejection, startApp, TESTER, type AppOptions, type TestApp } from '../../support/app.js';
import { DAY, HOUR, MINUTE } from '../../support/clock.js';
import { apiOf, type CallOptions } from '../support.js';

const NEW = 'a brand new pass phrase';
const BY = { actor: TESTER };

async function start(options: AppOptions = {}) {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  const app = await startApp({ ...options, context: { log } });
  const api = apiOf(app);
  const call = async (
    path: string,
    { method = 'GET', ...options }: CallOptions & { method?: string } = {},
  ) => {
    const answer = await api.call(method, path, options);
    return { ...answer, title: /<h1>(.*)<\/h1>/.exec(answer.text)?.[1] ?? '' };
  };
  const post = (path: string, fields: Record<string, string>, { headers, ...options }: CallOptions = {}) =>
    call(path, {
      method: 'POST',
      body: String(new URLSearchParams(fields)),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      ...options,
    });
  const it = {
    app,
    ctx: app.ctx,
    call,
    post,
    logged: () => lines.join(''),
    ask: (username: string, options?: CallOptions) => {
      app.clock.advance(1);
      return post('/password', { username }, options);
    },
    /** The same person asks so often, and all mails leave. */
    asks: async ({ username }: Person, times = 1) => {
      for (let i = 0; i < times; i += 1) await it.ask(username);
      await app.drain();
    },
    set: (path: string, password = NEW) => post(path, { password, again: password }),
    mails: ({ username }: Person) =>
      app.sandbox.mails().filter(({ to, source }) => source === 'smtp' && to.includes(username)),
    /** The path in the newest mail to this person. */
    link: async ({ username }: Person) => {
      await app.drain();
      const mail = app.sandbox.mails().findLast(({ to }) => to.includes(username));
      return /http:\/\/127\.0\.0\.1:8080(\/password\/[0-9a-f]{64})\s/.exec(mail?.text ?? '')?.[1] ?? 'none';
    },
    accepts: ({ id }: { id: number }, password: string) =>
      verifyPassword(getUser(app.ctx, id).passwordHash, password),
  };
  return it;
}

type Person = Pick<UserRow, 'username'>;

const invited = (app: TestApp, changes = {}) =>
  createUser(app.ctx, { username: 'anna@example.org', firstName: 'Anna', ...changes }, TESTER);
const told = ({ ctx }: TestApp, id: number) =>
  ctx.db.raw.prepare('SELECT actor, what FROM history WHERE subject = ? ORDER BY id').all(`user:${id}`);

/** What makes the links of before void; `isAsked`: a new one can be asked for under the same address. */
const VOIDS: Record<string, { isAsked?: true; act: (ctx: Context, user: UserRow) => Promise<unknown> }> = {
  'a password set by the office': {
    isAsked: true,
    act: (ctx, { id }) => setPassword(ctx, id, `${NEW} 0`, TESTER),
  },
  'a password set by the user': {
    act: (ctx, user) => changeUser(ctx, user, user.id, { password: `${NEW} 0` }),
  },
  'another address': { act: (ctx, { id }) => correctUser(ctx, id, { username: 'else@example.org' }, BY) },
  'closing the account': { act: (ctx, { id }) => setUserEnabled(ctx, id, false, TESTER) },
  'an account closed and opened': {
    isAsked: true,
    act: async (ctx, { id }) => {
      await setUserEnabled(ctx, id, false, TESTER);
      await setUserEnabled(ctx, id, true, TESTER);
    },
  },
};

describe('an invitation', () => {
  test('goes to whoever is added without a password, opens once, and lets them in; the history tells all of it', async () => {
    const it = await start();
    const user = await invited(it.app);
    const path = await it.link(user);

    const page = await it.call(path);
    expect([page.status, page.title]).toEqual([200, 'Set your password']);
    expect(page.text).toContain('anna@example.org');
    expect((await it.set(path)).title).toBe('Your account is ready');

    expect(await it.accepts(user, NEW)).toBe(true);
    expect(told(it.app, user.id)).toEqual([
      { actor: 'user:tester@example.org', what: 'user.created' },
      { actor: 'user:tester@example.org', what: 'user.invited' },
      { actor: 'job', what: 'mail.sent' },
      { actor: 'user:anna@example.org', what: 'user.joined' },
    ]);
    const again = await it.set(path, `${NEW} 2`);
    expect([again.status, again.title]).toEqual([410, 'This link has already been used']);
    expect(await rejection(inviteUser(it.ctx, user.id, BY))).toMatchObject({ code: 'has_password' });
  });

  test('can be sent again; each mail opens until one is used, or three days have passed', async () => {
    const it = await start();
    const user = await invited(it.app);
    const first = await it.link(user);
    it.app.clock.advance(DAY);
    await inviteUser(it.ctx, user.id, BY);
    const second = await it.link(user);
    expect(second).not.toBe(first);
    it.app.clock.advance(2 * DAY);

    const titles = await Promise.all([first, second].map(async (path) => (await it.call(path)).title));

    expect(titles).toEqual(['This link has expired', 'Set your password']);
    expect((await it.set(first)).status).toBe(410);
  });

  test('lets nobody log in before its password is set', async () => {
    const it = await start();
    const user = await invited(it.app);
    for (const password of ['', NEW, getUser(it.ctx, user.id).passwordHash])
      expect(await it.accepts(user, password)).toBe(false);
  });

  test('follows the person to another address: the old link is void, a new one is on its way', async () => {
    const it = await start();
    const user = await invited(it.app);
    const old = await it.link(user);

    await correctUser(it.ctx, user.id, { username: 'anne@example.org' }, BY);

    const path = await it.link({ username: 'anne@example.org' });
    expect((await it.call(old)).title).toBe('This link is no longer valid');
    expect((await it.set(old)).status).toBe(410);
    expect((await it.set(path)).title).toBe('Your account is ready');
  });

  test('stays good, and is not mailed again, when only the name is corrected', async () => {
    const it = await start();
    const user = await invited(it.app);
    const path = await it.link(user);

    await correctUser(it.ctx, user.id, { firstName: 'Anne' }, BY);
    await it.app.drain();

    expect(it.mails(user)).toHaveLength(1);
    expect((await it.set(path)).title).toBe('Your account is ready');
  });

  test('is refused for a closed account, with the command that opens it; so is one not needed, on a dry run too', async () => {
    const it = await start();
    const { id, username } = await invited(it.app);
    const known = await it.app.addUser();
    await setUserEnabled(it.ctx, id, false, TESTER);
    expect(await rejection(inviteUser(it.ctx, id, BY))).toMatchObject({
      code: 'user_disabled',
      hint: expect.arrayContaining([command('users enable', username)]) as unknown,
    });
    const dry = inviteUser(it.ctx, known.id, { ...BY, dryRun: true });
    expect(await rejection(dry)).toMatchObject({ code: 'has_password' });
  });

  test('whose address is refused needs the office at once; the corrected address ends that', async () => {
    const it = await start();
    it.app.sandbox.faults.add('smtp:550');
    const user = await invited(it.app);
    await it.app.drain();
    const kinds = async () => (await listNeeds(it.ctx, 9)).needs.map(({ kind, next }) => [kind, next.name]);
    expect(await kinds()).toEqual([['mail_refused', 'users set-email']]);

    it.app.sandbox.faults.clear();
    await correctUser(it.ctx, user.id, { username: 'anne@example.org' }, BY);
    await it.app.drain();

    expect(await kinds()).toEqual([]);
    expect(it.mails({ username: 'anne@example.org' })).toHaveLength(1);
  });
});

describe('a forgotten password', () => {
  test('is replaced through the mail; every token and session ends', async () => {
    const it = await start();
    const user = await it.app.addUser({ role: 'ROLE_ADMIN' });
    const session = (await beginSession(it.ctx, user, { address: '192.0.2.1', agent: 'test' })) as string;
    const refresh = (await issueRefreshToken(it.ctx, user)) as string;
    expect((await it.ask(` ${user.username.toUpperCase()}`)).title).toBe('Check your mailbox');
    const path = await it.link(user);

    const done = await it.set(path);

    expect(done.title).toBe('Your password is set');
    expect(done.text).toContain('href="/admin/login"');
    expect(await it.accepts(user, NEW)).toBe(true);
    expect(await openSession(it.ctx, session)).toBeUndefined();
    expect((await refreshTokens(it.ctx, refresh)).type).toBe('invalid');
    expect(told(it.app, user.id)).toEqual([
      { actor: 'job', what: 'mail.sent' },
      { actor: `user:${user.username}`, what: 'user.password_reset' },
    ]);
  });

  test('asked for by a stranger says and writes the same, and mails nobody', async () => {
    const it = await start();
    const closed = await it.app.addUser();
    await setUserEnabled(it.ctx, closed.id, false, TESTER);
    const known = await it.ask((await it.app.addUser()).username);

    for (const username of ['nobody@example.org', closed.username]) {
      const { status, text } = await it.ask(username);
      expect({ status, text }).toEqual({ status: known.status, text: known.text });
    }

    expect(it.app.jobs('send-mail')).toHaveLength(3);
    await it.app.drain();
    expect(it.app.sandbox.mails().filter(({ source }) => source === 'smtp')).toHaveLength(1);
    expect(it.app.jobs('send-mail').map(({ state }) => state)).toEqual(Array(3).fill('completed'));
  });

  test('is mailed three times an hour to an address, whoever asks, and the answer stays the same', async () => {
    const it = await start();
    const user = await it.app.addUser();
    const other = await it.app.addUser();
    const titles: string[] = [];
    for (let i = 0; i < 5; i += 1) titles.push((await it.ask(user.username, { peer: `192.0.2.${i}` })).title);
    await it.asks(other);
    expect(new Set(titles)).toEqual(new Set(['Check your mailbox']));
    expect([user, other].map((one) => it.mails(one).length)).toEqual([3, 1]);
    await it.set(await it.link(user));
    for (const [times, mails] of [
      [1, 4],
      [4, 6],
    ] as const) {
      await it.asks(user, times);
      expect(it.mails(user)).toHaveLength(mails);
    }
    it.app.clock.advance(HOUR + MINUTE);
    await it.asks(user);
    expect(it.mails(user)).toHaveLength(7);
  });

  test.each(Object.entries(VOIDS).filter(([, { isAsked }]) => isAsked))(
    'is mailed again when the three links of the hour are void: %s',
    async (_, { act }) => {
      const it = await start();
      const user = await it.app.addUser();
      await it.asks(user, 4);
      expect(it.mails(user)).toHaveLength(3);
      await act(it.ctx, user);
      await it.asks(user);
      expect(it.mails(user)).toHaveLength(4);
    },
  );

  test('cannot be asked for without end from one place, whatever the addresses', async () => {
    const it = await start();
    const ask = (i: number) => it.ask(`nobody${i}@example.org`);
    for (let i = 0; i < 20; i += 1) expect((await ask(i)).status).toBe(200);
    const refused = await ask(20);
    expect([refused.status, refused.title]).toEqual([429, 'Too many attempts']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await it.ask('nobody@example.org', { peer: '192.0.2.2' })).status).toBe(200);
    expect(it.app.jobs('send-mail')).toHaveLength(21);
  });

  test('that could not leave within the hour, or was settled meanwhile, is not mailed any more', async () => {
    const it = await start();
    const [late, settled] = [await it.app.addUser(), await it.app.addUser()];
    it.app.sandbox.faults.add('smtp:451');
    await it.ask(settled.username);
    await it.app.drain();
    await setPassword(it.ctx, settled.id, NEW, TESTER);
    it.app.sandbox.faults.clear();
    it.app.clock.advance(MINUTE);
    await it.app.drain();

    it.app.sandbox.faults.add('smtp:451');
    await it.ask(late.username);
    await it.app.drain();
    it.app.sandbox.faults.clear();
    it.app.clock.advance(HOUR);
    await it.app.drain();

    expect(it.app.jobs('send-mail').map(({ state }) => state)).toEqual(['completed', 'completed']);
    expect([late, settled].map((one) => it.mails(one).length)).toEqual([0, 0]);
  });

  test('what is no address is refused on the page, which keeps what was typed', async () => {
    const it = await start();
    const { status, text } = await it.ask('anna"><script>');
    expect(status).toBe(422);
    expect(text).toContain('value="anna&quot;&gt;&lt;script&gt;"');
    expect(text).toContain('aria-invalid="true"');
    expect(it.app.jobs('send-mail')).toHaveLength(0);
  });
});

describe('a link', () => {
  const withLink = async (options: AppOptions = {}) => {
    const it = await start(options);
    const user = await it.app.addUser();
    await it.ask(user.username);
    return { ...it, user, path: await it.link(user) };
  };

  test('survives whoever only looks at it: scanners, previews, HEAD', async () => {
    const { call, set, path } = await withLink();
    for (const init of [{}, { method: 'HEAD' }, { headers: { Purpose: 'prefetch' } }, {}]) {
      expect((await call(path, init)).status).toBe(200);
    }
    expect((await set(path)).title).toBe('Your account is ready');
  });

  test('of two tabs at once one wins; the other is told, and its password does not count', async () => {
    const { ctx, set, accepts, path, user } = await withLink();
    const answers = await Promise.all([set(path, `${NEW} 1`), set(path, `${NEW} 2`), set(path, `${NEW} 3`)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410, 410]);
    const winner = answers.findIndex(({ status }) => status === 200) + 1;
    expect(await accepts(user, `${NEW} ${winner}`)).toBe(true);
    expect(getUser(ctx, user.id).tokenVersion).toBe(user.tokenVersion + 1);
  });

  test('keeps its page when the password is not acceptable, or the two differ', async () => {
    const { post, set, path } = await withLink();
    const short = await set(path, 'short');
    expect([short.status, short.title]).toEqual([422, 'Set a new password']);
    expect(short.text).toContain('Too short');
    const differs = await post(path, { password: NEW, again: `${NEW}!` });
    expect([differs.status, differs.text.includes('The two passwords differ.')]).toEqual([422, true]);
    expect(short.text + differs.text).not.toContain(NEW);
    expect((await set(path)).status).toBe(200);
  });

  test.each(Object.entries(VOIDS))('is void after %s', async (_, { act }) => {
    const it = await withLink();
    await act(it.ctx, it.user);
    const page = await it.call(it.path);
    expect([page.status, page.title]).toEqual([410, 'This link is no longer valid']);
    expect(page.text).toContain('href="/password"');
    const { passwordHash } = getUser(it.ctx, it.user.id);
    expect((await it.set(it.path)).status).toBe(410);
    expect(getUser(it.ctx, it.user.id).passwordHash).toBe(passwordHash);
  });

  test('expires after an hour; the nightly housekeeping removes it a month later; one unknown looks like one too old', async () => {
    const { app, ctx, call, set, path } = await withLink();
    app.clock.advance(HOUR);
    expect((await set(path)).title).toBe('This link has expired');
    app.clock.advance(31 * DAY);
    expect((await prune(ctx, BY)).passwordLinks).toBe(1);
    for (const gone of [path, '/password/0', `/password/${'0'.repeat(64)}`]) {
      const { status, title } = await call(gone);
      expect([status, title]).toEqual([404, 'This link does not work']);
    }
  });

  test('is stored nowhere, logged nowhere, and sends no referrer; its address is ours, whatever the Host header says', async () => {
    const { app, ctx, call, ask, set, path, logged, user, link } = await withLink();
    const token = path.slice('/password/'.length);
    const page = await call(path, { headers: { Host: 'evil.test', 'X-Forwarded-Host': 'evil.test' } });
    await ask(user.username);
    const mail = app.sandbox.mails().findLast(({ to }) => to.includes(user.username));
    await set(path);

    expect(await link(user)).not.toBe('none');
    expect(`${mail?.text}${page.text}`).not.toContain('evil.test');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(page.text).not.toMatch(/(?:src|href)="(?!\/)/);
    expect(logged()).toContain('"route":"/password/:token"');
    expect(logged()).not.toContain(token);
    const dump = ctx.db.raw
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
      .pluck()
      .all()
      .map((name) => JSON.stringify(ctx.db.raw.prepare(`SELECT * FROM "${String(name)}"`).all()));
    expect(dump.join('')).toContain('password-reset');
    expect(dump.join('')).not.toContain(token);
  });

  test('takes no form of another site', async () => {
    const { post, path } = await withLink();
    const fields = { password: NEW, again: NEW, username: 'anna@example.org' };
    for (const place of [path, '/password']) {
      for (const site of ['cross-site', 'same-site', 'none']) {
        expect((await post(place, fields, { headers: { 'Sec-Fetch-Site': site } })).status).toBe(403);
      }
    }
    expect((await post(path, fields, { headers: { 'Sec-Fetch-Site': 'same-origin' } })).status).toBe(200);
  });

  test('goes with an erased person', async () => {
    const { ctx, call, path, user } = await withLink();
    await eraseUser(ctx, user.id, { ...BY, reason: 'asked for' });
    expect((await call(path)).status).toBe(404);
    expect(ctx.db.raw.prepare('SELECT count(*) FROM passwordLinks').pluck().get()).toBe(0);
  });

  test('and its mail are French where the firm is', async () => {
    const { app, call, path, user } = await withLink({ env: { ESIGN_LOCALE: 'fr' } });
    expect((await call(path)).title).toBe('Définissez un nouveau mot de passe');
    const mail = app.sandbox.mails().findLast(({ to }) => to.includes(user.username));
    expect(mail?.subject).toBe('Nouveau mot de passe pour votre compte chez Acme Maintenance');
  });
});
