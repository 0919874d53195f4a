/** The mail server in trouble: nothing waits for it, and every mail leaves later, under the id it always had. */
import { describe, expect, test } from 'vitest';
import { adviceText } from '../../../src/core/commands.js';
import { checkRuns } from '../../../src/core/doctor/upkeep-checks.js';
import { explainRequest } from '../../../src/core/explain/explain.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { findingName } from '../../support/finding-names.js';
import { startSignature } from '../../support/start-signature.js';
import { requireUser } from '../../../src/db/users/users.js';
import { startApp, TESTER, type TestApp } from '../../support/app.js';
import { A4, ofObjects } from '../../support/odd-pdfs.js';
import { HOUR, MINUTE } from '../../support/clock.js';
import { PATIENCE } from '../../support/patience.js';
import { completedApp, deliver, deliverPayment } from '../../support/webhooks.js';

const arrived = (app: TestApp) => app.sandbox.mails().filter(({ source }) => source === 'smtp');
const ids = (app: TestApp) => arrived(app).map(({ messageId }) => messageId);

describe.each(['refuse', '421', '451'])('smtp: %s', (trouble) => {
  test('signature and payment go through; the mails wait and leave when the server is back, once each, but no link to pay what is paid', async () => {
    const { app, waiting } = await completedApp({ fault: `smtp:${trouble}` });
    await app.drain();
    expect(await deliverPayment(app, app.request(waiting.request.id).paymentId as string)).toBe(200);
    await app.drain();

    expect(app.request(waiting.request.id).status).toBe('COMPLETE');
    expect(arrived(app)).toEqual([]);
    expect(app.jobs('send-mail').map(({ state }) => state)).toEqual(Array(4).fill('available'));

    app.sandbox.faults.clear();
    app.clock.advance(MINUTE);
    await app.drain();
    expect(app.jobs('send-mail').map(({ state }) => state)).toEqual(Array(4).fill('completed'));
    expect(new Set(ids(app)).size).toBe(4);
    expect(arrived(app)).toHaveLength(4);
    // The link was never ordered: it is paid.
    expect(arrived(app).filter(({ text }) => text.includes('/pay/'))).toEqual([]);
  });
});

test('a server that never greets takes no place of the payment', async () => {
  const { app, waiting } = await completedApp({ fault: 'smtp:hang' });
  const draining = app.drain();

  await expect.poll(() => app.jobs('create-payment-session')[0]?.state, PATIENCE).toBe('completed');

  expect(app.request(waiting.request.id).paymentUrl).toContain('/pay/');
  expect(arrived(app)).toEqual([]);
  // Ends the wait for a greeting.
  await app.sandbox.close();
  await draining;
});

describe('smtp: 554, the server takes no mail from this machine', () => {
  const needs = async ({ ctx }: TestApp) =>
    (await listNeeds(ctx, 50)).needs.map(({ kind, request, next }) => [kind, request?.id ?? null, next.name]);
  const findings = async (app: TestApp, id: number) =>
    (await explainRequest(app.ctx, app.request(id), { offline: true })).findings.map(findingName);

  test('is told once, as trouble of the mail server, and of no customer; the mails leave when it takes them again', async () => {
    const { app, waiting } = await completedApp({ fault: 'smtp:554' });
    const other = await app.waitingRequest();
    app.sandbox.sign(other.signId);
    await deliver(app, other.signId);
    await app.drain();
    const ids = [waiting.request.id, other.request.id];

    expect(await needs(app)).toEqual([['mail_server', null, 'doctor']]);
    const [{ what } = { what: '' }] = (await listNeeds(app.ctx, 50)).needs;
    expect(what).toContain('554 5.7.1 <…>: 192.0.2.1 is listed at bl.example.net');
    const fixed = checkRuns(app.ctx.config, app.ctx.db).find(({ name }) => name === 'mails');
    expect(adviceText(fixed?.fix ?? '')).toMatch(
      /ESIGN_SMTP_URL.*blocklist.*esignctl failed replay --all --kind send-mail/,
    );
    for (const id of ids) expect(await findings(app, id)).toContain('mail_refused: server');
    for (const id of ids)
      expect(await findings(app, id)).not.toContainEqual(
        expect.stringMatching(/mail_refused: (customer|other)/),
      );

    app.sandbox.faults.clear();
    app.clock.advance(MINUTE);
    await app.drain();
    expect(await needs(app)).toEqual([]);
    for (const id of ids) expect(await findings(app, id)).not.toContain('mail_refused: server');
  });

  test('mails that were given up meanwhile are told with their requests once it takes mails again, and can be sent then', async () => {
    const { app, waiting } = await completedApp({ fault: 'smtp:554' });
    for (const wait of [0, 1_000, 5_000, 30_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR]) {
      app.clock.advance(wait);
      await app.drain();
    }
    expect(app.jobs('send-mail').filter(({ state }) => state === 'failed')).toHaveLength(2);
    expect(await needs(app)).toEqual([['mail_server', null, 'doctor']]);

    app.sandbox.faults.clear();
    // The mail about what has failed is the next to leave.
    app.clock.advance(HOUR);
    await app.drain();
    expect(await needs(app)).toEqual([['job_failed', waiting.request.id, 'failed replay']]);
  });
});

describe('a signed PDF that is too large for the mail server', () => {
  /** Signed, with this much in it besides its page. */
  async function signedWith(bytes: number) {
    const app = await startApp();
    const { id, ownerId } = await app.addRequest();
    const pdf = ofObjects([
      '<< /Type /Catalog /Pages 2 0 R /Junk 4 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R ${A4} >>`,
      `<< /Length ${bytes} >>\nstream\n${'x'.repeat(bytes)}\nendstream`,
    ]);
    const { signId } = (await startSignature(app.ctx, id, { actor: TESTER, pdf })) as { signId: string };
    app.sandbox.sign(signId);
    expect(await deliver(app, signId)).toBe(200);
    await app.drain();
    const customer = requireUser(app.ctx.db, { id: ownerId }).username;
    const [mail] = arrived(app).filter(
      ({ to, subject }) => to.includes(customer) && subject.includes('signed'),
    );
    return { app, id, mail };
  }
  const tried = (app: TestApp) => app.jobs('send-mail').map(({ attempt, state }) => [attempt, state]);

  test('goes with the mail as long as the server takes it', async () => {
    const { mail } = await signedWith(6_000_000);
    expect(mail?.attachments).toMatchObject([{ contentType: 'application/pdf' }]);
    expect(mail?.text).toContain('is attached to this message');
  });

  test('stays behind: the mail goes without it at once, says so and how to get it, and the time line tells it', async () => {
    const { app, id, mail } = await signedWith(8_000_000);
    expect(mail).toMatchObject({ attachments: [], text: expect.stringContaining('Reply to this message') });
    expect(mail?.text).not.toContain('is attached');
    expect(tried(app)).toEqual(Array.from({ length: 3 }, () => [1, 'completed']));
    expect(
      app.ctx.db.raw.prepare("SELECT attachments FROM sentMails WHERE mail = 'contract-signed'").all(),
    ).toEqual([{ attachments: '[]' }]);
    const { timeline } = await explainRequest(app.ctx, app.request(id), { offline: true });
    expect(timeline.map(({ message }) => message)).toContainEqual(expect.stringContaining('without the PDF'));
  });
});
