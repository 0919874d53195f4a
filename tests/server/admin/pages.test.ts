/** The pages of the back office: what they show, that what is stored never becomes markup, what they allow to load, how large they are. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { enqueue } from '../../../src/core/jobs/queue.js';
import { startSignature } from '../../support/start-signature.js';
import { anyContractPdf, TESTER } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { text } from '../../../src/core/texts/index.js';
import { sayOnPages } from '../../../src/server/admin/texts.js';
import { answered, aReceiver } from '../../support/receiver.js';
import { deliveries, happened, subscribed } from '../../support/subscriptions.js';
import { completedApp, deliver, deliverPayment, deliverRaw } from '../../support/webhooks.js';
import { ADMIN, alerts, officeOn, PASSWORD, startOffice, type Office, type Page } from './support.js';

const PAGES = [
  '/admin',
  '/admin/requests',
  '/admin/contracts',
  '/admin/payments',
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

/** A job that has used up its tries. */
async function aFailedJob(office: Office): Promise<number> {
  const { request, contract } = await office.waitingRequest();
  office.ctx.db.raw.prepare("UPDATE requests SET status = 'WAITING_PAYMENT' WHERE id = ?").run(request.id);
  office.sandbox.faults.add({ target: 'payment', operation: 'create', kind: '500', times: 4 });
  const about = { requestId: request.id, contractId: contract.id };
  const now = office.clock.now().toISOString();
  const { id } = await office.ctx.writer.write((db) =>
    enqueue(db, { kind: 'create-payment-session', payload: about, now, ...about }),
  );
  for (let i = 0; i < 4; i += 1) {
    await office.drain();
    office.clock.advance(5_000);
  }
  return id;
}

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
    expect(page).toContain('signed on 2 March 2026, 10:14 CET');
    expect(page.replaceAll(/datetime="[^"]*"/g, '')).not.toMatch(/\dT\d\d:\d\d|UTC/);
    for (const path of PAGES) {
      expect((await visitor.get(path)).text).toContain('Time zone: Europe/Paris.');
    }
  });

  test('in the address of a list may say how long ago; the form shows the day that was meant', async () => {
    const office = await startOffice();
    const staff = await office.staff();
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

test('the dashboard says how long customers take once somebody has signed, and of paying once somebody has paid', async () => {
  const office = await startOffice();
  const staff = await office.staff();
  expect((await staff.get('/admin')).text).not.toContain('Half of the customers');
  const { signId } = await office.waitingRequest();
  office.sandbox.sign(signId);
  await deliver(office, signId);
  const { text } = await staff.get('/admin');
  expect(text).toContain('Half of the customers sign within 1 day.');
  expect(text).not.toContain('half of the customers pay');
});

test('what needs the office stands on top of the dashboard, with the button that settles it, and on a page of its own', async () => {
  const office = await startOffice();
  const staff = await office.staff();
  expect((await staff.get('/admin')).text).toContain('Nothing needs attention.');
  const { request } = await office.waitingRequest();
  expect((await staff.get('/admin')).text).toContain('Nothing needs attention.');
  office.clock.advance(32 * DAY);
  const button = `href="/admin/requests/${request.id}/reset-signature"`;
  const again = await office.staff();
  for (const page of ['/admin', '/admin/todo']) expect((await again.get(page)).text).toContain(button);
});

test('a request has words for its customer, to be copied', async () => {
  const office = await startOffice();
  const { request } = await office.waitingRequest();
  const staff = await office.staff();
  expect((await staff.get(`/admin/requests/${request.id}`)).text).toContain(
    `/admin/requests/${request.id}/reply`,
  );
  const { text } = await staff.get(`/admin/requests/${request.id}/reply`);
  expect(text).toMatch(/<textarea[^>]*readonly[^>]*>The contract for your request/);
  expect((await staff.get('/admin/requests/999/reply')).status).toBe(404);
});

test('a contract that was perhaps sent is named on the dashboard, and its page says what to do', async () => {
  const office = await startOffice();
  const { id } = await office.addRequest(undefined, { title: 'Cold boiler' });
  office.sandbox.faults.add('signature.activate:answer_lost:1');
  await startSignature(office.ctx, id, { actor: TESTER, pdf: await anyContractPdf() }).catch(() => undefined);
  const staff = await office.staff();

  expect((await staff.get('/admin')).text).toMatch(/Needs attention[\s\S]*Cold boiler/);
  const { text: page } = await staff.get(`/admin/requests/${id}`);
  expect(page).toContain('the customer may have the contract');
  expect(page).toContain(`esignctl check-signature ${id}`);
});

test('a contract that was perhaps sent is checked by a button on its page; one that nobody has sent has no such button', async () => {
  const office = await startOffice();
  const { id } = await office.addRequest();
  const check = `href="/check_signature/request/${id}"`;
  const staff = await office.staff();
  expect((await staff.get(`/admin/requests/${id}`)).text).not.toContain(check);

  office.sandbox.faults.add('signature.activate:answer_lost:1');
  await startSignature(office.ctx, id, { actor: TESTER, pdf: await anyContractPdf() }).catch(() => undefined);
  expect((await staff.get(`/admin/requests/${id}`)).text).toContain(check);

  const { text: asked } = await staff.get(`/check_signature/request/${id}`);
  expect(asked).toContain(`action="/admin/requests/${id}/check-signature"`);
  await staff.submit(`/admin/requests/${id}/check-signature`, {});
  expect(office.request(id).status).toBe('WAITING_SIGNATURE');
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
  const office = await startOffice();
  const staff = await office.staff();
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

test('failed deliveries of a subscription that is off are not called done: the page says why, and they stay', async () => {
  const office = await startOffice();
  const staff = await office.staff();
  const hook = await subscribed(office, { url: 'https://hooks.example.org/' });
  await happened(office);
  office.ctx.db.raw.exec("UPDATE jobs SET state = 'failed', attempt = 7, finishedAt = runAt");
  office.ctx.db.raw.exec("UPDATE webhooks SET active = 0, disabledReason = 'failing'");
  const [job] = office.jobs('deliver-webhook');

  await staff.get('/admin/failed');
  await staff.submit('/admin/failed', { id: String(job?.id), do: 'replay' });

  const [alert] = alerts(await staff.get('/admin/failed'));
  expect(alert).toMatchObject({ type: 'danger', message: expect.stringContaining('switched off') as string });
  expect(alert?.message).toContain(`esignctl webhooks enable ${hook.id}`);
  expect(office.jobs('deliver-webhook')).toMatchObject([{ state: 'failed', replays: 0 }]);
});

/** A request waits for its payment, and the customer has the link. */
async function unpaidOffice() {
  const { app, waiting } = await completedApp();
  await app.drain();
  const office = await officeOn(app);
  return { office, staff: await office.staff(), request: waiting.request };
}

describe('a request', () => {
  const actionsOf = (text: string) =>
    [...text.matchAll(/class="btn (btn-[\w-]+)"\s+href="([^"]+)"/g)]
      .map(
        ([, look, path]) =>
          `${path?.split('/').at(-1) === '1' ? 'check-signature' : path?.split('/').at(-1)} ${look}`,
      )
      .filter((each) => !/^(pdf|reply)/.test(each));

  test('shows the actions that its state allows, and no others; the check only while it waits for the signature', async () => {
    const office = await startOffice();
    const staff = await office.staff();
    const { id } = await office.addRequest();
    const shown = async () => actionsOf((await staff.get(`/admin/requests/${id}`)).text);
    expect(await shown()).toEqual(['start-signature btn-primary', 'cancel btn-outline-secondary']);

    await staff.get(`/admin/requests/${id}/start-signature`);
    await staff.submit(`/admin/requests/${id}/start-signature`, {});
    expect(await shown()).toEqual([
      'check-signature btn-warning',
      'reset-signature btn-outline-danger',
      'remind btn-outline-primary',
      'cancel btn-outline-secondary',
    ]);
    const waiting = await staff.get(`/admin/requests/${id}`);
    expect(waiting.text).toMatch(
      new RegExp(
        `<a class="btn btn-warning" href="/check_signature/request/${id}"[^>]*>.*Check signature`,
        's',
      ),
    );

    office.sandbox.sign(office.contract(id).signId as string);
    await staff.get(`/check_signature/request/${id}`, { 'Sec-Fetch-Site': 'same-origin' });
    expect(await shown()).toEqual([
      'check-payment btn-outline-primary',
      'complete btn-outline-danger',
      'remind btn-outline-primary',
      'cancel btn-outline-secondary',
    ]);

    office.clock.advance(2 * DAY);
    const later = await office.staff();
    expect(actionsOf((await later.get(`/admin/requests/${id}`)).text)).toContain('renew-payment btn-primary');

    await deliverPayment(office, office.request(id).paymentId as string);
    expect(actionsOf((await later.get(`/admin/requests/${id}`)).text)).toEqual([]);
  });

  test('money on its way can be given up, for a reason; then there is something to renew', async () => {
    const office = await startOffice();
    const staff = await office.staff();
    const { request, signId } = await office.waitingRequest();
    const page = `/admin/requests/${request.id}`;
    office.sandbox.sign(signId);
    await staff.get(`/check_signature/request/${request.id}`, { 'Sec-Fetch-Site': 'same-origin' });
    await office.drain();
    const paymentId = office.request(request.id).paymentId as string;
    office.sandbox.pay(paymentId, { async: true });
    await deliverPayment(office, paymentId, { paymentStatus: 'unpaid' });
    expect(actionsOf((await staff.get(page)).text).join()).toContain('give-up-payment');
    const done = await staff.submit(`${page}/give-up-payment`, { reason: 'the debit failed' });
    const after = await staff.get(done.location);
    expect(alerts(after)[0]?.type).toBe('success');
    expect(after.text).toContain('the debit failed');
    expect(actionsOf(after.text).join()).toContain('renew-payment');
  });

  test('an action that is no longer allowed says so, and does nothing', async () => {
    const office = await startOffice();
    const staff = await office.staff();
    const { request } = await office.waitingRequest();
    await staff.get('/admin');
    const early = await staff.submit(`/admin/requests/${request.id}/complete`, { reason: 'paid in cash' });
    expect(alerts(await staff.get(early.location))[0]?.type).toBe('danger');
    const asked = await staff.get(`/admin/requests/${request.id}/renew-payment`);
    expect(asked.location).toBe(`/admin/requests/${request.id}`);
    expect(office.request(request.id).status).toBe('WAITING_SIGNATURE');
  });

  test('reset asks first, then sends a new contract; the reason stands in the time line', async () => {
    const office = await startOffice();
    const staff = await office.staff();
    const { request, contract } = await office.waitingRequest();
    const path = `/admin/requests/${request.id}/reset-signature`;

    expect((await staff.get(path)).text).toContain(
      'The signing link mailed to Ada Lovelace on 2 March 2026 will stop working; a new one will be mailed.',
    );
    expect(office.contract(request.id).id).toBe(contract.id);
    const done = await staff.submit(path, { reason: 'a wrong price' });

    const page = await staff.get(done.location);
    expect(alerts(page)[0]?.type).toBe('success');
    expect(page.text).toContain('a wrong price');
    expect(page.text).toContain(`· ${ADMIN}`);
    expect(office.contract(request.id).id).not.toBe(contract.id);
  });

  test('a reset that is sent twice makes one new contract, and the second answer says so', async () => {
    const office = await startOffice();
    const staff = await office.staff();
    const { request, contract } = await office.waitingRequest();
    const path = `/admin/requests/${request.id}/reset-signature`;
    expect((await staff.get(path)).text).toContain(`name="contract" value="${contract.id}"`);

    await staff.submit(path, { contract: String(contract.id) });
    const { id } = office.contract(request.id);
    const second = await staff.submit(path, { contract: String(contract.id) });

    expect(alerts(await staff.get(second.location))[0]?.message).toBe(text('en', 'already_reset'));
    expect(office.contract(request.id).id).toBe(id);
  });

  test('completing by hand needs a reason', async () => {
    const { office, staff, request } = await unpaidOffice();
    const path = `/admin/requests/${request.id}/complete`;
    await staff.get(path);

    expect((await staff.submit(path, { reason: ' ' })).location).toBe(path);
    await staff.get(path);
    await staff.submit(path, { reason: 'paid in cash' });
    expect(office.request(request.id).status).toBe('COMPLETE');
  });

  test('canceling and reopening need a reason; the customer gets a mail if the box is ticked, and a late payment can be settled', async () => {
    const { office, staff, request } = await unpaidOffice();
    const { paymentId } = office.request(request.id);
    const page = `/admin/requests/${request.id}`;
    const act = async (action: string, form: Record<string, string>) => {
      const asked = await staff.get(`${page}/${action}`);
      const done = await staff.submit(`${page}/${action}`, form);
      return { asked: asked.text, done: await staff.get(done.location) };
    };

    expect(alerts((await act('cancel', { reason: '' })).done)[0]?.type).toBe('danger');
    const canceled = await act('cancel', { reason: 'sold the boiler', notify: '1' });
    expect(canceled.asked).toMatch(/Ada Lovelace.*name="notify"/s);
    expect(actionsOf(canceled.done.text)).toEqual(['reopen btn-outline-primary']);
    expect(office.jobs('send-mail').at(-1)?.payload).toContain('request-canceled');

    await deliverPayment(office, paymentId as string);
    const settled = await act('settle', { reason: 'refunded', payments: paymentId as string });
    expect(settled.asked).toContain(`value="${paymentId}"`);
    expect(alerts(settled.done)[0]?.message).toBe(sayOnPages('en')('act.settle.done'));
    const reopened = await act('reopen', { reason: 'wanted after all' });
    expect(actionsOf(reopened.done.text)).toContain('start-signature btn-primary');
    expect(office.request(request.id).status).toBe('new');
  });

  test('where a payment does not count, renewing asks whether it was refunded, and completing says what is accepted', async () => {
    const { office, staff, request } = await unpaidOffice();
    const { paymentId } = office.request(request.id);
    await deliverPayment(office, paymentId as string, { object: { amount_total: 100 } });
    const ask = async (action: string) => (await staff.get(`/admin/requests/${request.id}/${action}`)).text;

    expect(await ask('renew-payment')).toMatch(
      /\(€1\.00\)\. Have you refunded it\?.*name="reason"[^>]*required/s,
    );
    expect(await ask('complete')).toMatch(/This accepts the payment cs_\w+ \(€1\.00\)/);
  });

  test('gives the PDF to staff, and to nobody else', async () => {
    const office = await startOffice();
    const { contract } = await office.waitingRequest();
    const path = `/admin/contracts/${contract.id}/pdf`;
    const pdf = await (await office.staff()).get(path);
    expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, '%PDF-']);
    expect((await office.visitor().get(path)).status).toBe(303);
  });
});

describe('the list of requests', () => {
  let office: Office;
  let titles: (query: string) => Promise<string[]>;

  beforeAll(() => {
    titles = async (query) => {
      const { text } = await (await office.staff()).get(`/admin/requests${query}`);
      return [...text.matchAll(/<a class="title" href="\/admin\/requests\/[^>]*>([^<]+)</g)].map(
        ([, title = '']) => title,
      );
    };
  });

  test('finds by reference, number, signId, e-mail and words of the title', async () => {
    office = await startOffice();
    const ada = await office.addUser({ username: 'ada@example.org' });
    const boiler = await office.addRequest(ada, { title: 'Chaudière à réparer' });
    await office.addRequest(undefined, { title: 'Roof is leaking' });
    const contract = await startSignature(office.ctx, boiler.id, {
      actor: TESTER,
      pdf: await anyContractPdf(),
    });

    for (const q of [
      boiler.reference,
      boiler.reference.toLowerCase(),
      ` ${boiler.reference.replace('-00000', '-')} `,
      boiler.reference.replaceAll('-', ' '),
      String(boiler.id),
      contract.signId as string,
      `contract:${contract.id}`,
      'ADA@example.org',
      'chaudiere',
      'rép chau',
      ' Chaudière ',
    ]) {
      expect([q, await titles(`?search=${encodeURIComponent(q)}`)]).toEqual([q, ['Chaudière à réparer']]);
    }
    for (const q of [
      'REQ-1999-000001',
      '99999',
      'nobody@example.org',
      '"',
      '*',
      'AND OR',
      'x'.repeat(500),
      '%00',
    ]) {
      expect([q, await titles(`?search=${encodeURIComponent(q)}`)]).toEqual([q, []]);
    }
  });

  test('the search box of every page leads to the one thing that fits, else to the list', async () => {
    office = await startOffice();
    const ada = await office.addUser({ username: 'ada@example.org', lastName: 'Lovelace' });
    const bob = await office.addUser({ username: 'bob@example.org', firstName: 'Bob', lastName: 'Lowe' });
    const { id } = await office.addRequest(ada, { title: 'Boiler' });
    await office.addRequest(ada, { title: 'Pump' });
    const staff = await office.staff();
    expect((await staff.get('/admin/failed')).text).toContain('action="/admin/find"');
    const place = async (q: string) => (await staff.get(`/admin/find?q=${encodeURIComponent(q)}`)).location;
    expect(await place('boil')).toBe(`/admin/requests/${id}`);
    expect(await place('lovelace')).toBe('/admin/requests?search=lovelace');
    expect(await place('bob l')).toBe(`/admin/users/${bob.id}`);
    expect(await place('  ')).toBe('/admin/requests');
    expect(await place('<"&>')).toBe('/admin/requests?search=%3C%22%26%3E');

    const { text } = await staff.get('/admin/requests?search=lo');
    expect(text).toContain(`href="/admin/users/${bob.id}"`);
    expect(text).toContain('value="lo"');
    expect((await staff.get('/admin/users?search=lowe')).text).toContain('bob@example.org');
  });

  test('tells an office without requests from a search that found none', async () => {
    office = await startOffice();
    const staff = await office.staff();
    expect((await staff.get('/admin/requests')).text).toContain('There are no requests yet.');
    for (const query of ['?search=roof', '?status=new', '?until=2026-01-01']) {
      expect((await staff.get(`/admin/requests${query}`)).text).toContain(
        'No request matches these filters.',
      );
    }
  });

  test('of a word in very many titles shows the newest, and says so; the beginning of a word is enough', async () => {
    office = await startOffice();
    const { id } = await office.addRequest(undefined, { title: 'Boiler check' });
    office.ctx.db.raw.exec(`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO requests (ownerId, equipmentId, title, description, status, createdAt, updatedAt, statusSince)
        SELECT ownerId, equipmentId, title || ' ' || i, description, status, createdAt, updatedAt, statusSince
        FROM requests, n WHERE id = ${id}`);
    for (const [q, first] of [
      ['boiler', 'Boiler check 5000'],
      ['boil', 'Boiler check 5000'],
      ['boil 4321', 'Boiler check 4321'],
    ] as const) {
      const { text } = await (await office.staff()).get(`/admin/requests?search=${encodeURIComponent(q)}`);
      expect([q, text.includes('Only the newest 1,000 requests')]).toEqual([q, q !== 'boil 4321']);
      expect((await titles(`?search=${encodeURIComponent(q)}`))[0]).toBe(first);
    }
  });

  test('a title that was changed is found by its new words only', async () => {
    office = await startOffice();
    const { id } = await office.addRequest(undefined, { title: 'Old words' });
    office.ctx.db.raw.prepare("UPDATE requests SET title = 'New speech' WHERE id = ?").run(id);
    expect(await titles('?search=speech')).toEqual(['New speech']);
    expect(await titles('?search=words')).toEqual([]);
  });

  test('filters by status and day, turns pages, and survives any address', async () => {
    office = await startOffice();
    const owner = await office.addUser();
    for (let i = 1; i <= 30; i += 1) await office.addRequest(owner, { title: `Request ${i}`, status: 'new' });
    office.clock.advance(DAY);
    await office.addRequest(owner, { title: 'The next day' });

    expect(await titles('?status=in_progress')).toEqual(['The next day']);
    expect(await titles('?since=2026-03-03')).toEqual(['The next day']);
    expect((await titles('?until=2026-03-03')).length).toBe(25);
    expect((await titles('?search=request&status=NEW&page=2')).length).toBe(5);
    expect((await titles('')).at(0)).toBe('The next day');
    expect((await titles('?page=2')).length).toBe(6);
    const beyond = await (await office.staff()).get('/admin/requests?search=request&page=999999');
    expect([beyond.status, beyond.location]).toEqual([303, '/admin/requests?search=request&page=2']);
    expect(await titles(`?owner=${owner.username}&status=in_progress`)).toEqual(['The next day']);
    expect((await titles(`?search=request&owner=${owner.id}&page=2`)).length).toBe(5);
    expect(await titles('?owner=nobody@example.org')).toEqual([]);
    for (const query of ['?page=-1', '?page[]=1', '?status=x', '?since=2026-99-99', '?search[]=1']) {
      expect((await (await office.staff()).get(`/admin/requests${query}`)).status).toBe(200);
    }
  });
});

test('the days of the filter are those of the zone in which the page shows its times', async () => {
  const office = await startOffice({ env: { ESIGN_TIMEZONE: 'America/Los_Angeles' } });
  // Still the first of March there.
  office.clock.set('2026-03-02T07:59:59.000Z');
  await office.addRequest(undefined, { title: 'Late in the evening' });
  office.clock.set('2026-03-02T08:00:00.000Z');
  await office.addRequest(undefined, { title: 'Past midnight' });
  const staff = await office.staff();
  const shown = async (query: string) => {
    const { text: page } = await staff.get(`/admin/requests?${query}`);
    return ['Late in the evening', 'Past midnight'].filter((title) => page.includes(title));
  };
  expect(await shown('since=2026-03-02')).toEqual(['Past midnight']);
  expect(await shown('until=2026-03-02')).toEqual(['Late in the evening']);
  expect(await shown('since=0000-01-01')).toHaveLength(2);
});

describe('failed jobs', () => {
  test('are tried again: done leaves the list, failed again stays with its new count', async () => {
    const office = await startOffice();
    const id = await aFailedJob(office);
    const staff = await office.staff();
    const { text: list } = await staff.get('/admin/failed');
    expect(list).toContain(`value="${id}"`);

    office.sandbox.faults.add({ target: 'payment', operation: 'create', kind: '500', times: 1 });
    await staff.submit('/admin/failed', { id: String(id), do: 'replay' });
    expect(alerts(await staff.get('/admin/failed'))[0]?.type).toBe('danger');
    await staff.submit('/admin/failed', { id: String(id), do: 'replay' });

    const after = await staff.get('/admin/failed');
    expect(alerts(after)[0]?.type).toBe('success');
    expect(after.text).not.toContain(`value="${id}"`);
  });

  test('name the request and its customer; what waits is tried now, by kind, after the question', async () => {
    const office = await startOffice();
    const { request, owner, signId } = await office.waitingRequest();
    const id = await aFailedJob(office);
    office.ctx.db.raw.prepare('UPDATE jobs SET requestId = ? WHERE id = ?').run(request.id, id);
    office.sandbox.sign(signId);
    await deliver(office, signId);
    office.ctx.db.raw.exec("UPDATE jobs SET runAt = '2100-01-01' WHERE state = 'available'");
    const waiting = office.jobs('send-mail').filter(({ state }) => state === 'available').length;
    const staff = await office.staff();

    const { text } = await staff.get('/admin/failed');
    expect(text).toContain(`href="/admin/requests/${request.id}">${request.reference}</a>`);
    expect(text).toContain(`${owner.firstName} ${owner.lastName}`);
    const question = await staff.get('/admin/failed/push/send-mail');
    expect(question.text).toContain(`${waiting} jobs of the kind “e-mail” are waiting.`);
    await staff.submit('/admin/failed/push/send-mail', { reason: 'server is back' });
    expect(alerts(await staff.get('/admin/failed'))[0]?.type).toBe('success');
    await office.drain();
    expect(office.jobs('send-mail').every(({ state }) => state === 'completed')).toBe(true);
    expect((await staff.get('/admin/failed/push/send-mail')).status).toBe(303);
  });

  test('are removed only after the question', async () => {
    const office = await startOffice();
    const id = await aFailedJob(office);
    const staff = await office.staff();
    await staff.get('/admin/failed');

    const question = await staff.submit('/admin/failed', { id: String(id), do: 'remove' });
    expect(question.status).toBe(200);
    expect(office.jobs('create-payment-session')).toHaveLength(1);
    await staff.submit('/admin/failed/remove', { id: String(id) });
    expect(office.jobs('create-payment-session')).toHaveLength(0);
  });
});

describe('users', () => {
  test('are added, closed, opened again and given passwords', async () => {
    const office = await startOffice();
    const staff = await office.staff();
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
    const office = await startOffice({ env: { ESIGN_LOCALE: 'fr' } });
    const { id } = await office.addUser();
    const staff = await office.staff();
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
    const office = await startOffice();
    const staff = await office.staff();
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
    const office = await startOffice();
    const { id } = await office.addUser();
    const staff = await office.staff();
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
    const office = await startOffice();
    const staff = await office.staff();
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
    expect((await staff.get('/admin/todo')).text).toContain('href="/admin/users?search=new%40acme.test"');
    expect((await staff.get('/admin/users?search=new%40acme.test')).text).toContain(`href="${location}"`);
    office.sandbox.faults.clear();
    await staff.get(`${location}/disable`);
    await staff.submit(`${location}/disable`, {});
    await staff.submit(`${location}/invite`, {});
    expect(alerts(await staff.get(location))[0]).toMatchObject({ type: 'danger' });
  });

  test('the last administrator stays', async () => {
    const office = await startOffice();
    const staff = await office.staff();
    const id = office.ctx.db.raw.prepare('SELECT id FROM users').pluck().get() as number;
    await staff.get(`/admin/users/${id}/disable`);
    await staff.submit(`/admin/users/${id}/disable`, {});
    expect(alerts(await staff.get(`/admin/users/${id}`))[0]?.type).toBe('danger');
  });
});

describe('the evidence of a request', () => {
  test('is downloaded by a form, as an archive that verifies; the history tells who took it; nothing stays behind', async () => {
    const office = await startOffice();
    const { request, signId } = await office.waitingRequest();
    office.sandbox.sign(signId);
    await deliver(office, signId);
    const staff = await office.staff();
    const page = `/admin/requests/${request.id}`;
    expect((await staff.get(page)).text).toContain(`action="${page}/export"`);
    expect((await staff.get(`${page}/export`)).status).toBe(404);

    office.sandbox.faults.add('audit_trail:not_ready:1');
    await staff.get(page);
    const refused = await staff.submit(`${page}/export`, {});
    expect(alerts(await staff.get(refused.location))).toEqual([
      { type: 'danger', message: text('en', 'audit_trail_not_ready') },
    ]);

    const { status, headers, bytes } = await staff.submit(`${page}/export`, {});
    expect([status, headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${request.reference}.zip"`);
    expect(bytes).toBe(Number(headers.get('content-length')));
    expect((await staff.get(page)).text).toContain('Evidence exported as an archive');
    expect(readdirSync(join(office.ctx.config.dataDir, 'exports'))).toEqual([]);
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

describe('deliveries', () => {
  async function aFailedDelivery() {
    const office = await startOffice({ env: { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' } });
    const receiver = await aReceiver(answered(410, {}, 'gone <b>for good</b>'));
    const { id } = await subscribed(office, { url: receiver.url });
    await happened(office);
    await office.drain();
    return { office, receiver, webhookId: id, path: `/admin/deliveries/${deliveries(office)[0]?.id}` };
  }

  test('are shown with their tries, and sent again with the same bytes', async () => {
    const { office, receiver, webhookId, path } = await aFailedDelivery();
    const staff = await office.staff();
    expect((await staff.get('/admin/deliveries')).text).toContain(receiver.url);
    const { text } = await staff.get(path);
    expect(text).toContain('gone &lt;b&gt;for good&lt;/b&gt;');
    expect(text).not.toContain('/redeliver');

    office.ctx.db.raw
      .prepare('UPDATE webhooks SET active = 1, disabledReason = NULL WHERE id = ?')
      .run(webhookId);
    expect((await staff.get(path)).text).toContain(`action="${path}/redeliver"`);
    receiver.answer = answered(204);
    await staff.submit(`${path}/redeliver`, {});
    await office.drain();
    expect(deliveries(office)[0]?.state).toBe('delivered');
    const [first, second] = receiver.received;
    expect(second?.body).toBe(first?.body);
  });

  test('of one webhook, in one state, about one request are found; a webhook that is not there is said', async () => {
    const { office, receiver, webhookId } = await aFailedDelivery();
    const { request } = await office.waitingRequest();
    expect(request.id).toBe(deliveries(office)[0]?.requestId);
    const staff = await office.staff();
    const found = async (query: string) => {
      const page = await staff.get(`/admin/deliveries?${query}`);
      expect(page.status).toBe(200);
      return page.text.includes(receiver.url);
    };
    expect(await found(`webhook=${webhookId}&status=failed&request=${request.id}`)).toBe(true);
    expect(await found(`webhook=${webhookId}&status=delivered`)).toBe(false);
    expect(await found('status=nonsense')).toBe(true);
    for (const [name, typed] of [
      ['webhook', '99'],
      ['webhook', 'x'],
      ['request', '99'],
    ] as const) {
      expect(alerts(await staff.get(`/admin/deliveries?${name}=${typed}`))).toEqual([
        { type: 'info', message: sayOnPages('en')('admin.list.unknown', { typed }) },
      ]);
    }
  });

  test('of a webhook: its page has the last error in words, who switched it off, a ping, and everything again', async () => {
    const { office, receiver, webhookId } = await aFailedDelivery();
    const staff = await office.staff();
    const path = `/admin/webhooks/${webhookId}`;
    expect((await staff.get('/admin/webhooks')).text).toContain(receiver.url);
    const { text: off } = await staff.get(path);
    expect(off).toContain('refused by the receiver (410)');
    expect(off).toContain('its receiver is gone for good');
    expect(off).toContain(
      'Webhook switched off because its receiver is gone for good: refused by the receiver (410)',
    );
    expect(off).not.toContain(`${path}/redeliver`);

    await staff.submit(`${path}/enable`, {});
    receiver.answer = answered(204);
    const { location } = await staff.submit(`${path}/ping`, {});
    const pinged = await staff.get(location);
    expect(alerts(pinged)).toEqual([
      { type: 'success', message: expect.stringContaining('The receiver answered after') },
    ]);
    expect(pinged.text).toContain(`href="${path}/redeliver"`);
    expect((await staff.get(`${path}/redeliver`)).text).toContain('Send 1 delivery that never arrived');
    await staff.submit(`${path}/redeliver`, { reason: 'they lost a day' });
    await office.drain();
    expect(deliveries(office)[0]?.state).toBe('delivered');
    const { text: well } = await staff.get(path);
    expect(well).toContain('they lost a day');
    expect(well).not.toContain(`${path}/redeliver`);

    await staff.get(`${path}/disable`);
    const done = await staff.submit(`${path}/disable`, { reason: 'noise' });
    expect((await staff.get(done.location)).text).toContain('by an administrator');
    expect((await staff.get('/admin/webhooks/99')).status).toBe(404);
  });

  test('of a webhook that is switched off are not sent, and the page says why', async () => {
    const { office, receiver, path } = await aFailedDelivery();
    const staff = await office.staff();
    await staff.get(path);
    const { location } = await staff.submit(`${path}/redeliver`, {});
    expect(alerts(await staff.get(location))).toEqual([
      { type: 'danger', message: text('en', 'webhook_disabled') },
    ]);
    expect(receiver.received).toHaveLength(1);
    expect((await staff.get('/admin/deliveries/999')).status).toBe(404);
  });
});

test('the inbox shows what came, what was made of it, and what was turned away', async () => {
  const office = await startOffice();
  const { signId } = await office.waitingRequest();
  office.sandbox.sign(signId);
  await deliver(office, signId);
  await deliverRaw(office, '{}', 'sha256=wrong');
  const staff = await office.staff();

  const list = await staff.get('/admin/inbox');
  expect(list.text).toContain('signature_request.done');
  expect(list.text).toContain('its signature is wrong');
  const event = await staff.get('/admin/inbox/1');
  expect(event.text).toContain('&quot;event_name&quot;: &quot;signature_request.done&quot;');
  expect((await staff.get('/admin/inbox/999')).status).toBe(404);
});
