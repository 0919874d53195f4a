/** "Not found" ends contracts and sessions, so it is believed only in the provider's own words (rules 2). */
import { expect, test } from 'vitest';
import { PaymentProvider } from '../../../src/core/payment/provider.js';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { SignatureProvider } from '../../../src/core/signature/provider.js';
import { rejection } from '../../support/app.js';
import { tell, type History } from '../../support/histories.js';
import { aReceiver } from '../../support/receiver.js';

const KNOWN = { signId: 's', externalId: 'e' };

const json = (body: unknown) => ({ type: 'application/json', body: JSON.stringify(body) });

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
  const { url: baseUrl } = await aReceiver((_asked, response) =>
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

const WAITS = { status: 'WAITING_SIGNATURE', contract: { status: 'PENDING' } } as const;
tell(
  [
    ...['404', '404_resource', '404_blank'].map((kind): History => [
      `ends by a ${kind} in the provider’s own words when it is gone from the list as well`,
      (s) =>
        s
          .sent()
          .fault(`signature.get:${kind}`)
          .checksSignature({ key: 'check_signature_info.ongoing' })
          .is(WAITS)
          .there('gone')
          .checksSignature({ key: 'signature_not_found' }),
      { contract: { status: 'EXPIRED' } },
    ]),
    [
      'outlives an HTML 404 to the bulk check, and ends by the next one',
      (s) =>
        s
          .sent()
          .there('gone')
          .fault('signature.get:404_html:3')
          .signaturesChecked()
          .is(WAITS)
          .signaturesChecked(),
      { contract: { status: 'EXPIRED' } },
    ],
    [
      'is completed later when an HTML 404 answers the download',
      (s) =>
        s
          .sent()
          .there('signed')
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
