/** The mails of the story, as they arrive over SMTP: to whom, with what, and again only under the same Message-ID. */
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Mail } from '../../../sandbox/start.js';
import { startApp, type TestApp, type Waiting } from '../../support/app.js';
import { HOUR } from '../../support/clock.js';
import { completedApp, deliver, deliverPayment } from '../../support/webhooks.js';

const arrived = (app: TestApp) => app.sandbox.mails().filter(({ source }) => source === 'smtp');
const one = (app: TestApp, recipient: string, words: RegExp): Mail => {
  const found = arrived(app).filter(({ to, subject }) => to.includes(recipient) && words.test(subject));
  expect(found).toHaveLength(1);
  return found[0] as Mail;
};
const OFFICE = 'office@acme.test';

const signedPdf = (app: TestApp, { contract }: Waiting) =>
  readFileSync(join(app.dataDir, 'contracts', `${contract.id}.pdf`));

describe('a contract that is signed', () => {
  test('brings the customer the signed PDF, byte by byte', async () => {
    const { app, waiting } = await completedApp();
    await app.drain();
    const mail = one(app, waiting.owner.username, /signed/);
    expect(mail.from).toBe('contracts@acme.test');
    expect(mail.subject).toContain(waiting.request.reference);
    expect(mail.attachments).toHaveLength(1);
    const [attachment] = mail.attachments;
    expect(attachment).toMatchObject({
      filename: `${waiting.request.reference}.pdf`,
      contentType: 'application/pdf',
    });
    expect(attachment?.content.equals(signedPdf(app, waiting))).toBe(true);
  });

  test('brings it also from a domain whose name is not ASCII', async () => {
    const { app, waiting } = await completedApp({ env: { ESIGN_MAIL_FROM: 'contrats@société.test' } });
    await app.drain();
    expect(one(app, waiting.owner.username, /signed/).from).toBe('contrats@xn--socit-esab.test');
  });

  test('ends with the firm’s details where the settings have them', async () => {
    const { app, waiting } = await completedApp({
      env: { ESIGN_COMPANY_ADDRESS: '12 Main Street & Co', ESIGN_COMPANY_REGISTRATION: 'RPM 0123.456.789' },
    });
    await app.drain();
    const { text, html } = one(app, waiting.owner.username, /signed/);
    expect(text).toMatch(/\nAcme Maintenance · 12 Main Street & Co · RPM 0123\.456\.789\s*$/);
    expect(html).toContain('Acme Maintenance · 12 Main Street &amp; Co · RPM 0123.456.789');
  });

  test('is reported to the administrator, without the document', async () => {
    const { app, waiting } = await completedApp();
    await app.drain();
    const mail = one(app, OFFICE, /signed/i);
    expect(mail.text).toContain(waiting.request.reference);
    expect(mail.attachments).toEqual([]);
  });

  test('greets the customer at its end, but the office does not greet itself', async () => {
    const { app, waiting } = await completedApp();
    await app.drain();
    const [toCustomer, toOffice] = [waiting.owner.username, OFFICE].map((to) => one(app, to, /signed/i));
    expect([toCustomer?.text, toCustomer?.html].join()).toMatch(
      /Kind regards,\nAcme.*Kind regards,<br \/>Acme/s,
    );
    expect([toOffice?.text, toOffice?.html].join()).not.toContain('Kind regards');
  });

  test('brings the customer the link to pay', async () => {
    const { app, waiting } = await completedApp();
    await app.drain();
    const mail = one(app, waiting.owner.username, /pay/i);
    const link = `${app.ctx.config.baseUrl}/pay/${app.request(waiting.request.id).payToken}`;
    expect(mail.text).toContain(link);
    expect(mail.html).toContain(link);
    expect(mail.attachments.map(({ contentType }) => contentType)).toEqual(['image/gif']);
    expect(mail.text).toContain('120.00');
  });

  test('sends three mails in all, each to one recipient, and notes each in the history without an address', async () => {
    const { app, waiting } = await completedApp();
    await app.drain();
    expect(arrived(app).map(({ to }) => to)).toHaveLength(3);
    for (const { to } of arrived(app)) expect(to).toHaveLength(1);
    const notes = app.ctx.db.raw
      .prepare("SELECT detail FROM history WHERE what = 'mail.sent' ORDER BY id")
      .all() as { detail: string }[];
    expect(notes).toHaveLength(3);
    expect(notes.map(({ detail }) => detail).join()).not.toContain(waiting.owner.username);
  });

  test('speaks French where the settings say so', async () => {
    const { app, waiting } = await completedApp({ env: { ESIGN_LOCALE: 'fr' } });
    await app.drain();
    expect(one(app, waiting.owner.username, /signé/).text).toContain('Bonjour Ada Lovelace');
    expect(one(app, waiting.owner.username, /payer|paiement|règlement/i).text).toMatch(/120,00\s€/);
    expect(one(app, OFFICE, /signé/i).text).toContain(waiting.request.reference);
  });
});

describe('the administrator is notified of trouble', () => {
  test('a customer who declined, with the reason given', async () => {
    const app = await startApp();
    const { signId, request } = await app.waitingRequest();
    app.sandbox.decline(signId, { reason: 'Too dear <b>really</b>' });
    await deliver(app, signId, { name: 'signature_request.declined' });
    await app.drain();
    const mail = one(app, OFFICE, /REQ-/);
    expect(mail.text).toContain('Too dear <b>really</b>');
    expect(mail.html).not.toContain('<b>really</b>');
    expect(mail.text).toContain(request.reference);
  });

  test('a signature after the last moment', async () => {
    const app = await startApp();
    const { signId } = await app.waitingRequest();
    app.sandbox.sign(signId, { completedAt: '2026-04-02T00:00:00Z' });
    app.clock.set('2026-04-02T20:00:00.000Z');
    await deliver(app, signId);
    await app.drain();
    one(app, OFFICE, /late|after/i);
  });

  test('a payment that failed', async () => {
    const { app, waiting } = await completedApp();
    await app.drain();
    const { paymentId } = app.request(waiting.request.id);
    await deliverPayment(app, paymentId as string, {
      type: 'checkout.session.async_payment_failed',
      paymentStatus: 'unpaid',
    });
    await app.drain();
    expect(one(app, OFFICE, /payment/i).text).toContain(paymentId);
  });
});

describe('a mail server in trouble', () => {
  test.each(['refuse', '421', '451'])(
    '%s: the mails wait, everything else goes on, and they leave when it is back',
    async (kind) => {
      const { app, waiting } = await completedApp();
      app.sandbox.faults.add(`smtp:${kind}`);
      await app.drain();

      expect(app.request(waiting.request.id)).toMatchObject({ status: 'WAITING_PAYMENT' });
      expect(app.request(waiting.request.id).paymentUrl).toContain('/pay/');
      // The link to pay is ordered once the signed contract has left.
      expect(app.jobs('send-mail')).toHaveLength(2);
      for (const job of app.jobs('send-mail')) {
        expect(job).toMatchObject({
          state: 'available',
          attempt: 1,
          lastError: expect.stringContaining('the mail server 127.0.0.1'),
        });
      }
      expect(arrived(app)).toEqual([]);

      app.sandbox.faults.clear();
      app.clock.advance(1_000);
      await app.drain();
      expect(arrived(app)).toHaveLength(3);
      expect(app.jobs('send-mail').map(({ state }) => state)).toEqual(Array(3).fill('completed'));
    },
  );

  test('that stays down for good leaves the mails in the failed list, not lost', async () => {
    const { app } = await completedApp();
    app.sandbox.faults.add('smtp:421');
    for (let i = 0; i < 8; i += 1) {
      await app.drain();
      app.clock.advance(2 * HOUR);
    }
    // One more tells of them, once the server is back.
    const lost = app.jobs('send-mail').filter(({ payload }) => !payload.includes('jobs-failed'));
    expect(lost.map(({ state, attempt }) => [state, attempt])).toEqual([
      ['failed', 7],
      ['failed', 7],
      ['available', 2],
    ]);
  });

  test('a mail that was sent but not recorded is sent again as it was, under the same Message-ID', async () => {
    const { app } = await completedApp();
    app.ctx.db.raw.exec(`CREATE TEMP TRIGGER forget BEFORE INSERT ON history WHEN new.what = 'mail.sent'
      BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`);
    await app.drain();
    expect(app.jobs('send-mail').map(({ state }) => state)).toEqual(Array(2).fill('available'));
    app.ctx.db.raw.exec('DROP TRIGGER forget');
    app.clock.advance(1_000);
    await app.drain();

    const ids = arrived(app).map(({ messageId }) => messageId);
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(3);
    expect(ids[0]).toMatch(/^<mail-[0-9a-f]{32}@acme\.test>$/);
    // The third is the link to pay, which is ordered once the first has left.
    for (const id of [...new Set(ids)].slice(0, 2)) {
      const [first, again] = arrived(app).filter(({ messageId }) => messageId === id);
      expect(again).toEqual({ ...first, number: again?.number, receivedAt: again?.receivedAt });
    }
  });

  test('a signed PDF that is gone from the disk and cannot be fetched holds back that mail alone, and the error names it', async () => {
    const { app, waiting } = await completedApp();
    const file = join(app.dataDir, 'contracts', `${waiting.contract.id}.pdf`);
    renameSync(file, `${file}.away`);
    app.sandbox.faults.add('signature.download:500');
    await app.drain();
    expect(arrived(app)).toHaveLength(1);
    const [waitingMail] = app.jobs('send-mail').filter(({ state }) => state === 'available');
    expect(waitingMail?.lastError).toContain(
      `The signed PDF of contract ${waiting.contract.id} is not on disk`,
    );

    renameSync(`${file}.away`, file);
    app.clock.advance(1_000);
    await app.drain();
    expect(arrived(app)).toHaveLength(3);
  });
});

test('a customer’s name cannot add a header or a recipient', async () => {
  const app = await startApp();
  const waiting = await app.waitingRequest();
  app.ctx.db.raw
    .prepare('UPDATE users SET firstName = ?')
    .run('Ada\r\nBcc: spy@example.net\r\n, spy@example.net <x');
  app.sandbox.sign(waiting.signId);
  await deliver(app, waiting.signId);
  await app.drain();
  expect(arrived(app)).toHaveLength(3);
  expect(arrived(app).flatMap(({ to }) => to)).not.toContain('spy@example.net');
});
