/** Who gets into the back office, for how long, and that nobody else's forms and links do anything there. */
import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { setPassword, setUserEnabled } from '../../../../src/core/users/users.js';
import { localPath } from '../../../../src/server/admin/login.js';
import { findUserByUsername } from '../../../../src/db/users/users.js';
import type { UserRow } from '../../../../src/db/schema.js';
import { HOUR, MINUTE } from '../../../support/clock.js';
import { TESTER } from '../../../support/app.js';
import { ADMIN, alerts, PASSWORD, startOffice, type Office, staffedOffice } from '../support.js';

const theAdmin = ({ ctx }: Office) => findUserByUsername(ctx.db, { username: ADMIN }) as UserRow;

describe('logging in', () => {
  test('the cookie is for this host only, not for scripts, not for other sites; behind https it is bound to it', async () => {
    const office = await startOffice({ env: { ESIGN_BASE_URL: 'https://contracts.example.org' } });
    const { headers, location } = await office.visitor().logIn();

    const [cookie] = headers.getSetCookie().filter((line) => line.includes('session'));
    expect(cookie).toMatch(/^__Host-esign_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    expect(location).toBe('/admin');
  });

  test('over http the cookie does without Secure, or no browser would keep it', async () => {
    const office = await startOffice();
    const { headers } = await office.visitor().logIn();

    const [cookie] = headers.getSetCookie().filter((line) => line.includes('session'));
    expect(cookie).toMatch(/^esign_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  test('the log-in page gives its cookie once, and its form fits that cookie', async () => {
    const office = await startOffice();
    const page = await office.visitor().get('/admin/login');

    expect(page.headers.getSetCookie()).toHaveLength(1);
    expect((await office.visitor().logIn()).location).toBe('/admin');
  });

  test('only the digest of the cookie is stored', async () => {
    const office = await startOffice();
    const visitor = office.visitor();
    await visitor.logIn();

    const token = visitor.cookies.get('esign_session') as string;
    const stored = JSON.stringify(office.ctx.db.raw.prepare('SELECT * FROM sessions').all());
    expect(stored).toContain(hash('sha256', token));
    expect(stored).not.toContain(token);
  });

  test('a wrong password, an unknown name and a disabled account get the same answer', async () => {
    const office = await startOffice();
    const closed = await office.addPerson('closed@acme.test');
    await setUserEnabled(office.ctx, closed.id, false, TESTER);

    const tries = [
      await office.visitor().logIn(ADMIN, 'a wrong pass phrase'),
      await office.visitor().logIn('nobody@acme.test'),
      await office.visitor().logIn('closed@acme.test'),
    ];

    expect(tries.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(new Set(tries.map((page) => alerts(page)[0]?.message)).size).toBe(1);
  });

  test('it leads to where one wanted to go; what acts when it is opened asks first', async () => {
    const office = await startOffice();
    const path = '/admin/requests?status=new';
    expect((await office.visitor().logIn(ADMIN, PASSWORD, path)).location).toBe(path);
    const check = await office.visitor().logIn(ADMIN, PASSWORD, '/check_signature/request/7');
    expect(check.location).toBe('/check_signature/request/7?confirm');
    expect((await office.visitor().logIn(ADMIN, PASSWORD, '//evil.example')).location).toBe('/admin');
  });

  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/admin\\@evil.example',
    '/admin/login',
    '/administrator',
    '/api/requests',
    '/admin/\r\nSet-Cookie: a=b',
    '',
    undefined,
  ])('%j leads nowhere but to the dashboard', (next) => {
    expect(localPath(next)).toBe('/admin');
  });

  test('makes a new id and ends the old one', async () => {
    const office = await startOffice();
    const old = await office.staff();
    const fresh = office.visitor();
    await fresh.get('/admin/login');
    // As somebody would leave it who planted a session of their own.
    fresh.cookies.set('esign_session', old.cookies.get('esign_session') as string);

    await fresh.submit('/admin/login', { username: ADMIN, password: PASSWORD });

    expect(fresh.cookies.get('esign_session')).not.toBe(old.cookies.get('esign_session'));
    expect((await old.get('/admin')).location).toBe('/admin/login');
  });
});

describe('a session ends', () => {
  test('two hours after the last call, and not before', async () => {
    const { office, staff } = await staffedOffice();
    office.clock.advance(2 * HOUR - MINUTE);
    expect((await staff.get('/admin')).status).toBe(200);
    office.clock.advance(2 * HOUR - MINUTE);
    expect((await staff.get('/admin')).status).toBe(200);
    office.clock.advance(2 * HOUR);
    expect((await staff.get('/admin')).location).toBe('/admin/login');
    expect(alerts(await staff.get('/admin/login'))).toEqual([
      { type: 'info', message: 'Your session has ended. Please log in again.' },
    ]);
    expect(alerts(await office.visitor().get('/admin/login'))).toEqual([]);
  });

  test('twelve hours after the log-in, however busy it was', async () => {
    const { office, staff } = await staffedOffice();
    for (let i = 0; i < 11; i += 1) {
      office.clock.advance(HOUR);
      expect((await staff.get('/admin')).status).toBe(200);
    }
    office.clock.advance(HOUR);
    expect((await staff.get('/admin')).location).toBe('/admin/login');
  });

  test('by signing out, for good: the cookie is worth nothing any more', async () => {
    const { staff } = await staffedOffice();
    const token = staff.cookies.get('esign_session') as string;
    await staff.get('/admin');

    expect((await staff.submit('/admin/logout', {})).location).toBe('/admin/login');
    staff.cookies.set('esign_session', token);
    expect((await staff.get('/admin')).location).toBe('/admin/login');
  });

  test('by a changed password and by closing the account', async () => {
    const { office, staff } = await staffedOffice();
    const { id } = await office.addPerson('second@acme.test');
    const other = office.visitor();
    await other.logIn('second@acme.test');

    await setPassword(office.ctx, theAdmin(office).id, 'another pass phrase', TESTER);
    await setUserEnabled(office.ctx, id, false, TESTER);

    expect((await staff.get('/admin')).location).toBe('/admin/login');
    expect((await other.get('/admin')).location).toBe('/admin/login');
  });

  test('when it is ended from another one', async () => {
    const office = await startOffice();
    const [first, second] = [await office.staff(), await office.staff()];
    const page = await first.get('/admin/sessions');
    expect(page.text.match(/\/admin\/sessions\/\d+\/end/g)).toHaveLength(2);

    await first.submit('/admin/sessions/others/end', {});

    expect((await second.get('/admin')).location).toBe('/admin/login');
    expect((await first.get('/admin')).status).toBe(200);
  });
});

describe('without the right', () => {
  test('nobody gets further than the log-in, which leads back', async () => {
    const office = await startOffice();
    const page = await office.visitor().get('/admin/requests?status=new&page=2');
    expect(page.status).toBe(303);
    expect(page.location).toBe('/admin/login?next=%2Fadmin%2Frequests%3Fstatus%3Dnew%26page%3D2');
  });

  test('a customer who logs in sees a page that says no, and can sign out', async () => {
    const office = await startOffice();
    await office.addPerson('ada@acme.test', 'ROLE_USER');
    const visitor = office.visitor();
    await visitor.logIn('ada@acme.test');

    for (const path of ['/admin', '/admin/requests', '/admin/users', '/check_signature/request/1']) {
      const page = await visitor.get(path, { 'Sec-Fetch-Site': 'same-origin' });
      expect([page.status, page.text.includes('/admin/logout')]).toEqual([403, true]);
      expect(page.text).not.toContain('<nav');
    }
    expect((await visitor.submit('/admin/users/1/disable', {})).status).toBe(403);
    expect((await visitor.submit('/admin/logout', {})).location).toBe('/admin/login');
  });

  test('a link in a mail finds the session all the same: the page asks again from its own site', async () => {
    const office = await startOffice();
    const page = await office.visitor().get('/admin/requests/1', { 'Sec-Fetch-Site': 'cross-site' });
    expect(page.status).toBe(200);
    expect(page.text).toContain('http-equiv="refresh"');
    expect(page.text).not.toContain('Yearly');
  });
});

describe('a form', () => {
  test('of somebody else does nothing, wherever it is sent', async () => {
    const office = await startOffice();
    const { id } = await office.addRequest();
    const [staff, other] = [await office.staff(), await office.staff()];
    const csrfOf = async (one: typeof staff) =>
      /name="csrf" value="([^"]+)"/.exec((await one.get('/admin')).text)?.[1] as string;
    const [own, foreign] = [await csrfOf(staff), await csrfOf(other)];
    const before = JSON.stringify(office.ctx.db.raw.prepare('SELECT * FROM users').all());

    for (const [path, fields] of Object.entries(FORMS)) {
      const send = async (csrf: string | undefined, headers = {}) => {
        const form = new URLSearchParams({ ...(csrf && { csrf }), ...fields });
        return (await staff.post(path.replace(':id', String(id)), form, headers)).status;
      };
      const answers = [
        await send(undefined),
        await send(foreign),
        await send(own, { 'Sec-Fetch-Site': 'cross-site' }),
        await send(own, { 'Content-Type': 'text/plain' }),
      ];
      expect([path, ...answers]).toEqual([path, 403, 403, 403, 415]);
    }

    expect((await staff.get('/admin')).status).toBe(200);
    expect(JSON.stringify(office.ctx.db.raw.prepare('SELECT * FROM users').all())).toBe(before);
    expect(office.jobs()).toEqual([]);
  });

  test('comes back with its words where they are too long; of one far too large it is said that nothing was saved', async () => {
    const { office, staff } = await staffedOffice();
    await office.addRequest();
    await staff.get('/admin/requests/1/edit');
    const described = (description: string) =>
      staff.submit('/admin/requests/1/edit', { equipment: '1', title: 'Repair', description });
    const long = 'é'.repeat(100_000);
    const kept = await described(long);
    expect(kept.status).toBe(422);
    expect(kept.text).toContain('Too long: at most 5,000 characters.');
    expect(kept.text).toContain(`>${long}</textarea>`);
    const huge = await described('x'.repeat(1024 * 1024));
    expect(huge.status).toBe(413);
    expect(huge.text).toContain('nothing was saved. The text of a form may have 1 MB');
  });
});

const FORMS: Record<string, Record<string, string>> = {
  '/admin/logout': {},
  '/admin/failed': { id: '1', do: 'replay' },
  '/admin/failed/remove': { id: '1' },
  '/admin/failed/group': { of: '1' },
  '/admin/todo/unknown?document=x': { reason: 'x' },
  '/admin/users/new': { username: 'eve@evil.test', password: PASSWORD, role: 'ROLE_ADMIN' },
  '/admin/users/1/disable': {},
  '/admin/users/1/password': { password: 'a pass phrase of eve' },
  '/admin/users/1/profile': { firstName: 'Eve' },
  '/admin/deliveries/1/redeliver': {},
  '/admin/requests/:id/start-signature': {},
  '/admin/requests/:id/reset-signature': {},
  '/admin/requests/:id/accept-late': { reason: 'x' },
  '/admin/requests/:id/complete': { reason: 'x' },
  '/admin/sessions/1/end': {},
  '/admin/requests/:id/check-signature': {},
  '/admin/login': { username: ADMIN, password: PASSWORD },
};
