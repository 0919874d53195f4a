/** How a delivery is signed: in its body, and in its headers with the bytes or the text of its secret. */
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { bodySignature, sentBody, signatureHeaders } from '../../../src/core/webhooks/signatures.js';

const message = { messageId: 'm1', timestamp: 1, body: '{}' };
const signature = (secret: string) => signatureHeaders([secret], message)['webhook-signature'];

test('the one in the body is over the body without it', () => {
  const expected = createHmac('sha256', 'key').update('{"a":1}').digest('hex');
  expect(bodySignature('key', '{"a":1}')).toBe(expected);
});

test('a delivery is shown as it was sent, and before that without a signature', () => {
  expect(sentBody({ content: '{"a":1}', signature: null })).toBe('{"a":1}');
  expect(sentBody({ content: '{"a":1}', signature: 'x' })).toBe('{"a":1,"signature":"x"}');
});

test.each(['c2VjcmV0', 'c2VjcmU=', 'c2VjcmV0cw=='])('whsec_%s is base64', (base64) => {
  // The same bytes, told apart from the same words.
  expect(signature(`whsec_${base64}`)).toBe(signature(Buffer.from(base64, 'base64').toString()));
});

test.each([
  'whsec_',
  'whsec_no base64',
  'whsec_c2Vjc',
  'whsec_=c2VjcmV0',
  'whsec_c2VjcmV0=',
  'c2VjcmV0c2VjcmV0',
])('%s is text', (secret) => {
  const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64').toString();
  expect(signature(secret)).not.toBe(signature(bytes));
});
