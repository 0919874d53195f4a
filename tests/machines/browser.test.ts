/**
 * The back office in a real Chromium, as staff uses it; and the customer's side on the sandbox's pages. axe-core finds
 * nothing wrong with any page, in either theme, on a desk or on a phone.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkSignature } from '../../src/core/signature/check-signature.js';
import { TESTER } from '../support/app.js';
import { deliver, deliverPayment, deliverRaw } from '../support/webhooks.js';
import { answered, aReceiver } from '../support/receiver.js';
import { happened, subscribed } from '../support/subscriptions.js';
import { startOffice, type Office } from '../server/admin/support.js';
import { hasChromium, logIn, openBrowser, openPage, serve, signIn, violations } from './chromium.js';

let browser: Browser;

async function anOffice(env: Record<string, string> = {}): Promise<{ office: Office; url: string }> {
  const office = await startOffice({ env });
  return { office, url: await serve(office) };
}

const flash = (page: Page) => page.getByRole('main').locator('.alert').innerText();

/** What may have become of a signature at the provider, and what staff is told. */
const ENDS: readonly [end: (office: Office, signId: string) => unknown, says: string][] = [
  [({ sandbox }, signId) => sandbox.expire(signId), 'deadline for signing has passed'],
  [({ sandbox }, signId) => sandbox.decline(signId), '“declined”'],
  [({ sandbox }, signId) => sandbox.cancel(signId), '“canceled”'],
  [({ sandbox }, signId) => sandbox.delete(signId, { permanent: true }), 'does not know this contract'],
  [({ sandbox }, signId) => sandbox.sign(signId), 'now waits for the payment'],
];

describe.skipIf(!hasChromium)('in a browser', () => {
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test('a colleague is invited, sets a password by the link, forgets it, sets another, and logs in', async () => {
    const { office, url } = await anOffice();
    const page = await openPage(browser, url);
    await signIn(page, office, url);
    await page.goto('/admin/users/new');
    await page.getByLabel('E-mail address').fill('anna@acme.test');
    await page.getByLabel('Role').selectOption('ROLE_ADMIN');
    await page.getByRole('button', { name: 'Add user' }).click();
    expect(await flash(page)).toContain('a link to set a password');
    expect(await page.getByRole('button', { name: 'Send invitation again' }).count()).toBe(1);
    const link = async () => {
      await office.drain();
      const { text = '' } = office.sandbox.mails().findLast(({ to }) => to.includes('anna@acme.test')) ?? {};
      return /\/password\/\w+/.exec(text)?.[0] ?? 'no link';
    };
    const invitation = await link();
    const theirs = await openPage(browser, url, {
      colorScheme: 'dark',
      viewport: { width: 390, height: 844 },
    });
    const set = async (password: string) => {
      await theirs.getByLabel('New password').fill(password);
      await theirs.getByLabel('Repeat the password').fill(password);
      await theirs.getByRole('button', { name: 'Set password' }).click();
    };

    await theirs.goto(invitation);
    expect(await violations(theirs)).toEqual([]);
    await set('a first pass phrase');
    expect(await theirs.getByRole('heading').innerText()).toBe('Your password is set');
    await theirs.getByRole('link', { name: 'Log in' }).click();
    await theirs.getByRole('link', { name: 'Forgot your password?' }).click();
    expect(await violations(theirs)).toEqual([]);
    await theirs.getByLabel('E-mail address').fill('anna@acme.test');
    await theirs.getByRole('button', { name: 'Send me a link' }).click();
    await theirs.goto(await link());
    await set('a second pass phrase');
    await theirs.getByRole('link', { name: 'Log in' }).click();
    await theirs.getByLabel('E-mail address').fill('anna@acme.test');
    await theirs.getByLabel('Password').fill('a second pass phrase');
    await theirs.getByRole('button', { name: 'Log in' }).click();
    await theirs.waitForURL('**/admin');
  });

  test('staff logs in, finds a request, checks its signature for every answer, resets it, and signs out', async () => {
    const { office, url } = await anOffice();
    const { request } = await office.waitingRequest();
    const page = await openPage(browser, url);
    await logIn(page);
    await page.getByRole('searchbox', { name: 'Find' }).fill(request.reference);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.waitForURL(`**/admin/requests/${request.id}`);
    const check = page.getByRole('link', { name: 'Check signature' });
    expect(await check.getAttribute('class')).toBe('btn btn-warning');

    await check.click();
    expect(await flash(page)).toContain('has not signed yet');
    expect(new URL(page.url()).pathname).toBe(`/admin/requests/${request.id}`);
    await page.reload();
    expect(await page.locator('.alert').count()).toBe(0);

    await page.getByRole('link', { name: 'Send a new contract' }).click();
    await page.getByLabel('Reason').fill('the customer asked for it');
    await page.getByRole('button', { name: 'Send a new contract' }).click();
    expect(await flash(page)).toContain('a new one was sent');
    expect(await page.getByRole('main').innerText()).toContain('the customer asked for it');

    for (const [end, says] of ENDS) {
      const { request: other, signId } = await office.waitingRequest();
      office.sandbox.setWebhookTargets({ webhookUrl: `${url}/webhook/lost` });
      end(office, signId);
      await page.goto(`/admin/requests/${other.id}`);
      await check.click();
      expect(await flash(page)).toContain(says);
      expect([says, await check.count()]).toEqual([says, says.includes('payment') ? 0 : 1]);
    }

    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await page.goto('/admin');
    expect(new URL(page.url()).pathname).toBe('/admin/login');
  });

  test('a typed address of the check asks first', async () => {
    const { office, url } = await anOffice();
    const { request, signId } = await office.waitingRequest();
    office.sandbox.setWebhookTargets({ webhookUrl: `${url}/webhook/lost` });
    office.sandbox.sign(signId);
    const page = await openPage(browser, url);
    await signIn(page, office, url);

    await page.goto(`/check_signature/request/${request.id}`);
    expect(office.request(request.id).status).toBe('WAITING_SIGNATURE');
    await page.getByRole('button', { name: 'Check signature' }).click();
    expect(await flash(page)).toContain('The contract is signed');
  });

  test('a failed job is tried again and done', async () => {
    const { office, url } = await anOffice();
    await aFailedPayment(office);
    const page = await openPage(browser, url);
    await signIn(page, office, url);

    await page.goto('/admin');
    await page.getByRole('link', { name: 'Technical' }).click();
    await page.getByRole('link', { name: 'Failed jobs' }).first().click();
    await page.getByText('Show 1 job').click();
    await page.getByLabel('All').check();
    await page.getByRole('button', { name: 'Try selected again' }).click();
    expect(await flash(page)).toContain('1 job was run again and is done');
    expect(await page.getByRole('main').innerText()).toContain('No job has failed.');
  });

  test('without scripts everything is there', async () => {
    const { office, url } = await anOffice();
    const { request } = await office.waitingRequest();
    const page = await openPage(browser, url, { javaScriptEnabled: false, colorScheme: 'dark' });
    await logIn(page);
    await page.goto(`/admin/requests/${request.id}`);
    await page.getByRole('link', { name: 'Check signature' }).click();
    expect(await flash(page)).toContain('has not signed yet');
    await page.getByRole('link', { name: 'Send a new contract' }).click();
    await page.getByRole('button', { name: 'Send a new contract' }).click();
    expect(await flash(page)).toContain('a new one was sent');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
  });

  test('the colours follow the system', async () => {
    const { url } = await anOffice();
    const page = await openPage(browser, url, { colorScheme: 'dark' });
    await page.goto('/admin/login');
    const paper = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(await paper()).toBe('rgb(20, 24, 29)');
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await paper()).toBe('rgb(245, 246, 247)');
  });

  test('the customer reads the mail, signs and pays; staff sees it happen', async () => {
    const { office, url } = await anOffice();
    const { request, owner } = await office.waitingRequest();
    const customer = await openPage(browser, office.sandbox.url);
    const follow = async (part: string) => {
      const mail = office.sandbox.mails().findLast(({ text }) => text.includes(part));
      const link = mail?.text.match(/https?:\/\/\S+/g)?.find((address) => address.includes(part)) ?? '';
      // The settings name another port than the one of this test.
      await customer.goto(link.replace(office.ctx.config.baseUrl, url));
    };
    await follow('/sign/');
    await customer.getByRole('button', { name: 'Sign the document' }).click();
    await customer.getByText('Thank you').waitFor();
    await office.sandbox.settled();
    await office.drain();
    await follow('/pay/');
    await customer.getByRole('button', { name: 'Pay now' }).click();
    await office.sandbox.settled();
    expect(office.request(request.id).status).toBe('COMPLETE');

    const page = await openPage(browser, url);
    await signIn(page, office, url);
    await page.goto(`/admin/requests?search=${owner.username}`);
    expect(await page.getByRole('row', { name: request.title }).innerText()).toContain('Complete');
  });

  test('a second click does nothing a second time', async () => {
    const { office, url } = await anOffice();
    const { request, contract } = await office.waitingRequest();
    const page = await openPage(browser, url);
    await signIn(page, office, url);
    await page.goto(`/admin/requests/${request.id}/reset-signature`);

    await page.getByRole('button', { name: 'Send a new contract' }).dblclick();

    expect(await flash(page)).toContain('a new one was sent');
    expect(office.contract(request.id).id).toBe(contract.id + 1);
  });

  test('a delivery that failed is sent again', async () => {
    const { office, url } = await anOffice({ ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' });
    const receiver = await aReceiver(answered(503));
    await subscribed(office, { url: receiver.url });
    await happened(office);
    await office.drain();
    receiver.answer = answered(204);
    const page = await openPage(browser, url);
    await signIn(page, office, url);

    await page.goto('/admin');
    await page.getByRole('link', { name: 'Technical' }).click();
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await page.getByRole('link', { name: 'request.updated' }).click();
    expect(await page.getByRole('main').innerText()).toContain('error at the receiver (503)');
    await page.getByRole('button', { name: 'Send again' }).click();
    expect(await flash(page)).toContain('is being sent again');
    await office.drain();
    await page.reload();
    expect(await page.locator('.facts .state').allInnerTexts()).toEqual(['Active', 'Delivered']);
  });

  test('every page is accessible and fits, in both themes, on a desk and on a phone, whatever is stored', async () => {
    const { office, url } = await anOffice({ ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' });
    const page = await openPage(browser, url);
    for (const path of ['/admin/login', '/password']) {
      await page.goto(path);
      await everyView(page);
    }
    const paths = await aFullOffice(office);
    await signIn(page, office, url);
    for (const path of paths) {
      await page.goto(path);
      await everyView(page);
    }
  });
});

const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];
const THEMES = ['light', 'dark'] as const;
/** What depends on the theme; everything else is seen by all rules in one theme of each size. */
const COLOURS = ['cat.color'];

/** Both themes in both sizes; the page is loaded once. */
async function everyView(page: Page): Promise<void> {
  const path = new URL(page.url()).pathname;
  const found: string[] = [];
  for (const [i, size] of SIZES.entries()) {
    await page.setViewportSize(size);
    for (const [j, colorScheme] of THEMES.entries()) {
      await page.emulateMedia({ colorScheme });
      const wrong = await violations(page, i === j ? undefined : COLOURS);
      found.push(...wrong.map((each) => `${path}, ${size.width} px, ${colorScheme}: ${each}`));
    }
  }
  const wide = await page.evaluate<string[]>(OVERFLOWING);
  expect([...found, ...wide.map((each) => `${path}, too wide: ${each}`)]).toEqual([]);
}

/** What is wider than the page, or cut off in a table or a form that is wider than its card, with everything unfolded. */
const OVERFLOWING = `document.querySelectorAll('details').forEach((each) => { each.open = true; });
  [document.documentElement, ...document.querySelectorAll('.table-responsive, form.card')]
  .filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.className + ': ' + each.innerText)`;

/** Something on every page, some of it ugly; their addresses. */
async function aFullOffice(office: Office): Promise<string[]> {
  const { request, owner } = await office.waitingRequest();
  const paid = await aFailedPayment(office);
  const fresh = await office.addRequest(owner, { title: UGLY, description: UGLY, status: 'new' });
  office.ctx.db.raw.prepare('UPDATE users SET lastName = ? WHERE id = ?').run(UGLY, owner.id);
  office.ctx.db.raw.prepare("UPDATE jobs SET lastError = ? WHERE state = 'failed'").run(UGLY);
  await deliver(office, office.contract(request.id).signId as string, { name: 'signature_request.approved' });
  await deliverRaw(office, '{}', 'sha256=wrong');
  await office.unknownDocument('sign-1', UGLY);
  await office.unknownPayment(LONG_ID);
  await deliverPayment(office, LONG_ID);
  const receiver = await aReceiver(answered(503, {}, UGLY));
  await subscribed(office, { url: `${receiver.url}/${UGLY.slice(-150)}` });
  await happened(office);
  await office.drain();
  const lists = [
    '',
    '/requests',
    '/requests?search=nothing',
    '/requests?order=since-asc&status=WAITING_SIGNATURE',
    '/requests?status=wrong&page=x&order=y',
    '/todo',
    '/failed',
    '/inbox',
    '/deliveries',
    '/deliveries?webhook=99',
    '/webhooks',
    '/users',
    '/history',
    '/sessions',
  ];
  const items = [
    `/requests/${request.id}`,
    `/requests/${paid}`,
    `/requests/${fresh.id}`,
    '/inbox/1',
    '/todo/unknown?document=sign-1',
    `/todo/unknown-payment?payment=${LONG_ID}`,
    '/deliveries/1',
    '/webhooks/1',
  ];
  const forms = [
    `/requests/${request.id}/reset-signature`,
    `/requests/${request.id}/reply`,
    `/users/${owner.id}`,
    `/users/${owner.id}/erase`,
    '/users/1',
    '/users/new',
    '/webhooks/1/disable',
  ];
  return [...lists, ...items, ...forms].map((path) => `/admin${path}`);
}

const UGLY = `<script>alert(1)</script>${'Unbreakable'.repeat(19)}`;

/** As long as those of live sessions. */
const LONG_ID = `cs_live_${'a1B2c3D4e5F6'.repeat(5)}`;

/** A signed request whose payment session could not be made; its id. */
async function aFailedPayment(office: Office): Promise<number> {
  const { request, signId } = await office.waitingRequest();
  office.sandbox.setWebhookTargets({});
  office.sandbox.sign(signId);
  office.sandbox.faults.add({ target: 'payment', operation: 'create', kind: '500', times: 4 });
  await checkSignature(office.ctx, request.id, { actor: TESTER });
  for (let i = 0; i < 4; i += 1) {
    office.clock.advance(5_000);
    await office.drain();
  }
  return request.id;
}
