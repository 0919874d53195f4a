/** The payment provider's side of the wire (rules 5): what it is asked, word for word, and what its answers mean. */
import { describe, expect, test } from 'vitest';
import { PaymentProvider } from '../../../src/core/payment/provider.js';
import { rejection } from '../../support/app.js';
import { aReceiver, inTurn, type JsonAnswer } from '../../support/receiver.js';

/** A provider that gives these answers in turn. */
async function answering(...answers: [JsonAnswer, ...JsonAnswer[]]) {
  const receiver = await aReceiver(inTurn(...answers));
  const options = { baseUrl: receiver.url, apiKey: () => 'key', repeatAfterMs: 1 };
  return { provider: new PaymentProvider(options), calls: receiver.received };
}

/** An id that would break a path. */
const ID = 'a/b?';
const PATH = '/v1/checkout/sessions/a%2Fb%3F';

const NEW = {
  clientReference: 'name-1',
  requestId: 7,
  contractId: 8,
  reference: 'REQ-2026-000007',
  productName: 'Yearly maintenance',
  amount: 12_000,
  currency: 'eur',
  customerEmail: 'ada@example.org',
  locale: 'fr',
  successUrl: 'https://acme.test/paid',
} as const;

const SESSION = { id: ID, url: 'https://pay.example.org/1', status: 'open', payment_status: 'unpaid' };
const OURS = {
  paymentId: ID,
  name: null,
  customer: null,
  paymentUrl: 'https://pay.example.org/1',
  status: 'open',
  paymentStatus: 'unpaid',
  createdAt: null,
  expiresAt: null,
  money: { amount: null, currency: null },
};
const lookup = (provider: PaymentProvider) => provider.getSession(ID);
const expiry = (provider: PaymentProvider) => provider.expireSession(ID);
const listing = (provider: PaymentProvider) => provider.listSessions(new Date('2026-03-02T09:14:07.999Z'));
const creation = (provider: PaymentProvider) => provider.createSession(NEW, 'key-1');
const look = (provider: PaymentProvider) => provider.probe();

test('a session is made under its key, with all that the customer and we need', async () => {
  const { provider, calls } = await answering({ json: { ...SESSION, expires_at: 1_772_529_247 } });
  expect(await creation(provider)).toEqual({ ...OURS, expiresAt: '2026-03-03T09:14:07.000Z' });
  expect(calls).toMatchObject([
    {
      method: 'POST',
      path: '/v1/checkout/sessions',
      headers: {
        authorization: 'Bearer key',
        'content-type': 'application/x-www-form-urlencoded',
        'idempotency-key': 'key-1',
      },
    },
  ]);
  expect(Object.fromEntries(new URLSearchParams(calls[0]?.body))).toEqual({
    mode: 'payment',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'eur',
    'line_items[0][price_data][unit_amount]': '12000',
    'line_items[0][price_data][product_data][name]': 'Yearly maintenance',
    success_url: 'https://acme.test/paid',
    customer_email: 'ada@example.org',
    client_reference_id: 'name-1',
    'metadata[request_id]': '7',
    'metadata[contract_id]': '8',
    'metadata[reference]': 'REQ-2026-000007',
    locale: 'fr',
  });
});

test.each<[string, (provider: PaymentProvider) => Promise<unknown>, object, object, unknown]>([
  [
    'a session is asked for by its id; what the answer leaves out is not known',
    lookup,
    { id: ID },
    { method: 'GET', path: PATH, body: '' },
    { ...OURS, paymentUrl: null, status: null, paymentStatus: null },
  ],
  ['a session is closed by its id', expiry, SESSION, { method: 'POST', path: `${PATH}/expire` }, undefined],
  [
    'a look asks for one session',
    look,
    { data: [] },
    { method: 'GET', path: '/v1/checkout/sessions?limit=1' },
    undefined,
  ],
])('%s', async (_, ask, json, call, answer) => {
  const { provider, calls } = await answering({ json });
  expect(await ask(provider)).toEqual(answer);
  expect(calls).toMatchObject([call]);
});

test.each([
  ['lookup', 3, lookup],
  ['list', 3, listing],
  ['look', 3, look],
  ['creation, which its job repeats', 1, creation],
  ['expiry', 1, expiry],
])('%s: %i calls while the answer is 503', async (_, times, ask) => {
  const { provider, calls } = await answering({ status: 503, json: {} });
  expect(await rejection(ask(provider))).toMatchObject({ reason: 'unavailable' });
  expect(calls).toHaveLength(times);
});

const missing = (code?: string) => ({
  status: 404,
  json: { error: { type: 'invalid_request_error', code } },
});
const LIST = { json: { data: [] } };

describe.each([
  ['lookup', lookup],
  ['expiry', expiry],
])('%s', (_, ask) => {
  test('an answer about another session is none', async () => {
    const { provider } = await answering({ json: { ...SESSION, id: 'other' } });
    expect(await rejection(ask(provider))).toMatchObject({ reason: 'unavailable' });
  });

  test.each<[string, string, number, [JsonAnswer, ...JsonAnswer[]]]>([
    ['a session is missing by that very word', 'not_found', 1, [missing('resource_missing')]],
    ['or if the list can be had', 'not_found', 2, [missing(), LIST]],
    ['but not if the list is missing, too', 'unavailable', 2, [missing()]],
    ['more before that word is another', 'unavailable', 2, [missing('no_resource_missing')]],
    ['and more after it', 'unavailable', 2, [missing('resource_missing_too')]],
  ])('%s', async (_title, reason, times, answers) => {
    const { provider, calls } = await answering(...answers);
    expect(await rejection(ask(provider))).toMatchObject({ reason });
    expect(calls).toHaveLength(times);
  });
});

const listed = (id: string) => ({
  ...SESSION,
  id,
  client_reference_id: `name-${id}`,
  amount_total: 12_000,
  currency: 'eur',
});

test('the sessions since a moment are listed on all pages, whatever the address, with the proof of whose they are', async () => {
  const { provider, calls } = await answering(
    { json: { data: [listed('1'), listed('2'), listed('3')], has_more: true } },
    { json: { data: [listed('4')], has_more: false } },
  );
  const sessions = await listing(provider);
  expect(sessions.map(({ paymentId }) => paymentId)).toEqual(['1', '2', '3', '4']);
  const money = { amount: 12_000, currency: 'eur' };
  expect(sessions[3]).toEqual({ ...OURS, paymentId: '4', name: 'name-4', money });
  expect(calls.map(({ path }) => Object.fromEntries(new URLSearchParams(path.split('?')[1])))).toEqual([
    { limit: '100', 'created[gte]': '1772442847' },
    { limit: '100', 'created[gte]': '1772442847', starting_after: '3' },
  ]);
});

test('a list that repeats its pages without end is read once', async () => {
  const { provider, calls } = await answering({ json: { data: [listed('1')], has_more: true } });
  expect(await listing(provider)).toHaveLength(1);
  expect(calls).toHaveLength(2);
});
