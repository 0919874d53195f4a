/** "Not found" ends contracts and sessions, so it is believed only in the provider's own words (rules 2). */
import { expect, test } from 'vitest';
import { PaymentProvider } from '../../../src/core/payment/provider.js';
import { SignatureProvider } from '../../../src/core/signature/provider.js';
import { rejection } from '../../support/app.js';
import { aReceiver } from '../../support/receiver.js';
import { table } from '../../support/table.js';

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

const WAITS = 'WAITING_SIGNATURE; contract PENDING';

table(
  `
${['404', '404_resource', '404_blank']
  .map(
    (kind) => `
  ends by a ${kind} in the provider’s own words when it is gone from the list as well
    sent; fault signature.get:${kind}; checksSignature key=check_signature_info.ongoing → ${WAITS}
    there gone; checksSignature key=signature_not_found → contract EXPIRED`,
  )
  .join('')}
  outlives an HTML 404 to the bulk check, and ends by the next one
    sent; there gone; fault signature.get:404_html:3; signaturesChecked → ${WAITS}
    signaturesChecked → contract EXPIRED
  is completed later when an HTML 404 answers the download
    sent; there signed; fault signature.download:404_html:3;
    checksSignature key=provider_unavailable words=provider_unrecognised → ${WAITS}
    checksSignature type=success → contract SIGNED`,
  { of: 'a signature that waits ' },
);

table(`
  an open page stays open here when an HTML 404 answers the check, and its closing
    linked; fault payment.get:404_html; checked key=payment_unavailable; noFaults; fault payment.expire:404_html;
    refuses complete payment_unavailable → WAITING_PAYMENT; shown; payments open`);
