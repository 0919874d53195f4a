/** "Not found" ends contracts and sessions, so it is believed only in the provider's own words (rules 2). */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PaymentProvider } from '../../../src/core/payment/provider.js';
import { checkPayment } from '../../../src/core/payment/check-payment.js';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { SignatureProvider } from '../../../src/core/signature/provider.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { deliver } from '../../support/webhooks.js';

const KNOWN = { signId: 's', externalId: 'e' };

const there = (app: TestApp) => app.sandbox.state().signatureRequests;

function expectWaiting(app: TestApp, requestId: number): void {
  expect(app.request(requestId).status).toBe('WAITING_SIGNATURE');
  expect(app.contract(requestId).status).toBe('PENDING');
  expect(app.jobs()).toEqual([]);
}

/** A web server that stands where the provider should be. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json = (body: unknown) => ({ type: 'application/json', body: JSON.stringify(body) });

/** A proxy before the sandbox that answers the calls named by `own` itself, with 200. */
async function proxyBefore(app: TestApp, own: RegExp, body: string): Promise<string> {
  const origin = new URL(app.sandbox.apiUrl).origin;
  return serve((request, response) => {
    if (own.test(`${request.method} ${request.url}`)) {
      response.end(body);
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void fetch(`${origin}${request.url}`, {
        method: request.method as string,
        headers: {
          authorization: request.headers.authorization ?? '',
          'content-type': request.headers['content-type'] ?? '',
        },
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      }).then(async (answer) => response.writeHead(answer.status).end(await answer.text()));
    });
  });
}

function behind(app: TestApp, baseUrl: string): SignatureProvider {
  const provider = new SignatureProvider({
    baseUrl,
    apiKey: () => 'sandbox-api-key',
    repeatAfterMs: 1,
  });
  Object.defineProperty(app.ctx, 'provider', { value: provider });
  return provider;
}

const FOREIGN = {
  'nothing at all': { type: 'text/plain', body: '' },
  'plain words': { type: 'text/plain', body: 'no such service' },
  'a web page': { type: 'text/html', body: '<html><body><h1>404 Not Found</h1></body></html>' },
  'the JSON of a gateway': json({ message: 'no Route matched with those values' }),
  'the JSON of a web framework': json({ detail: 'Not Found' }),
  'an empty object': json({}),
  'a problem of RFC 9457 with an address as its type': json({
    type: 'https://gateway.example.org/not-found',
    title: 'Not Found',
    status: 404,
    detail: 'Not Found',
  }),
  'a problem without a word of detail': json({ type: 'about:blank', title: 'Not Found', status: 404 }),
  'a problem that is not declared as JSON': {
    type: 'text/html',
    body: JSON.stringify({ type: 'about:blank', detail: 'Not Found' }),
  },
  'the error of the other kind of API': json({ error: 'not_found', status: 404 }),
};

describe.each(Object.entries(FOREIGN))('404 with %s', (_, { type, body }) => {
  const foreign = () =>
    serve((_request, response) => response.writeHead(404, { 'content-type': type }).end(body));
  const options = async () => ({ baseUrl: await foreign(), apiKey: () => 'key', repeatAfterMs: 1 });

  test('says nothing about a signature', async () => {
    const provider = new SignatureProvider(await options());
    const unavailable = {
      name: 'ProviderError',
      reason: 'unavailable',
      message: 'signature provider answered 404, but not in its own format',
    };
    expect(await rejection(provider.getSignatureStatus(KNOWN))).toMatchObject(unavailable);
    expect(await rejection(provider.findByExternalId('e'))).toMatchObject(unavailable);
    expect(await rejection(provider.getSigner('s', 'r'))).toMatchObject(unavailable);
    expect(await rejection(provider.cancel(KNOWN, 'note'))).toMatchObject(unavailable);
    expect(await rejection(provider.downloadDocument('s', async () => undefined))).toMatchObject(unavailable);
  });

  test('says nothing about a payment session', async () => {
    const payment = new PaymentProvider(await options());
    const unavailable = { name: 'ProviderError', reason: 'unavailable' };
    expect(await rejection(payment.getSession('s'))).toMatchObject(unavailable);
    expect(await rejection(payment.expireSession('s'))).toMatchObject(unavailable);
  });
});

test('a refusal (400) that is not in the provider’s words says nothing either', async () => {
  const baseUrl = await serve((_, response) => response.writeHead(400).end('<h1>400 Bad Request</h1>'));
  const payment = new PaymentProvider({ baseUrl, apiKey: () => 'key' });
  expect(await rejection(payment.expireSession('s'))).toMatchObject({ reason: 'unavailable' });
});

test('an answer about another signature or session is none', async () => {
  const baseUrl = await serve((_, response) =>
    response.end(JSON.stringify({ id: 'other', status: 'expired' })),
  );
  const options = { baseUrl, apiKey: () => 'key', repeatAfterMs: 1 };
  const unavailable = { reason: 'unavailable' };
  expect(await rejection(new SignatureProvider(options).getSignatureStatus(KNOWN))).toMatchObject(
    unavailable,
  );
  expect(await rejection(new PaymentProvider(options).getSession('s'))).toMatchObject(unavailable);
});

test('a list that a proxy answers with {} is not an empty list', async () => {
  const baseUrl = await serve((_, response) => response.end('{}'));
  const provider = new SignatureProvider({ baseUrl, apiKey: () => 'key', repeatAfterMs: 1 });
  expect(await rejection(provider.findByExternalId('e'))).toMatchObject({ reason: 'unavailable' });
});

describe('a signature that waits', () => {
  test('outlives an HTML 404 to the check, which says provider_unavailable', async () => {
    const app = await startApp();
    const { request } = await app.waitingRequest();
    app.sandbox.faults.add('signature.get:404_html');

    expect(await checkSignature(app.ctx, request.id, { actor: TESTER })).toMatchObject({
      key: 'provider_unavailable',
      words: 'provider_unrecognised',
    });
    expectWaiting(app, request.id);
  });

  test.each(['404', '404_resource', '404_blank'])(
    'ends by a %s in the provider’s own words when it is gone from the list as well',
    async (kind) => {
      const app = await startApp();
      const { request, signId } = await app.waitingRequest();
      app.sandbox.faults.add(`signature.get:${kind}`);
      const check = () => checkSignature(app.ctx, request.id, { actor: TESTER });

      expect(await check()).toMatchObject({ key: 'check_signature_info.ongoing' });
      expectWaiting(app, request.id);

      app.sandbox.delete(signId, { permanent: true });
      expect(await check()).toMatchObject({ key: 'signature_not_found' });
      expect(app.contract(request.id).status).toBe('EXPIRED');
    },
  );

  test('outlives a wrong address below the provider’s host, whose 404 is in its words', async () => {
    const app = await startApp();
    const { request } = await app.waitingRequest();
    behind(app, app.sandbox.apiUrl.replace('/v3', '/v2'));

    expect(await checkSignature(app.ctx, request.id, { actor: TESTER })).toMatchObject({
      key: 'provider_unavailable',
    });
    expectWaiting(app, request.id);
  });

  test('outlives an HTML 404 to the bulk check', async () => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    app.sandbox.delete(signId, { permanent: true });
    app.sandbox.faults.add('signature.get:404_html:3');

    expect(await checkAllSignatures(app.ctx, { actor: TESTER })).toMatchObject({ changed: 0, failed: 1 });
    expectWaiting(app, request.id);

    expect(await checkAllSignatures(app.ctx, { actor: TESTER })).toMatchObject({ changed: 1, failed: 0 });
    expect(app.contract(request.id).status).toBe('EXPIRED');
  });

  test.each(['get', 'cancel'])('is not replaced when an HTML 404 answers %s', async (operation) => {
    const app = await startApp();
    const { request } = await app.waitingRequest();
    app.sandbox.faults.add(`signature.${operation}:404_html`);

    expect(await rejection(resetSignature(app.ctx, request.id, { actor: TESTER }))).toMatchObject({
      code: 'provider_unavailable',
    });
    expectWaiting(app, request.id);
    expect(there(app)).toMatchObject([{ status: 'ongoing' }]);
  });

  test('is not replaced when a proxy says "200" in place of the canceling', async () => {
    const app = await startApp();
    const { request } = await app.waitingRequest();
    behind(app, `${await proxyBefore(app, /^POST .*\/cancel$/, '{"ok":true}')}/v3`);

    expect(await rejection(resetSignature(app.ctx, request.id, { actor: TESTER }))).toMatchObject({
      code: 'provider_unavailable',
    });
    expectWaiting(app, request.id);
    expect(there(app)).toMatchObject([{ status: 'ongoing' }]);
  });

  test('is completed later when an HTML 404 answers the download', async () => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    app.sandbox.sign(signId);
    app.sandbox.faults.add('signature.download:404_html:3');

    expect(await checkSignature(app.ctx, request.id, { actor: TESTER })).toMatchObject({
      key: 'provider_unavailable',
    });
    expectWaiting(app, request.id);
    expect((await checkSignature(app.ctx, request.id, { actor: TESTER })).type).toBe('success');
  });
});

describe('a payment session that is open', () => {
  async function payable() {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    app.sandbox.sign(signId);
    await deliver(app, signId);
    await app.drain();
    return { app, id: request.id, paymentUrl: app.request(request.id).paymentUrl };
  }

  test('stays open here when an HTML 404 answers the check', async () => {
    const { app, id, paymentUrl } = await payable();
    app.sandbox.faults.add('payment.get:404_html');
    expect(await checkPayment(app.ctx, id, { actor: TESTER })).toMatchObject({ key: 'payment_unavailable' });
    expect(app.request(id)).toMatchObject({ status: 'WAITING_PAYMENT', paymentUrl });
  });

  test('keeps the request from being completed by hand when an HTML 404 answers its closing', async () => {
    const { app, id, paymentUrl } = await payable();
    app.sandbox.faults.add('payment.expire:404_html');
    const error = await rejection(completeRequest(app.ctx, id, { actor: TESTER, reason: 'paid in cash' }));
    expect(error).toMatchObject({ code: 'payment_unavailable' });
    expect(app.request(id)).toMatchObject({ status: 'WAITING_PAYMENT', paymentUrl });
  });
});
