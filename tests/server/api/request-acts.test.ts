/** The routes around a signature: its start, the manual check, the contract and its PDF, the inbound webhooks. */
import { createHash, createHmac } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { insertContract, setSignId } from '../../../src/db/contracts/contracts.js';
import { newIdentity } from '../../../src/core/installation/identity.js';
import { moveRequest } from '../../../src/db/requests/requests.js';
import { WEBHOOK_SECRET } from '../../support/app.js';
import { pdfOf } from '../../support/odd-pdfs.js';
import { answered, aReceiver } from '../../support/receiver.js';
import { aRequest, startApi, type TestApi } from '../support.js';

const NOW = '2026-03-02T09:14:07.250Z';

/** Request 1 of anna, waiting for the signature of contract 1. */
async function waiting(app: TestApi) {
  const anna = await app.as('anna@example.org');
  await aRequest(anna);
  await app.ctx.writer.write((db) => {
    insertContract(db, {
      vat: null,
      requestId: 1,
      status: 'PENDING',
      amount: 12_000,
      currency: 'eur',
      ownPdf: 0,
      termsDigest: '',
      createdAt: NOW,
      expiredAt: '2026-04-01T09:14:07.250Z',
      ...newIdentity(db),
    });
    setSignId(db, { id: 1, signId: 'sign-1', signerEmail: 'anna@example.org' });
    moveRequest(db, { id: 1, from: ['new'], to: 'WAITING_SIGNATURE', now: NOW });
  });
  return anna;
}

function putPdf(app: TestApi, name: string, content: string): void {
  const directory = join(app.ctx.config.dataDir, 'contracts');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, name), content);
}

test('the owner and administrators read a contract, nobody else; the request names it', async () => {
  const app = startApi();
  const anna = await waiting(app);
  const ben = await app.as('ben@example.org');
  const admin = await app.as('admin@example.org');

  const { json } = await anna('GET', '/api/contracts/1');

  expect(json).toEqual({
    '@context': '/api/contexts/Contract',
    '@id': '/api/contracts/1',
    '@type': 'Contract',
    id: 1,
    request: '/api/requests/1',
    status: 'PENDING',
    signId: 'sign-1',
    amount: 12_000,
    currency: 'eur',
    createdAt: '2026-03-02T09:14:07+00:00',
    expiredAt: '2026-04-01T09:14:07+00:00',
    customer: 'anna@example.org',
  });
  expect((await anna('GET', '/api/requests/1')).json['contract']).toBe('/api/contracts/1');
  expect((await anna('GET', '/api/contracts')).json['hydra:totalItems']).toBe(1);
  expect((await admin('GET', '/api/contracts/1')).status).toBe(200);
  expect((await ben('GET', '/api/contracts/1')).status).toBe(404);
  expect((await ben('GET', '/api/contracts/1/pdf')).status).toBe(404);
  expect((await ben('GET', '/api/contracts')).json['hydra:totalItems']).toBe(0);
});

test('the PDF is a download: the draft at first, the signed one when it is signed', async () => {
  const app = startApi();
  const anna = await waiting(app);
  expect((await anna('GET', '/api/contracts/1/pdf')).status).toBe(404);

  const digestOf = (pdf: string) => createHash('sha256').update(pdf).digest('hex');
  app.ctx.db.raw.exec(`UPDATE contracts SET draftSha256 = '${digestOf('%PDF-1.7 draft')}' WHERE id = 1`);
  putPdf(app, '1.draft.pdf', '%PDF-1.7 other');
  expect((await anna('GET', '/api/contracts/1/pdf')).status).toBe(404);
  putPdf(app, '1.draft.pdf', '%PDF-1.7 draft');
  const draft = await anna('GET', '/api/contracts/1/pdf', { headers: { Accept: 'application/pdf' } });
  expect(draft.text).toBe('%PDF-1.7 draft');
  expect(draft.headers.get('Content-Type')).toBe('application/pdf');
  expect(draft.headers.get('Content-Disposition')).toBe('attachment; filename="contract-1.pdf"');
  expect(draft.headers.get('Content-Length')).toBe('14');

  putPdf(app, '1.pdf', '%PDF-1.7 signed');
  const sha256 = digestOf('%PDF-1.7 signed');
  app.ctx.db.raw.exec(
    `UPDATE contracts SET status = 'SIGNED', signedAt = '${NOW}', pdfSha256 = '${sha256}', pdfSize = 15 WHERE id = 1`,
  );
  const signed = await anna('GET', '/api/contracts/1/pdf');
  expect(signed.text).toBe('%PDF-1.7 signed');
  expect(signed.headers.get('Content-Disposition')).toBe('attachment; filename="contract-1-signed.pdf"');
  const head = await anna('HEAD', '/api/contracts/1/pdf');
  expect(head.text).toBe('');
  expect(head.headers.get('Content-Length')).toBe('15');

  putPdf(app, '1.pdf', '%PDF-1.7 forged');
  const forged = await anna('GET', '/api/contracts/1/pdf');
  expect([forged.status, forged.json['key']]).toEqual([503, 'signed_pdf_damaged']);
  expect(forged.text).not.toContain('forged');
});

test('a provider that takes no more calls is 503 with the wait that it asks for', async () => {
  const busy = await aReceiver(
    answered(429, { 'retry-after': '47' }, '{"message":"API rate limit exceeded"}'),
  );
  const app = startApi({ apiUrl: busy.url });
  await aRequest(await app.as('anna@example.org'));
  app.ctx.db.raw.exec(`UPDATE users SET firstName = 'Anna', lastName = 'Martin' WHERE id = 1`);
  const admin = await app.as('admin@example.org');
  const answer = await admin('POST', '/api/requests/1/signature');
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '47']);
});

test('a form whose file is missing its bytes is refused by name', async () => {
  const app = startApi();
  await aRequest(await app.as('anna@example.org'));
  const admin = await app.as('admin@example.org');
  const form = new FormData();
  form.set('file', 'just words');

  const { status, json } = await admin('POST', '/api/requests/1/signature', { body: form });

  expect(status).toBe(422);
  expect(json['errors']).toHaveProperty('file');
});

test('a file that nobody could sign is refused by name, and no contract is made', async () => {
  const app = startApi();
  await aRequest(await app.as('anna@example.org'));
  const admin = await app.as('admin@example.org');
  const form = new FormData();
  form.set('file', new File([pdfOf([]).toString()], 'own.pdf', { type: 'application/pdf' }));

  const { status, json } = await admin('POST', '/api/requests/1/signature', { body: form });

  expect(status).toBe(422);
  expect(json).toMatchObject({ errors: { file: expect.stringContaining('cannot be read as a PDF') } });
  expect((await admin('GET', '/api/contracts')).json).toMatchObject({ 'hydra:totalItems': 0 });
});

test('a document that comes in a way that is not taken starts nothing: the customer would get another one', async () => {
  const app = startApi();
  await aRequest(await app.as('anna@example.org'));
  const admin = await app.as('admin@example.org');
  const pdf = new File(['%PDF-1.7 %%EOF'], 'own.pdf', { type: 'application/pdf' });
  const misnamed = new FormData();
  misnamed.set('document', pdf);
  const two = new FormData();
  for (let i = 0; i < 2; i += 1) two.append('file', pdf);

  for (const body of [misnamed, two]) {
    const { status, json } = await admin('POST', '/api/requests/1/signature', { body });
    expect(status).toBe(422);
    expect(json['errors']).toHaveProperty('file');
  }
  const headers = { 'Content-Type': 'application/pdf' };
  const bare = await admin('POST', '/api/requests/1/signature', { body: '%PDF-1.7 %%EOF', headers });
  expect(bare.status).toBe(415);
  expect((await admin('GET', '/api/requests/1')).json).toMatchObject({ status: 'new' });
});

test('the manual check is for administrators with a token, and acts on GET alone', async () => {
  const app = startApi();
  const anna = await waiting(app);
  const admin = await app.as('admin@example.org');
  const path = '/check_signature/request/1';

  expect((await app.call('GET', path)).status).toBe(401);
  expect((await anna('GET', path)).status).toBe(403);
  expect((await anna('GET', '/check_signature/request/99')).status).toBe(403);
  expect((await admin('GET', '/check_signature/request/99')).status).toBe(404);
  for (const method of ['HEAD', 'OPTIONS', 'POST', 'PUT']) {
    const answer = await admin(method, path);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('Allow')).toBe('GET');
  }
});

test('an error of the manual check is 422 with its key beside code and message', async () => {
  const app = startApi();
  await aRequest(await app.as('anna@example.org'));
  const admin = await app.as('admin@example.org');

  const { status, json } = await admin('GET', '/check_signature/request/1');

  expect(status).toBe(422);
  expect(json).toMatchObject({
    code: 422,
    type: 'error',
    key: 'not_waiting_signature',
    message: 'This request is not waiting for a signature, so there is nothing to check.',
    errors: {},
    'hydra:title': 'An error occurred',
  });
});

function webhook(
  app: TestApi,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
  path = '/webhook/contract-signed',
) {
  const digest = createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex');
  return app.call('POST', path, {
    body,
    headers: { 'X-Esign-Signature-256': `sha256=${digest}`, ...headers },
  });
}

test('every answer of the signature webhook has an empty body', async () => {
  const app = startApi();
  const body = JSON.stringify({
    event_name: 'signature_request.done',
    data: { signature_request: { id: 'nobody-knows' } },
  });

  const answers = {
    401: await webhook(app, body, { 'X-Esign-Signature-256': 'sha256=00' }),
    400: await webhook(app, 'no json'),
    404: await webhook(app, body),
    413: await webhook(app, 'x'.repeat(256 * 1024 + 1)),
  };

  for (const [status, answer] of Object.entries(answers)) {
    expect(answer.status).toBe(Number(status));
    expect(answer.text).toBe('');
  }
  expect((await webhook(app, 'x'.repeat(256 * 1024))).status).toBe(400);
});

test('the webhooks act on POST alone and never redirect', async () => {
  const { call } = startApi();
  const paths = ['/webhook/contract-signed', '/webhook/payment'];
  for (const path of [...paths, ...paths.map((each) => `${each}/`)]) {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
      const answer = await call(method, path);
      expect(answer.status).toBe(405);
      expect(answer.headers.get('Allow')).toBe('POST');
    }
  }
});

test('a slash at the end of their paths changes nothing for the webhooks', async () => {
  const app = startApi({ paymentWebhookSecrets: ['a secret of the tests'] });
  const path = '/webhook/contract-signed/';
  const unknown =
    '{"event_name":"signature_request.done","data":{"signature_request":{"id":"nobody-knows"}}}';
  const answers = [
    await webhook(app, unknown, {}, path),
    await webhook(app, '{"event_name":"contact.created"}', {}, path),
    await webhook(app, unknown, { 'X-Esign-Signature-256': 'sha256=00' }, path),
    await app.call('POST', '/webhook/payment/', { body: '{}' }),
  ];
  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [404, ''],
    [200, ''],
    [401, ''],
    [400, ''],
  ]);
});

test('the payment webhook is not there while no secret is set', async () => {
  const answer = await startApi().call('POST', '/webhook/payment', { body: '{}' });

  expect(answer.status).toBe(404);
  expect(answer.text).toBe('');
});
