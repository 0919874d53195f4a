/** "Not found" ends contracts and sessions, so it is believed only in the provider's own words (rules 2). */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { PaymentProvider } from '../../../src/core/payment/provider.js';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import { SignatureProvider } from '../../../src/core/signature/provider.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { rejection, type TestApp } from '../../support/app.js';
import { tell, type History } from '../../support/histories.js';
import { BY, type Story } from '../../support/story.js';

const KNOWN = { signId: 's', externalId: 'e' };

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

test.each(Object.entries(FOREIGN))('404 with %s says nothing', async (_, { type, body }) => {
  const baseUrl = await serve((_request, response) =>
    response.writeHead(404, { 'content-type': type }).end(body),
  );
  const options = { baseUrl, apiKey: () => 'key', repeatAfterMs: 1 };
  const provider = new SignatureProvider(options);
  const asked = [
    provider.getSignatureStatus(KNOWN),
    provider.findByExternalId('e'),
    provider.getSigner('s', 'r'),
    provider.cancel(KNOWN, 'note'),
    provider.downloadDocument('s', async () => undefined),
  ];
  const message = 'signature provider answered 404, but not in its own format';
  for (const ask of asked.map(rejection))
    expect(await ask).toMatchObject({ name: 'ProviderError', reason: 'unavailable', message });
  const payment = new PaymentProvider(options);
  for (const ask of [payment.getSession('s'), payment.expireSession('s')].map(rejection))
    expect(await ask).toMatchObject({ name: 'ProviderError', reason: 'unavailable' });
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

const WAITS = { status: 'WAITING_SIGNATURE', contract: { status: 'PENDING' } } as const;
const gone = (s: Story) => s.there((sandbox, id) => sandbox.delete(id, { permanent: true }));

tell(
  [
    ...['404', '404_resource', '404_blank'].map((kind): History => [
      `ends by a ${kind} in the provider’s own words when it is gone from the list as well`,
      (s) =>
        gone(
          s
            .sent()
            .fault(`signature.get:${kind}`)
            .checksSignature({ key: 'check_signature_info.ongoing' })
            .is(WAITS),
        ).checksSignature({ key: 'signature_not_found' }),
      { contract: { status: 'EXPIRED' } },
    ]),
    [
      'outlives a wrong address below the provider’s host, whose 404 is in its words',
      (s) =>
        s
          .sent()
          .does((app) => behind(app, app.sandbox.apiUrl.replace('/v3', '/v2')))
          .checksSignature({ key: 'provider_unavailable' }),
      WAITS,
    ],
    [
      'outlives an HTML 404 to the bulk check, and ends by the next one',
      (s) =>
        gone(s.sent())
          .fault('signature.get:404_html:3')
          .does(async ({ ctx }) =>
            expect(await checkAllSignatures(ctx, BY)).toMatchObject({ changed: 0, failed: 1 }),
          )
          .is(WAITS)
          .signaturesChecked(),
      { contract: { status: 'EXPIRED' } },
    ],
    [
      'is not replaced when a proxy says "200" in place of the canceling',
      (s) =>
        s
          .sent()
          .does(async (app) =>
            behind(app, `${await proxyBefore(app, /^POST .*\/cancel$/, '{"ok":true}')}/v3`),
          )
          .refuses(resetSignature, { code: 'provider_unavailable' }),
      { ...WAITS, documents: ['ongoing'] },
    ],
    [
      'is completed later when an HTML 404 answers the download',
      (s) =>
        s
          .sent()
          .signs()
          .fault('signature.download:404_html:3')
          .checksSignature({ key: 'provider_unavailable' })
          .is(WAITS)
          .checksSignature({ type: 'success' }),
      { contract: { status: 'SIGNED' } },
    ],
  ],
  'a signature that waits ',
);

tell([
  [
    'an open page stays open here when an HTML 404 answers the check, and its closing',
    (s) =>
      s
        .linked()
        .fault('payment.get:404_html')
        .checked({ key: 'payment_unavailable' })
        .noFaults()
        .fault('payment.expire:404_html')
        .refuses(completeRequest, { code: 'payment_unavailable' }),
    { status: 'WAITING_PAYMENT', isShown: true, payments: ['open'] },
  ],
]);
