/** What proves a payment: the signature of an event, its members, and whose session it is (rules 2, 3). */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ownName } from '../../../src/core/installation/identity.js';
import { contractOfSession } from '../../../src/core/payment/observe.js';
import { isPayToken, payLink } from '../../../src/core/payment/pay-link.js';
import {
  isAboutSession,
  isGenuinePayment,
  parsePaymentEvent,
  type PaymentEvent,
} from '../../../src/core/payment/receive-payment-webhook.js';
import { isPriceOf } from '../../../src/core/payment/price.js';
import { SESSION, toSession } from '../../../src/core/payment/session.js';
import { startApp } from '../../support/app.js';

describe('a signature', () => {
  const NOW = new Date('2026-03-02T09:14:07.000Z');
  const STAMP = NOW.getTime() / 1000;
  const BODY = Buffer.from('{"id":"evt_1"}');
  const digest = (stamp: number | string = STAMP, secret = 'one') =>
    createHmac('sha256', secret).update(`${stamp}.`).update(BODY).digest('hex');

  test.each<[string, string | undefined, boolean]>([
    ['of its second', `t=${STAMP},v1=${digest()}`, true],
    ['with blanks between its parts', `t=${STAMP} , v1=${digest()} `, true],
    ['with its time last', `v1=${digest()},t=${STAMP}`, true],
    ['of the second secret', `t=${STAMP},v1=${digest(STAMP, 'two')}`, true],
    ['of nobody’s secret', `t=${STAMP},v1=${digest(STAMP, 'three')}`, false],
    ['among several', `t=${STAMP},v1=${'0'.repeat(64)},v1=${digest()}`, true],
    ['five minutes old', `t=${STAMP - 300},v1=${digest(STAMP - 300)}`, true],
    ['older', `t=${STAMP - 301},v1=${digest(STAMP - 301)}`, false],
    ['five minutes ahead', `t=${STAMP + 300},v1=${digest(STAMP + 300)}`, true],
    ['further ahead', `t=${STAMP + 301},v1=${digest(STAMP + 301)}`, false],
    ['of another time than it says', `t=${STAMP + 1},v1=${digest()}`, false],
    ['without a time', `v1=${digest('')}`, false],
    ['with a time in words', `t=${STAMP}x,v1=${digest(`${STAMP}x`)}`, false],
    ['with a sign before its time', `t=+${STAMP},v1=${digest(`+${STAMP}`)}`, false],
    ['with a time too long', `t=000${STAMP},v1=${digest(`000${STAMP}`)}`, false],
    ['without a digest', `t=${STAMP}`, false],
    ['with an empty digest', `t=${STAMP},v1`, false],
    ['of another scheme', `t=${STAMP},v0=${digest()}`, false],
    ['too short', `t=${STAMP},v1=${digest().slice(2)}`, false],
    ['too long', `t=${STAMP},v1=${digest()}00`, false],
    ['with something before it', `t=${STAMP},v1=00${digest()}`, false],
    ['that is empty', '', false],
    ['that is not there', undefined, false],
  ])('%s: taken or not', (_, header, isSo) => {
    expect(isGenuinePayment(BODY, header, ['one', 'two'], NOW)).toBe(isSo);
  });
});

describe('an event', () => {
  const SESSION_EVENT = { id: 'evt_1', type: 'checkout.session.completed', data: { object: { id: 'cs_1' } } };
  const parsed = (body: object) => parsePaymentEvent(Buffer.from(JSON.stringify(body)));
  const event = (changes: object = {}) => parsed({ ...SESSION_EVENT, ...changes });

  test('about a session has one', () => {
    expect(event()).toMatchObject({ id: 'evt_1', data: { object: { id: 'cs_1' } } });
    expect(event({ data: {} })).toBe('unusable_body');
  });

  test.each([-1, 0, 1e15])('does not say when it was made by %s', (created) => {
    expect(event({ created })).toMatchObject({ created: null });
  });

  test('about anything else may look like anything', () => {
    const other = event({ type: 'invoice.paid', data: 7 });
    expect(other).toEqual({ id: 'evt_1', type: 'invoice.paid' });
    expect(isAboutSession(other as PaymentEvent)).toBe(false);
    expect(event({ type: 'x.checkout.session.completed', data: 7 })).toMatchObject({ id: 'evt_1' });
  });

  test('that is thin is none, whatever it is about', () => {
    const thin = { object: 'v2.core.event', related_object: { id: 'cs_1' } };
    expect(event({ ...thin, type: 'v1.checkout.session.completed', data: undefined })).toBe('thin_event');
    expect(event({ ...thin, type: 'v2.core.event_destination.ping' })).toBe('thin_event');
    expect(parsed(thin)).toBe('thin_event');
  });

  test('has a name and a kind', () => {
    expect(event({ id: '' })).toBe('unusable_body');
    expect(event({ type: 7 })).toBe('unusable_body');
    for (const body of ['{', '[]', 'null', '{"object":"event"}'])
      expect(parsePaymentEvent(Buffer.from(body))).toBe('unusable_body');
  });
});

test('a link to pay is made of 32 hexadecimal digits, and not before there is something to pay', () => {
  const token = '0123456789abcdef'.repeat(2);
  expect(payLink('https://acme.test', { payToken: token })).toBe(`https://acme.test/pay/${token}`);
  expect(payLink('https://acme.test', { payToken: null })).toBeNull();
  expect(isPayToken(token)).toBe(true);
  const others = [`${token}0`, `x${token}`, token.slice(1), token.toUpperCase()];
  expect(others.filter(isPayToken)).toEqual([]);
});

const asSaid = (facts: object) => toSession(SESSION.parse({ id: 'cs_1', ...facts }));

test('a session is ours by the contract’s name', async () => {
  const { ctx, ...app } = await startApp();
  const { contract } = await app.waitingRequest();
  const idOf = (name?: string | null) => contractOfSession(ctx.db, asSaid({ client_reference_id: name }))?.id;
  expect(idOf(contract.externalId)).toBe(contract.id);
  for (const name of [ownName(ctx.db, '0'.repeat(16)), null, undefined, '', contract.key, '1'])
    expect([name, idOf(name)]).toEqual([name, undefined]);
});

test('a session does not say what is no amount or no moment', () => {
  for (const odd of [120.5, 1e300, 2 ** 60, null])
    expect(asSaid({ amount_total: odd, currency: 'eur' }).money.amount).toBeNull();
  for (const odd of [1e15, 1e300, -1, 0, null])
    expect(asSaid({ created: odd, expires_at: odd })).toMatchObject({ createdAt: null, expiresAt: null });
});

const THEIRS = { amount_total: 14_000, currency: 'usd' };
const converted = (amount_total?: number, source_currency?: string) => ({
  currency_conversion: { amount_total, source_currency },
});

test.each<[object, boolean]>([
  [{}, true],
  [{ amount_total: 12_001 }, false],
  [{ currency: 'usd' }, false],
  [{ amount_total: null }, false],
  [{ currency: undefined }, false],
  [{ currency: 'EUR' }, true],
  // What it is in our currency counts, where it was converted for the customer.
  [{ ...THEIRS, ...converted(12_000, 'eur') }, true],
  [{ ...THEIRS, currency_conversion: null }, false],
  // That the customer's amount happens to be our number proves nothing.
  [converted(100, 'eur'), false],
  [converted(), false],
])('a session of 120 euros, but for %j, has the contract’s price: %s', (change, isSo) => {
  const { money } = asSaid({ amount_total: 12_000, currency: 'eur', ...change });
  expect(isPriceOf({ amount: 12_000, currency: 'eur' }, money)).toBe(isSo);
});
