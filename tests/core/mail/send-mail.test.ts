/** The mails of the story, as they arrive over SMTP: to whom, with what, and again only under the same Message-ID. */
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Mail } from '../../../sandbox/start.js';
import { adviceText } from '../../../src/core/commands.js';
import { checkRuns } from '../../../src/core/doctor/upkeep-checks.js';
import { explainRequest } from '../../../src/core/explain/explain.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { startApp, TESTER, type AppOptions, type TestApp } from '../../support/app.js';
import { HOUR, MINUTE } from '../../support/clock.js';
import { findingName } from '../../support/finding-names.js';
import { A4, ofObjects } from '../../support/odd-pdfs.js';
import { PATIENCE } from '../../support/patience.js';
import { told } from '../../support/queue.js';
import { startSignature } from '../../support/start-signature.js';
import { story } from '../../support/story.js';
import { deliver, deliverPayment } from '../../support/webhooks.js';

const OFFICE = 'office@acme.test';
const arrived = (app: TestApp) => app.sandbox.mails().filter(({ source }) => source === 'smtp');
const one = (app: TestApp, recipient: string, words: RegExp): Mail => {
  const found = arrived(app).filter(({ to, subject }) => to.includes(recipient) && words.test(subject));
  expect(found).toHaveLength(1);
  return found[0] as Mail;
};
const states = (app: TestApp) => app.jobs('send-mail').map(({ state }) => state);

/** Signed, and everything that is owed for it done. */
const signed = (options?: AppOptions) => story(options).linked().end();

describe('of a contract that is signed', () => {
  test('the customer gets the PDF byte by byte, then the link to pay; the office hears it without the document', async () => {
    const { app, waiting } = await signed();
    const { username } = waiting.owner;
    const { reference } = waiting.request;
    expect(arrived(app).map(({ to }) => to.length)).toEqual([1, 1, 1]);

    const toCustomer = one(app, username, /signed/);
    expect([toCustomer.from, toCustomer.subject]).toEqual([
      'contracts@acme.test',
      expect.stringContaining(reference),
    ]);
    expect(toCustomer.attachments).toMatchObject([
      { filename: `${reference}.pdf`, contentType: 'application/pdf' },
    ]);
    const pdf = readFileSync(join(app.dataDir, 'contracts', `${waiting.contract.id}.pdf`));
    expect(toCustomer.attachments[0]?.content.equals(pdf)).toBe(true);

    const link = `${app.ctx.config.baseUrl}/pay/${app.request(waiting.request.id).payToken}`;
    const toPay = one(app, username, /pay/i);
    expect([toPay.text, toPay.html]).toEqual([
      expect.stringMatching(new RegExp(`${link}[^]*120\\.00|120\\.00[^]*${link}`)),
      expect.stringContaining(link),
    ]);
    expect(toPay.attachments.map(({ contentType }) => contentType)).toEqual(['image/gif']);

    const toOffice = one(app, OFFICE, /signed/i);
    expect([toOffice.text, toOffice.attachments]).toEqual([expect.stringContaining(reference), []]);
    // The office does not greet itself.
    expect(`${toCustomer.text}${toCustomer.html}`).toMatch(/Kind regards,\nAcme.*Kind regards,<br \/>Acme/s);
    expect(`${toOffice.text}${toOffice.html}`).not.toContain('Kind regards');

    const notes = told(app.ctx, 'mail.sent');
    expect(notes).toHaveLength(3);
    expect(JSON.stringify(notes)).not.toContain(username);
  });

  test('language, the firm’s details and a sender of a domain that is not ASCII are those of the settings', async () => {
    const { app, waiting } = await signed({
      env: {
        ESIGN_LOCALE: 'fr',
        ESIGN_MAIL_FROM: 'contrats@société.test',
        ESIGN_COMPANY_ADDRESS: '12 Main Street & Co',
        ESIGN_COMPANY_REGISTRATION: 'RPM 0123.456.789',
      },
    });
    const { from, text, html } = one(app, waiting.owner.username, /signé/);
    expect([from, text]).toEqual([
      'contrats@xn--socit-esab.test',
      expect.stringContaining('Bonjour Ada Lovelace'),
    ]);
    expect(text).toMatch(/· 12 Main Street & Co · RPM 0123\.456\.789\s*$/);
    expect(html).toContain('· 12 Main Street &amp; Co · RPM 0123.456.789');
    expect(one(app, waiting.owner.username, /payer|paiement|règlement/i).text).toMatch(/120,00\s€/);
    expect(one(app, OFFICE, /signé/i).text).toContain(waiting.request.reference);
  });
});

test('of a contract that is declined, the office hears the reason, as it was written', async () => {
  const app = await startApp();
  const { signId, request } = await app.waitingRequest();
  app.sandbox.decline(signId, { reason: 'Too dear <b>really</b>' });
  await deliver(app, signId, { name: 'signature_request.declined' });
  await app.drain();
  const { text, html } = one(app, OFFICE, /REQ-/);
  expect(text).toContain('Too dear <b>really</b>');
  expect(text).toContain(request.reference);
  expect(html).not.toContain('<b>really</b>');
});

test.each(['refuse', '421', '451'])(
  'smtp %s: signature and payment go through; the mails wait and leave when the server is back, once each, but no link to pay what is paid',
  async (trouble) => {
    const { app, waiting } = await story().sent().fault(`smtp:${trouble}`).signed().drained().end();
    expect(await deliverPayment(app, app.request(waiting.request.id).paymentId as string)).toBe(200);
    await app.drain();
    expect(app.request(waiting.request.id).status).toBe('COMPLETE');
    expect([arrived(app), states(app)]).toEqual([[], Array(4).fill('available')]);

    app.sandbox.faults.clear();
    app.clock.advance(MINUTE);
    await app.drain();
    expect(states(app)).toEqual(Array(4).fill('completed'));
    expect(new Set(arrived(app).map(({ messageId }) => messageId)).size).toBe(4);
    expect(arrived(app)).toHaveLength(4);
    // The link was never ordered: it is paid.
    expect(arrived(app).filter(({ text }) => text.includes('/pay/'))).toEqual([]);
  },
);

test('a server that never greets takes no place of the payment', async () => {
  const { app, waiting } = await story().sent().fault('smtp:hang').signed().end();
  const draining = app.drain();
  await expect.poll(() => app.jobs('create-payment-session')[0]?.state, PATIENCE).toBe('completed');
  expect(app.request(waiting.request.id).paymentUrl).toContain('/pay/');
  expect(arrived(app)).toEqual([]);
  // Ends the wait for a greeting.
  await app.sandbox.close();
  await draining;
});

test('a mail that was sent but not recorded is sent again as it was, under the same Message-ID', async () => {
  const { app } = await story().completed().end();
  app.ctx.db.raw.exec(`CREATE TEMP TRIGGER forget BEFORE INSERT ON history WHEN new.what = 'mail.sent'
    BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`);
  await app.drain();
  expect(states(app)).toEqual(['available', 'available']);
  app.ctx.db.raw.exec('DROP TRIGGER forget');
  app.clock.advance(1_000);
  await app.drain();

  // The third is the link to pay, which is ordered once the first has left.
  const [first, second, ...later] = arrived(app);
  expect(first?.messageId).toMatch(/^<mail-[0-9a-f]{32}@acme\.test>$/);
  expect(later).toHaveLength(3);
  const withoutPlace = (mail: Mail) => ({ ...mail, number: 0, receivedAt: 0 });
  const [one, two] = [first as Mail, second as Mail].map(withoutPlace);
  expect(later.map(withoutPlace)).toEqual(expect.arrayContaining([one, two]));
});

test('a signed PDF that is gone from the disk and cannot be fetched holds back that mail alone, and the error names it', async () => {
  const { app, waiting } = await story().completed().end();
  const file = join(app.dataDir, 'contracts', `${waiting.contract.id}.pdf`);
  renameSync(file, `${file}.away`);
  app.sandbox.faults.add('signature.download:500');
  await app.drain();
  expect(arrived(app)).toHaveLength(1);
  const [held] = app.jobs('send-mail').filter(({ state }) => state === 'available');
  expect(held?.lastError).toContain(`The signed PDF of contract ${waiting.contract.id} is not on disk`);

  renameSync(`${file}.away`, file);
  app.clock.advance(1_000);
  await app.drain();
  expect(arrived(app)).toHaveLength(3);
});

describe('a server that takes no mail from this machine (554)', () => {
  const needs = async ({ ctx }: TestApp) =>
    (await listNeeds(ctx, 50)).needs.map(({ kind, request, next }) => [kind, request?.id ?? null, next.name]);
  const refusals = async (app: TestApp, id: number) =>
    (await explainRequest(app.ctx, app.request(id), { offline: true })).findings
      .map(findingName)
      .filter((name) => name.startsWith('mail_refused'));

  test('is told once, as trouble of the mail server, and of no customer; the mails leave when it takes them again', async () => {
    const { app, waiting } = await story().sent().fault('smtp:554').signed().end();
    const other = await app.waitingRequest();
    app.sandbox.sign(other.signId);
    await deliver(app, other.signId);
    await app.drain();
    const all = () => Promise.all([waiting, other].map(({ request }) => refusals(app, request.id)));

    expect(await needs(app)).toEqual([['mail_server', null, 'doctor']]);
    const [{ what } = { what: '' }] = (await listNeeds(app.ctx, 50)).needs;
    expect(what).toContain('554 5.7.1 <…>: 192.0.2.1 is listed at bl.example.net');
    const fixed = checkRuns(app.ctx.config, app.ctx.db).find(({ name }) => name === 'mails');
    expect(adviceText(fixed?.fix ?? '')).toMatch(
      /ESIGN_SMTP_URL.*blocklist.*esignctl failed replay --all --kind send-mail/,
    );
    expect(await all()).toEqual([['mail_refused: server'], ['mail_refused: server']]);

    app.sandbox.faults.clear();
    app.clock.advance(MINUTE);
    await app.drain();
    expect([await needs(app), await all()]).toEqual([[], [[], []]]);
  });

  test('mails that were given up meanwhile are told with their requests once it takes mails again, and can be sent then', async () => {
    const { app, waiting } = await story().sent().fault('smtp:554').signed().end();
    for (const wait of [0, 1_000, 5_000, 30_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR]) {
      app.clock.advance(wait);
      await app.drain();
    }
    expect(states(app).filter((state) => state === 'failed')).toHaveLength(2);
    expect(await needs(app)).toEqual([['mail_server', null, 'doctor']]);
    app.sandbox.faults.clear();
    // The mail about what has failed is the next to leave.
    app.clock.advance(HOUR);
    await app.drain();
    expect(await needs(app)).toEqual([['job_failed', waiting.request.id, 'failed replay']]);
  });
});

/** Signed, with this much in the PDF besides its page. */
async function signedWith(bytes: number) {
  const app = await startApp();
  const customer = await app.addUser();
  const { id } = await app.addRequest(customer);
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
  return { app, id, mail: one(app, customer.username, /signed/) };
}

test('a signed PDF goes with the mail as long as the server takes it', async () => {
  const { mail } = await signedWith(6_000_000);
  expect(mail.attachments).toMatchObject([{ contentType: 'application/pdf' }]);
  expect(mail.text).toContain('is attached to this message');
});

test('one that is too large stays behind: the mail goes without it at once, says so and how to get it, and the time line tells it', async () => {
  const { app, id, mail } = await signedWith(8_000_000);
  expect(mail).toMatchObject({ attachments: [], text: expect.stringContaining('Reply to this message') });
  expect(mail.text).not.toContain('is attached');
  expect(app.jobs('send-mail').map(({ attempt, state }) => [attempt, state])).toEqual(
    Array.from({ length: 3 }, () => [1, 'completed']),
  );
  expect(
    app.ctx.db.raw.prepare("SELECT attachments FROM sentMails WHERE mail = 'contract-signed'").all(),
  ).toEqual([{ attachments: '[]' }]);
  const { timeline } = await explainRequest(app.ctx, app.request(id), { offline: true });
  expect(timeline.map(({ message }) => message)).toContainEqual(expect.stringContaining('without the PDF'));
});
