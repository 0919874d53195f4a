/** Deliveries that are rejected (rules 3): what they claim to be about, and what is written down of them. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { newestRejected } from '../../../src/core/inbox/inbox.js';
import { claimedIdIn, reject, rejectForged, rejectTooLarge } from '../../../src/core/inbox/rejections.js';
import type { InboxSource } from '../../../src/db/schema.js';
import { startApp } from '../../support/app.js';

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

const address = '192.0.2.7';

test('one that is too large to be read is written down with its size, unless its address keeps forging', async () => {
  const { ctx } = await startApp();
  expect(await rejectTooLarge(ctx, 'payment', { size: 300_000, address })).toEqual({ status: 413 });
  const written = [{ source: 'payment', reason: 'too_large', size: 300_000, address, claimedId: null }];
  expect(newestRejected(ctx, 10)).toMatchObject(written);
  const forged = { rawBody: Buffer.from('{}'), signature: undefined, address: '192.0.2.8' };
  const statuses = [];
  for (let n = 0; n < 61; n += 1) statuses.push((await rejectForged(ctx, 'payment', forged, 400)).status);
  expect(statuses.slice(-2)).toEqual([400, 429]);
  const large = { size: 300_001, address: forged.address };
  expect(await rejectTooLarge(ctx, 'payment', large)).toEqual({ status: 413 });
  expect(newestRejected(ctx, 100).map(({ size }) => size)).not.toContain(large.size);
});

test('it is rejected although it cannot be written down, and the log says why', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  const { ctx } = await startApp({ context: { log } });
  ctx.db.raw.exec('DROP TABLE rejectedDeliveries');
  const delivery = { rawBody: Buffer.from('{}'), address };
  expect(await reject(ctx, 'payment', delivery, 400, 'unusable_body')).toEqual({ status: 400 });
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { reason: 'unusable_body', error: expect.stringContaining('rejectedDeliveries') as string },
  ]);
});
