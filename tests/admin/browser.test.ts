/**
 * The back office in a real Chromium, as staff uses it; and the customer's side on the sandbox's pages. axe-core finds
 * nothing wrong with any page, in either theme, on a desk or on a phone.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkSignature } from '../../src/core/signature/check-signature.js';
import { TESTER } from '../support/app.js';
import { deliver, deliverRaw } from '../support/webhooks.js';
import { hasChromium, logIn, openBrowser, openPage, serve, violations } from './chromium.js';
import { startOffice, type Office } from './support.js';

if (!hasChromium) console.log('No Chromium is installed: the tests of the pages in a browser are skipped.');

let browser: Browser;

async function anOffice(): Promise<{ office: Office; url: string }> {
  const office = await startOffice();
  return { office, url: await serve(office) };
}

const flash = (page: Page) => page.getByRole('main').locator('.alert').innerText();

describe.skipIf(!hasChromium)('in a browser', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test('staff logs in, finds a request, checks its signature for every answer, resets it, and signs out', async () => {
    const { office, url } = await anOffice();
    const { request } = await office.waitingRequest();
    const page = await openPage(browser, url);
    await logIn(page);

    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByLabel('Reference, e-mail').fill(request.reference);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('link', { name: request.title }).click();
    const check = page.getByRole('link', { name: 'Check signature' });
    expect(await check.getAttribute('class')).toBe('btn btn-warning');

    await check.click();
    expect(await flash(page)).toContain('has not signed yet');
    expect(new URL(page.url()).pathname).toBe(`/admin/requests/${request.id}`);
    await page.reload();
    expect(await page.locator('.alert').count()).toBe(0);

    const signId = () => office.contract(request.id).signId as string;
    for (const [end, says] of [
      [() => office.sandbox.expire(signId()), 'time to sign is over'],
      [() => office.sandbox.decline(signId()), '“declined”'],
      [() => office.sandbox.cancel(signId()), '“canceled”'],
      [() => office.sandbox.delete(signId(), { permanent: true }), 'does not know this contract'],
    ] as const) {
      office.sandbox.setWebhookTargets({ webhookUrl: `${url}/webhook/lost` });
      end();
      await check.click();
      expect(await flash(page)).toContain(says);
      await page.getByRole('link', { name: 'Reset signature' }).click();
      await page.getByLabel('Reason').fill('the customer asked for it');
      await page.getByRole('button', { name: 'Reset signature' }).click();
      expect(await flash(page)).toContain('a new one was sent');
    }
    office.sandbox.sign(signId());
    await check.click();
    expect(await flash(page)).toContain('now waits for the payment');
    expect(await check.count()).toBe(0);
    expect(await page.getByRole('main').innerText()).toContain('the customer asked for it');

    await page.getByRole('button', { name: 'Sign out' }).click();
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
    await logIn(page);

    await page.goto(`/check_signature/request/${request.id}`);
    expect(office.request(request.id).status).toBe('WAITING_SIGNATURE');
    await page.getByRole('button', { name: 'Check signature' }).click();
    expect(await flash(page)).toContain('The contract is signed');
  });

  test('a failed job is tried again and done', async () => {
    const { office, url } = await anOffice();
    await aFailedPayment(office);
    const page = await openPage(browser, url);
    await logIn(page);

    await page.getByRole('link', { name: 'Failed jobs' }).first().click();
    await page.getByLabel('All').check();
    await page.getByRole('button', { name: 'Try again' }).click();
    expect(await flash(page)).toContain('1 job was tried again and is done');
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
    await page.getByRole('button', { name: 'Light theme' }).click();
    expect(await page.locator('html').getAttribute('data-bs-theme')).toBe('light');
  });

  test('the theme follows the system until somebody switches it', async () => {
    const { url } = await anOffice();
    const page = await openPage(browser, url, { colorScheme: 'dark' });
    await page.goto('/admin/login');
    const theme = () => page.locator('html').getAttribute('data-bs-theme');
    await expect.poll(theme).toBe('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(theme).toBe('light');
    await page.getByRole('button', { name: 'Dark theme' }).click();
    expect(await theme()).toBe('dark');
    await page.reload();
    expect(await theme()).toBe('dark');
  });

  test('the customer reads the mail, signs and pays; staff sees it happen', async () => {
    const { office, url } = await anOffice();
    const { request, owner } = await office.waitingRequest();
    const customer = await openPage(browser, office.sandbox.url);
    const follow = async (part: string) => {
      const mail = office.sandbox.mails().findLast(({ text }) => text.includes(part));
      await customer.goto(
        /https?:\/\/\S+/.exec(
          mail?.text.slice(mail.text.indexOf(`${office.sandbox.url}${part}`)) ?? '',
        )?.[0] ?? '',
      );
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
    await logIn(page);
    await page.goto(`/admin/requests?q=${owner.username}`);
    expect(await page.getByRole('row').nth(1).innerText()).toContain('Complete');
  });

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('every page is accessible and fits: %s, %i px', async (colorScheme, width) => {
    const { office, url } = await anOffice();
    const { request } = await office.waitingRequest();
    const paid = await aFailedPayment(office);
    await deliver(office, office.contract(request.id).signId as string, {
      name: 'signature_request.approved',
    });
    await deliverRaw(office, '{}', 'sha256=wrong');
    const page = await openPage(browser, url, { colorScheme, viewport: { width, height: 844 } });
    await page.goto('/admin/login');
    expect(await violations(page)).toEqual([]);
    await logIn(page);

    for (const path of [
      '/admin',
      '/admin/requests',
      `/admin/requests/${request.id}`,
      `/admin/requests/${request.id}/reset-signature`,
      `/admin/requests/${paid}`,
      '/admin/failed',
      '/admin/inbox',
      '/admin/inbox/1',
      '/admin/deliveries',
      '/admin/users',
      '/admin/users/1',
      '/admin/users/new',
      '/admin/sessions',
    ]) {
      await page.goto(path);
      expect([path, ...(await violations(page))]).toEqual([path]);
      expect([path, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([
        path,
        true,
      ]);
    }
  });
});

/** A signed request whose payment session could not be made; its id. */
async function aFailedPayment(office: Office): Promise<number> {
  const { request, signId } = await office.waitingRequest();
  office.sandbox.setWebhookTargets({});
  office.sandbox.sign(signId);
  office.sandbox.faults.add({ target: 'payment', kind: '500', times: 4 });
  await checkSignature(office.ctx, request.id, { actor: TESTER });
  for (let i = 0; i < 4; i += 1) {
    office.clock.advance(5_000);
    await office.drain();
  }
  return request.id;
}
