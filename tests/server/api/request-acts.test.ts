/** The routes around a signature: its start, the manual check, the contract and its PDF, the inbound webhooks. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { insertContract, setSignId } from '../../../src/db/contracts/contracts.js';
import { newIdentity } from '../../../src/core/installation/identity.js';
import { moveRequest } from '../../../src/db/requests/requests.js';
import { answered, aReceiver } from '../../support/receiver.js';
import { sign } from '../../support/webhooks.js';
import { apiFor, startApi, twoRequests, type TestApi } from '../support.js';

const NOW = '2026-03-02T09:14:07.250Z';

/** Request 1 of anna, waiting for the signature of contract 1. */
async function waiting() {
  const api = await twoRequests();
  await api.ctx.writer.write((db) => {
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
  return api;
}

test('a contract names its request, which names it', async () => {
  const { anna } = await waiting();
  expect((await anna('GET', '/api/contracts/1')).json).toEqual({
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
    customer: 'Eve Martin',
  });
  expect((await anna('GET', '/api/requests/1')).json['contract']).toBe('/api/contracts/1');
});

test('the PDF is a download: the draft at first, the signed one when it is signed; another than was stored is none', async () => {
  const { ctx, anna } = await waiting();
  const directory = join(ctx.config.dataDir, 'contracts');
  mkdirSync(directory, { recursive: true });
  const put = (name: string, content: string) => writeFileSync(join(directory, name), content);
  const digestOf = (pdf: string) => createHash('sha256').update(pdf).digest('hex');
  const get = (method = 'GET') =>
    anna(method, '/api/contracts/1/pdf', { headers: { Accept: 'application/pdf' } });
  const head = ({ headers }: { headers: Headers }) =>
    ['Content-Type', 'Content-Disposition', 'Content-Length'].map((name) => headers.get(name));
  expect((await get()).status).toBe(404);

  ctx.db.raw.exec(`UPDATE contracts SET draftSha256 = '${digestOf('%PDF-1.7 draft')}' WHERE id = 1`);
  put('1.draft.pdf', '%PDF-1.7 other');
  expect((await get()).status).toBe(404);
  put('1.draft.pdf', '%PDF-1.7 draft');
  const draft = await get();
  expect(draft.text).toBe('%PDF-1.7 draft');
  expect(head(draft)).toEqual(['application/pdf', 'attachment; filename="contract-1.pdf"', '14']);

  put('1.pdf', '%PDF-1.7 signed');
  ctx.db.raw.exec(`UPDATE contracts SET status = 'SIGNED', signedAt = '${NOW}', pdfSize = 15,
    pdfSha256 = '${digestOf('%PDF-1.7 signed')}' WHERE id = 1`);
  for (const [method, text] of [
    ['GET', '%PDF-1.7 signed'],
    ['HEAD', ''],
  ] as const) {
    const signed = await get(method);
    expect(signed.text).toBe(text);
    expect(head(signed)).toEqual(['application/pdf', 'attachment; filename="contract-1-signed.pdf"', '15']);
  }

  put('1.pdf', '%PDF-1.7 forged');
  const forged = await get();
  expect([forged.status, forged.json['key']]).toEqual([503, 'signed_pdf_damaged']);
  expect(forged.text).not.toContain('forged');
});

test('a provider that takes no more calls is 503 with the wait that it asks for', async () => {
  const body = '{"message":"API rate limit exceeded"}';
  const { url: apiUrl } = await aReceiver(answered(429, { 'retry-after': '47' }, body));
  const { admin } = await twoRequests({ apiUrl });
  const answer = await admin('POST', '/api/requests/1/signature');
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '47']);
});

test.each([
  ["lastName = 'Ott & Co.'", 'invalid_signer_name', 'lastName'],
  ["username = 'anna@intranet'", 'invalid_signer_email', 'username'],
])(
  'a start whose customer the provider would refuse (%s) names key and field, and asks it nothing',
  async (change, key, field) => {
    const { ctx, admin } = await twoRequests();
    ctx.db.raw.exec(`UPDATE users SET ${change} WHERE id = 1`);
    const { status, json } = await admin('POST', '/api/requests/1/signature');
    const errors = { [field]: expect.stringContaining('signature provider') as string };
    expect([status, json]).toMatchObject([422, { key, errors }]);
  },
);

test('the manual check acts on GET alone, and tells nobody but administrators what there is', async () => {
  const { anna, admin } = await apiFor(['anna', 'admin']);
  expect((await anna('GET', '/check_signature/request/99')).status).toBe(403);
  expect((await admin('GET', '/check_signature/request/99')).status).toBe(404);
  for (const method of ['HEAD', 'OPTIONS', 'POST', 'PUT']) {
    const answer = await admin(method, '/check_signature/request/1');
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET']);
  }
});

test('an error of the manual check is 422 with its key beside code and message', async () => {
  const { admin } = await twoRequests();
  expect(await admin('GET', '/check_signature/request/1')).toMatchObject({
    status: 422,
    json: {
      code: 422,
      type: 'error',
      key: 'not_waiting_signature',
      message: 'This request is not waiting for a signature, so there is nothing to check.',
      errors: {},
      'hydra:title': 'An error occurred',
    },
  });
});

test('every answer of a webhook has an empty body; a slash at the end of its path changes nothing', async () => {
  const app = startApi({ paymentWebhookSecrets: ['a secret of the tests'] });
  const unknown =
    '{"event_name":"signature_request.done","data":{"signature_request":{"id":"nobody-knows"}}}';
  const post = (app: TestApi, path: string, body: string, proof = sign(body)) =>
    app.call('POST', path, { body, headers: { 'X-Esign-Signature-256': proof } });
  for (const end of ['', '/']) {
    const path = `/webhook/contract-signed${end}`;
    for (const [status, { status: answered, text }] of [
      [401, await post(app, path, unknown, 'sha256=00')],
      [400, await post(app, path, 'no json')],
      [404, await post(app, path, unknown)],
      [200, await post(app, path, '{"event_name":"contact.created"}')],
      [400, await post(app, path, 'x'.repeat(256 * 1024))],
      [413, await post(app, path, 'x'.repeat(256 * 1024 + 1))],
      [400, await post(app, `/webhook/payment${end}`, '{}')],
      [404, await post(startApi(), `/webhook/payment${end}`, '{}')],
    ] as const)
      expect([answered, text]).toEqual([status, '']);
  }
});

test('the webhooks act on POST alone and never redirect', async () => {
  const { call } = startApi();
  for (const name of ['contract-signed', 'payment', 'contract-signed/', 'payment/'])
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
      const { status, headers } = await call(method, `/webhook/${name}`);
      expect([name, method, status, headers.get('Allow')]).toEqual([name, method, 405, 'POST']);
    }
});
