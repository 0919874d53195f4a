/** What a delivery without a good signature claims to be about (rules 3). */
import { expect, test } from 'vitest';
import { claimedIdIn } from '../../../src/core/inbox/rejections.js';
import type { InboxSource } from '../../../src/db/schema.js';

const claimed = (source: InboxSource, body: string) => claimedIdIn(source, Buffer.from(body));

const BODIES: Record<InboxSource, { around: (id: string) => string; lettersMax: number; apart: string }> = {
  signature: {
    around: (id) => `{"data":{"signature_request":{"id":"${id}"}}}`,
    lettersMax: 64,
    apart: '{"signature_request":{},"id":"12345678"}',
  },
  payment: {
    around: (id) => `{"data":{"object":{"id":"${id}","x":1}}}`,
    lettersMax: 200,
    apart: '{"object":"session","id":"12345678"}',
  },
};

test.each(Object.entries(BODIES) as [InboxSource, (typeof BODIES)[InboxSource]][])(
  'an id of a %s is 8 letters or longer, begins within 4 KB, and is that of the thing itself',
  (source, { around, lettersMax, apart }) => {
    const found = (id: string, before = '') => claimed(source, before + around(id));
    expect(found('cs_12345')).toBe('cs_12345');
    expect(found('1234567')).toBeNull();
    expect(found('x'.repeat(lettersMax))).toBe('x'.repeat(lettersMax));
    expect(found('x'.repeat(lettersMax + 1))).toBeNull();
    expect(found('<script>')).toBeNull();
    expect(found('cs_12345', ' '.repeat(4_096))).toBeNull();
    expect(claimed(source, apart)).toBeNull();
    expect(claimed(source, '')).toBeNull();
  },
);

test.each<[InboxSource, string, string]>([
  ['signature', '{"signature_request" : {"status":"done", "id" : "a-b_c-1234" }', 'a-b_c-1234'],
  ['payment', '{"data": {"object" : {\n "id" : "cs_test-1"}}}', 'cs_test-1'],
  ['payment', '{"object":"v2.core.event","related_object": {"id": "cs_test-1"}}', 'cs_test-1'],
])('blanks, other members and a missing end do not hide the id of a %s', (source, body, id) => {
  expect(claimed(source, body)).toBe(id);
});
