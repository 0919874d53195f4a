/** The body of a signature webhook (rules 3): what is read from it, in both of its shapes, and who may have sent it. */
import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestKey, isGenuine, parseSignatureEvent } from '../../../src/core/signature/webhook-event.js';

const bytes = (body: unknown) => Buffer.from(JSON.stringify(body));
const parse = (body: unknown) => parseSignatureEvent(bytes(body));

const NAMES = { event_name: 'signature_request.done', event_id: 'e1', event_time: '1772442847' };
const SIGNATURE = { id: 's1', external_id: 'name-1' };
const EVENT = {
  eventKey: 'e1',
  eventName: 'signature_request.done',
  signId: 's1',
  externalId: 'name-1',
  happenedAt: '2026-03-02T09:14:07.000Z',
};

test('both shapes say the same', () => {
  const data = { signature_request: SIGNATURE };
  expect(parse({ ...NAMES, data })).toEqual(EVENT);
  expect(parse({ metadata: NAMES, data, another: 1 })).toEqual(EVENT);
});

test('of some events only the signer names the signature request', () => {
  const data = { signer: { signature_request_id: 's1' } };
  expect(parse({ event_name: 'signer.error', data })).toMatchObject({ signId: 's1' });
});

test('a name is enough; what is missing or cannot be used is not known', () => {
  const bare = { event_name: 'x' };
  const known = {
    eventKey: digestKey(bytes(bare)),
    eventName: 'x',
    signId: undefined,
    externalId: null,
    happenedAt: null,
  };
  expect(parse(bare)).toEqual(known);
  const digest = createHash('sha256').update(bytes(bare)).digest('hex');
  expect(known.eventKey).toBe(`sha256:${digest}`);
  const odd = { event_name: 'x', event_id: 7, event_time: {}, metadata: 7, data: { signature_request: 7 } };
  expect(parse(odd)).toEqual({ ...known, eventKey: digestKey(bytes(odd)) });
  const { signId, externalId } = parse({
    event_name: 'x',
    data: { signature_request: { id: '', external_id: 'x'.repeat(201) } },
  }) ?? { signId: 1 };
  expect([signId, externalId]).toEqual([undefined, null]);
});

test.each(['', '{', '[]', 'null', '7', '{}', '{"event_name":""}', '{"metadata":{}}'])(
  '%j is no event',
  (body) => {
    expect(parseSignatureEvent(Buffer.from(body))).toBeUndefined();
  },
);

test('bytes that are no text are no event', () => {
  const body = Buffer.concat([Buffer.from('{"event_name":"x'), Buffer.from([0xff]), Buffer.from('"}')]);
  expect(parseSignatureEvent(body)).toBeUndefined();
});

test.each<[unknown, string | null]>([
  ['1772442847', '2026-03-02T09:14:07.000Z'],
  [1_772_442_847, '2026-03-02T09:14:07.000Z'],
  ['2026-03-02T10:14:07+01:00', '2026-03-02T09:14:07.000Z'],
  ['99999999999', '5138-11-16T09:46:39.000Z'],
  ['177244284700', null],
  ['1772442847 or so', null],
  ['about 1772442847', null],
  ['soon', null],
  ['', null],
  [8.64e12, null],
  [-8.64e12, null],
])('the time %j is %s', (event_time, happenedAt) => {
  expect(parse({ event_name: 'x', event_time })).toMatchObject({ happenedAt });
});

test('a signature is genuine by any of our secrets, over these bytes, written in this way', () => {
  const body = Buffer.from('{}');
  const hex = (secret: string) => createHmac('sha256', secret).update(body).digest('hex');
  const isSo = (header: string | undefined, secrets = ['one', 'two']) => isGenuine(body, header, secrets);
  expect([isSo(`sha256=${hex('one')}`), isSo(`sha256=${hex('two')}`)]).toEqual([true, true]);
  const wrong = [`sha256=${hex('three')}`, hex('one'), `sha256=${hex('one').toUpperCase()}`, '', undefined];
  expect(wrong.map((header) => isSo(header))).toEqual(wrong.map(() => false));
  expect(isSo(`sha256=${hex('one')}`, [])).toBe(false);
  expect(isGenuine(Buffer.from('{} '), `sha256=${hex('one')}`, ['one'])).toBe(false);
});
