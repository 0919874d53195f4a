/** A real Chromium: the system's, one for a test file. Where none is installed the tests are skipped. */
import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { listen } from '../../src/server/http/listen.js';
import { PAYMENT_WEBHOOK_SECRET, WEBHOOK_SECRET } from '../support/app.js';
import { ADMIN, PASSWORD, type Office } from '../server/admin/support.js';

const EXECUTABLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) =>
  existsSync(file),
);

export const hasChromium = EXECUTABLE !== undefined;

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: EXECUTABLE as string, args: ['--no-sandbox', '--disable-gpu'] });
}

/** Puts the office on a port, where the sandbox's webhooks find it too. */
export async function serve(office: Office): Promise<string> {
  const listener = await listen(office.app, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listener.close(0));
  const url = `http://127.0.0.1:${listener.port}`;
  office.sandbox.setWebhookTargets({
    webhookUrl: `${url}/webhook/contract-signed`,
    webhookSecret: WEBHOOK_SECRET,
    paymentWebhookUrl: `${url}/webhook/payment`,
    paymentWebhookSecret: PAYMENT_WEBHOOK_SECRET,
  });
  return url;
}

/** A fresh page; complaints of the browser (a blocked script, a missing file) fail the test at its end. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1280, height: 900 },
    // Colours change at once: what is on its way from one to the other has no contrast to speak of.
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  onTestFinished(async () => {
    await context.close();
    if (complaints.length > 0) throw new Error(`the browser complained: ${complaints.join('; ')}`);
  });
  return page;
}

/** Past the log-in form, as the administrator. */
export async function signIn(page: Page, office: Office, url: string): Promise<void> {
  const { cookies } = await office.staff();
  const value = cookies.get('esign_session') as string;
  await page.context().addCookies([{ name: 'esign_session', value, url }]);
}

export async function logIn(page: Page): Promise<void> {
  await page.goto('/admin/login');
  await page.getByLabel('E-mail address').fill(ADMIN);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
}

/**
 * What axe-core finds wrong with the page as it is shown now, by all of its rules or by those with these tags; the page's own policy lets no script in,
 * so it comes by the debugger.
 */
export async function violations(page: Page, tags?: string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source);
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          options: object,
        ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    // What passes need not be described, nor style sheets be fetched again.
    const { violations } = await axe.run({
      resultTypes: ['violations'],
      preload: false,
      ...(only && { runOnly: only }),
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  }, tags);
}
