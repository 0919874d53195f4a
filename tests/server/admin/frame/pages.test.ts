/** Every page: its times, that what is stored never becomes markup, what it allows to load, how large it is, that looking changes nothing. */
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { startSignature } from '../../../support/start-signature.js';
import { anyContractPdf, TESTER } from '../../../support/app.js';
import { deliver, deliverRaw } from '../../../support/webhooks.js';
import { aFailedJob, startOffice, type Office, staffedOffice } from '../support.js';

const PAGES = [
  '/admin',
  '/admin/requests',
  '/admin/contracts',
  '/admin/payments',
  '/admin/report',
  '/admin/failed',
  '/admin/inbox',
  '/admin/webhooks',
  '/admin/deliveries',
  '/admin/users',
  '/admin/users/new',
  '/admin/history',
  '/admin/sessions',
];

const EVIL = `<script>alert(1)</script>"'><img src=x onerror=alert(2)> & {{7*7}}`;

describe('times', () => {
  test('are in the zone of the settings on every page, and its foot names it', async () => {
    const office = await startOffice({ env: { ESIGN_TIMEZONE: 'Europe/Paris' } });
    const { request, signId } = await office.waitingRequest();
    office.sandbox.sign(signId);
    await deliver(office, signId);
    const visitor = await office.staff();

    const { text: page } = await visitor.get(`/admin/requests/${request.id}`);

    expect(page).toContain('Time zone: Europe/Paris.');
    expect(page).toContain('>2 Mar 2026, 10:14</time>');
    expect(page).toContain('title="2026-03-02 10:14:07 CET"');
    // Sentences of the time line hold times too.
    expect(page).toContain('signed on 2 March 2026, 10:14');
    expect(page.replaceAll(/datetime="[^"]*"/g, '')).not.toMatch(/\dT\d\d:\d\d|UTC/);
    for (const path of PAGES) {
      expect((await visitor.get(path)).text).toContain('Time zone: Europe/Paris.');
    }
  });

  test('in the address of a list may say how long ago; the form shows the day that was meant', async () => {
    const { office, staff } = await staffedOffice();
    const { request } = await office.waitingRequest();
    expect((await staff.get('/admin/requests?since=today')).text).toContain(request.reference);
    const { text: earlier } = await staff.get('/admin/requests?until=yesterday');
    expect(earlier).toContain('value="2026-03-01"');
    expect(earlier).not.toContain(request.reference);
    expect((await staff.get('/admin/history?since=3d')).text).toContain('value="2026-02-27"');
    expect((await staff.get('/admin/history?since=soon')).text).toMatch(/name="since"\s+value=""/);
    expect((await staff.get('/admin/history?about=nobody')).text).toContain('Nothing matches “nobody”.');
  });

  test('are in French where the office is French', async () => {
    const env = { ESIGN_TIMEZONE: 'Pacific/Kiritimati', ESIGN_LOCALE: 'fr' };
    const office = await startOffice({ env });
    const { request } = await office.waitingRequest();
    const { text: page } = await (await office.staff()).get(`/admin/requests/${request.id}`);
    expect(page).toContain('Fuseau horaire\u00a0: Pacific/Kiritimati.');
    expect(page).toContain('2 mars 2026, 23:14');
  });
});

describe('what is stored', () => {
  test('is text on every page, whoever wrote it', async () => {
    const office = await startOffice();
    const owner = await office.addUser();
    const { id } = await office.addRequest(owner, { title: EVIL, description: EVIL });
    const contract = await startSignature(office.ctx, id, {
      actor: TESTER,
      pdf: await anyContractPdf(),
      reason: EVIL,
    });
    office.ctx.db.raw
      .prepare('UPDATE users SET firstName = ?, lastName = ? WHERE id = ?')
      .run(EVIL, EVIL, owner.id);
    await deliver(office, contract.signId as string, { name: EVIL });
    await deliverRaw(office, JSON.stringify({ data: { signature_request: { id: EVIL } } }), 'sha256=0');
    const jobId = await aFailedJob(office);
    office.ctx.db.raw
      .prepare('UPDATE jobs SET lastError = ?, errors = ? WHERE id = ?')
      .run(EVIL, '[]', jobId);
    const staff = await office.staff();

    const paths = [
      ...PAGES,
      `/admin/requests/${id}`,
      `/admin/requests/${id}/reset-signature`,
      `/admin/requests?search=${encodeURIComponent(EVIL)}`,
      `/admin/failed?error=${encodeURIComponent(EVIL)}`,
      `/admin/inbox?subject=${encodeURIComponent(EVIL)}`,
      '/admin/inbox/1',
      `/admin/users?search=${encodeURIComponent(EVIL)}`,
      `/admin/users/${owner.id}`,
      `/admin/${encodeURIComponent(EVIL)}`,
    ];
    let seen = 0;
    for (const path of paths) {
      const { text } = await staff.get(path);
      expect([path, /<script>|<img|onerror=alert\(2\)>/.exec(text)]).toEqual([path, null]);
      if (text.includes('&lt;script&gt;alert(1)')) seen += 1;
    }
    expect(seen).toBeGreaterThan(8);
    const entered = { username: EVIL, firstName: EVIL, lastName: EVIL, phone: EVIL, password: 'x' };
    const refused = await staff.submit('/admin/users/new', entered);
    expect([refused.status, refused.text.includes('<script>alert')]).toEqual([422, false]);
  });

  test('turns around nothing that stands after it', async () => {
    const office = await startOffice();
    const owner = await office.addUser();
    const title = 'invoice\u202efdp.exe\u2066';
    const { id } = await office.addRequest(owner, { title, description: title });
    office.ctx.db.raw.prepare('UPDATE users SET lastName = ? WHERE id = ?').run(title, owner.id);
    const staff = await office.staff();

    for (const path of ['/admin/requests', `/admin/requests/${id}`, `/admin/users/${owner.id}`]) {
      const { text } = await staff.get(path);
      expect([path, /[\u202a-\u202e\u2066-\u2069]/.test(text)]).toEqual([path, false]);
      expect(text).toContain('invoice\ufffdfdp.exe');
    }
  });

  test('becomes a link only when it is an address of the web', async () => {
    const office = await startOffice();
    const { request, contract } = await office.waitingRequest();
    office.ctx.db.raw
      .prepare("UPDATE contracts SET signUrl = 'javascript:alert(1)', signUrlExpiresAt = NULL WHERE id = ?")
      .run(contract.id);
    const { text } = await (await office.staff()).get(`/admin/requests/${request.id}`);
    expect(text).toContain('javascript:alert(1)');
    expect(text).not.toContain('href="javascript');
  });
});

describe('every page', () => {
  let office: Office;

  test('runs no script and takes no style but its own files, loads nothing from elsewhere, is kept by nobody', async () => {
    office = await startOffice();
    const staff = await office.staff();
    for (const path of [...PAGES, '/admin/nothing', '/admin/login']) {
      const { headers, text } = await (path === '/admin/login' ? office.visitor() : staff).get(path);
      expect(headers.get('Content-Security-Policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('X-Frame-Options')).toBe('deny');
      expect(headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(text).not.toMatch(/ style="| on\w+="|<style|<script(?! src="\/admin\/assets\/)/);
      expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    }
  });

  test('is below 100 KB with all its files, compressed, also when its lists are full', async () => {
    office = await startOffice();
    const owner = await office.addUser();
    for (let i = 0; i < 60; i += 1) {
      await office.addRequest(owner, { title: `A title of the usual length for request ${i}` });
      await office.addUser();
      await deliverRaw(office, '{}', 'sha256=wrong');
    }
    const { request } = await office.waitingRequest();
    await aFailedJob(office);
    const staff = await office.staff();
    const gzip = { 'Accept-Encoding': 'gzip' };
    for (const path of [...PAGES, `/admin/requests/${request.id}`]) {
      const page = await staff.get(path, gzip);
      expect(page.headers.get('Content-Encoding')).toBe('gzip');
      const files = [...page.text.matchAll(/(?:src|href)="(\/admin\/assets\/[^"]+)"/g)];
      const sizes = files.map(async ([, file = '']) => {
        const answer = await office.app.request(file, { headers: gzip });
        return (await answer.arrayBuffer()).byteLength;
      });
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, page.bytes);
      expect([path, bytes < 100 * 1024]).toEqual([path, true]);
    }
  });

  test('its files are kept for good by browsers; no other file can be had', async () => {
    office = await startOffice();
    const { text } = await office.visitor().get('/admin/login');
    const paths = [...text.matchAll(/"(\/admin\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(3);
    for (const path of paths) {
      const file = await office.app.request(path, { headers: { 'Accept-Encoding': 'br' } });
      expect(file.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
      expect(brotliDecompressSync(Buffer.from(await file.arrayBuffer())).length).toBeGreaterThan(100);
    }
    for (const name of ['package.json', '..%2f..%2fpackage.json', 'constructor', '__proto__']) {
      expect((await office.app.request(`/admin/assets/${name}`)).status).toBe(404);
    }
    const old = await office.app.request('/admin/assets/admin.css?v=before');
    expect(old.headers.get('Cache-Control')).toBe('no-cache');
  });

  test('in French says nothing in English', async () => {
    office = await startOffice({ env: { ESIGN_LOCALE: 'fr' } });
    const staff = await office.staff();
    for (const path of PAGES) {
      const { text } = await staff.get(path);
      expect(text).toContain('<html lang="fr"');
      expect(text).toContain('Se déconnecter');
      expect(text).not.toMatch(/>\s*(Requests|Failed jobs|Users|Log out|Search|Status)\s*</);
    }
  });
});

test('looking at pages, and at the questions before an action, changes nothing', async () => {
  const { office, staff } = await staffedOffice();
  const { request } = await office.waitingRequest();
  await aFailedJob(office);
  const { raw } = office.ctx.db;
  const names = raw.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
  const everything = () => JSON.stringify(names.map((name) => raw.prepare(`SELECT * FROM "${name}"`).all()));
  const before = everything();

  const { id } = request;
  const actions = ['check-signature', 'accept-late', 'reset-signature'].map(
    (action) => `/admin/requests/${id}/${action}`,
  );
  const only = ['/admin/users/1/disable', '/admin/logout', '/admin/failed/remove', '/admin/sessions/1/end'];
  for (const path of [
    ...PAGES,
    `/admin/requests/${id}`,
    ...actions,
    ...only,
    `/check_signature/request/${id}`,
  ]) {
    await staff.get(path, { 'Sec-Fetch-Site': 'none' });
  }

  expect(everything()).toBe(before);
});
