/** The page of a user: account, role, password, invitation, personal data. */
import { describe, expect, test } from 'vitest';
import { DAY } from '../../../support/clock.js';
import { deliver } from '../../../support/webhooks.js';
import { ADMIN, alerts, PASSWORD, startOffice, type Page, staffedOffice } from '../support.js';

describe('users', () => {
  test('are added, closed, opened again and given passwords', async () => {
    const { office, staff } = await staffedOffice();
    await staff.get('/admin/users/new');
    const person = {
      username: 'New@acme.test',
      password: 'a good pass phrase',
      role: 'ROLE_ADMIN',
      phone: '',
    };
    const { location } = await staff.submit('/admin/users/new', person);
    const row = () =>
      office.ctx.db.raw.prepare("SELECT * FROM users WHERE username = 'new@acme.test'").get() as {
        enabled: number;
        tokenVersion: number;
        role: string;
      };
    expect(row()).toMatchObject({ enabled: 1, role: 'ROLE_ADMIN' });

    await staff.get(`${location}/disable`);
    await staff.submit(`${location}/disable`, {});
    expect(row().enabled).toBe(0);
    await staff.submit(`${location}/enable`, {});
    expect(row().enabled).toBe(1);
    const { tokenVersion } = row();
    const refused = await staff.submit(`${location}/password`, { password: 'short' });
    expect([refused.status, /id="password-fault">([^<]*)/.exec(refused.text)?.[1]]).toEqual([
      422,
      'Too short: at least 12 characters.',
    ]);
    // What was typed into one form is not asked of the other.
    expect(refused.text).toContain('value="new@acme.test"');
    await staff.submit(`${location}/password`, { password: 'another good phrase' });
    expect(row().tokenVersion).toBe(tokenVersion + 1);
  });

  test('get their name and phone corrected; what is wrong is said beside the field, in the reader’s language', async () => {
    const { office, staff } = await staffedOffice({ env: { ESIGN_LOCALE: 'fr' } });
    const { id } = await office.addUser();
    const path = `/admin/users/${id}`;
    await staff.get(path);

    const refused = await staff.submit(`${path}/profile`, {
      firstName: 'Ada',
      lastName: 'King',
      phone: '06',
    });
    expect([refused.status, refused.text.includes('value="King"')]).toEqual([422, true]);
    expect(refused.text).toContain('Indiquez un numéro de téléphone');
    const untold = await staff.submit(`${path}/profile`, { firstName: 'Eva', locale: 'de' });
    expect([untold.status, untold.text.includes('id="locale-fault"')]).toEqual([422, true]);
    await staff.submit(`${path}/profile`, {
      username: 'ada.king@example.org',
      firstName: ' Ada',
      lastName: 'King',
      phone: '+33 6 12 34 56 78',
    });
    const saved = office.ctx.db.raw.prepare('SELECT * FROM users WHERE id = ?').get(id);
    expect(saved).toMatchObject({
      username: 'ada.king@example.org',
      firstName: 'Ada',
      lastName: 'King',
      phone: '+33612345678',
    });
  });

  test('change their own address and password only with their current one; guesses of it are throttled', async () => {
    const { office, staff } = await staffedOffice();
    const me = () =>
      office.ctx.db.raw.prepare("SELECT * FROM users WHERE role = 'ROLE_ADMIN'").get() as {
        id: number;
        username: string;
        phone: string;
        tokenVersion: number;
      };
    const { id, tokenVersion } = me();
    const path = `/admin/users/${id}`;
    await staff.get(path);
    const profile = { username: 'mine@acme.test', firstName: 'Anna', lastName: 'Martin', phone: '' };
    const faultOf = ({ text }: Page) => /id="(?:proof|currentPassword)-fault">([^<]*)/.exec(text)?.[1];

    for (const [fields, fault] of [
      [{}, 'This field is required.'],
      [{ currentPassword: 'a wrong pass phrase' }, 'This is not your current password.'],
    ] as const) {
      const moved = await staff.submit(`${path}/profile`, { ...profile, ...fields });
      expect([moved.status, faultOf(moved), moved.text.includes('mine@acme.test')]).toEqual([
        422,
        fault,
        true,
      ]);
      const set = await staff.submit(`${path}/password`, { password: 'another good phrase', ...fields });
      expect([set.status, faultOf(set)]).toEqual([422, fault]);
    }
    expect(me()).toMatchObject({ username: ADMIN, tokenVersion });
    // Name and phone open no door.
    await staff.submit(`${path}/profile`, { ...profile, username: ADMIN, phone: '+33612345678' });
    expect(me()).toMatchObject({ username: ADMIN, phone: '+33612345678' });

    await staff.submit(`${path}/profile`, { ...profile, currentPassword: PASSWORD });
    expect(me().username).toBe('mine@acme.test');
    for (let i = 0; i < 20; i += 1) {
      await staff.submit(`${path}/password`, {
        password: 'another good phrase',
        currentPassword: `guess ${i}`,
      });
    }
    expect(alerts(await staff.get(path))[0]?.message).toContain('Too many failed attempts');
    office.clock.advance(DAY / 24);
    await staff.submit(`${path}/password`, { password: 'another good phrase', currentPassword: PASSWORD });
    expect(me().tokenVersion).toBe(tokenVersion + 1);
  });

  test('get another role by form, with the reason; a second click changes nothing; nobody changes their own', async () => {
    const { office, staff } = await staffedOffice();
    const { id } = await office.addUser();
    const role = () => office.ctx.db.raw.prepare('SELECT role FROM users WHERE id = ?').pluck().get(id);
    const path = `/admin/users/${id}`;
    const asked = await staff.get(`${path}/role`);
    expect(asked.text).toContain('name="role" value="ROLE_ADMIN"');

    for (let i = 0; i < 2; i += 1) {
      await staff.submit(`${path}/role`, { role: 'ROLE_ADMIN', reason: 'runs the office' });
    }
    expect(role()).toBe('ROLE_ADMIN');
    for (const fields of [{}, { role: 'ROLE_GOD' }]) {
      await staff.submit(`${path}/role`, fields);
      expect(alerts(await staff.get(path))[0]).toMatchObject({ type: 'danger' });
      expect(role()).toBe('ROLE_ADMIN');
    }
    const told = office.ctx.db.raw
      .prepare("SELECT actor, detail ->> 'reason' AS reason FROM history WHERE what = 'user.promoted'")
      .all();
    expect(told).toEqual([{ actor: `user:${ADMIN}`, reason: 'runs the office' }]);

    const own = `/admin/users/${office.ctx.db.raw.prepare('SELECT id FROM users WHERE username = ?').pluck().get(ADMIN) as number}`;
    expect((await staff.get(own)).text).not.toContain(`${own}/role`);
    await staff.submit(`${own}/role`, { role: 'ROLE_USER' });
    expect(alerts(await staff.get(own))[0]).toMatchObject({ type: 'danger' });
    expect(
      office.ctx.db.raw.prepare("SELECT count(*) FROM users WHERE role = 'ROLE_ADMIN'").pluck().get(),
    ).toBe(2);
  });

  test('are invited when no password is typed, and again at a click, with who did it in the history', async () => {
    const { office, staff } = await staffedOffice();
    await staff.get('/admin/users/new');
    const { location } = await staff.submit('/admin/users/new', {
      username: 'new@acme.test',
      role: 'ROLE_USER',
      password: '',
      phone: '',
    });
    const page = await staff.get(location);
    expect(alerts(page)[0]?.message).toContain('a link to set a password');
    expect(page.text).toContain(`action="${location}/invite"`);
    office.clock.advance(60_000);
    await staff.submit(`${location}/invite`, {});
    await office.drain();

    expect(office.sandbox.mails().filter(({ to }) => to.includes('new@acme.test'))).toHaveLength(1);
    const who = office.ctx.db.raw
      .prepare("SELECT actor FROM history WHERE what = 'user.invited'")
      .pluck()
      .all();
    expect(who).toEqual([`user:${ADMIN}`, `user:${ADMIN}`]);
    office.sandbox.faults.add('smtp:550');
    office.clock.advance(60_000);
    await staff.submit(`${location}/invite`, {});
    await office.drain();
    expect((await staff.get('/admin/todo')).text).toContain(`href="${location}"`);
    office.sandbox.faults.clear();
    await staff.get(`${location}/disable`);
    await staff.submit(`${location}/disable`, {});
    await staff.submit(`${location}/invite`, {});
    expect(alerts(await staff.get(location))[0]).toMatchObject({ type: 'danger' });
  });
});

describe('personal data', () => {
  test('are exported and erased from the page of a user, with a reason; a contract that must be kept names its day', async () => {
    const office = await startOffice();
    const { request, signId } = await office.waitingRequest();
    const path = `/admin/users/${request.ownerId}`;
    const staff = await office.staff();
    expect((await staff.get(path)).text).toContain(`href="${path}/erase"`);
    const archive = await staff.submit(`${path}/export`, {});
    expect([archive.status, archive.headers.get('content-type')]).toEqual([200, 'application/zip']);

    const open = await staff.get(`${path}/erase`);
    expect(alerts(await staff.get(open.location))[0]?.message).toContain(`${request.reference}: `);
    office.sandbox.sign(signId);
    await deliver(office, signId);
    office.ctx.db.raw.exec(`UPDATE requests SET status = 'COMPLETE'`);
    const kept = await staff.get(`${path}/erase`);
    expect(alerts(await staff.get(kept.location))[0]?.message).toContain(
      `${request.reference}: kept until 2 March 2036.`,
    );

    office.ctx.db.raw.exec(`UPDATE contracts SET status = 'EXPIRED', signedAt = '2000-01-01T00:00:00.000Z'`);
    await office.drain();
    expect((await staff.get(`${path}/erase`)).text).toContain('This cannot be undone.');
    const without = await staff.submit(`${path}/erase`, { reason: ' ' });
    expect(without.location).toBe(`${path}/erase`);
    await staff.get(`${path}/erase`);
    await staff.submit(`${path}/erase`, { reason: 'asked for by letter' });
    const { text: page } = await staff.get(path);
    expect(page).toContain(`erased-${request.ownerId}@erased.invalid`);
    expect(page).toContain('Personal data erased');
    expect(page).not.toContain(`${path}/erase`);
    expect((await staff.get(`/admin/requests/${request.id}`)).text).toContain('(erased)');
  });
});
