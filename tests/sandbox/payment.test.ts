import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createSession, aSandbox, read, SESSION } from './support.js';

type Session = {
  id: string;
  url: string | null;
  status: string;
  payment_status: string;
  amount_total: number | null;
};
type Refusal = { error: { type: string; code?: string; param?: string; message: string } };

const AUTH = {
  headers: { Authorization: `Basic ${Buffer.from('sandbox-payment-key:').toString('base64')}` },
};

test('a session is created, read, listed, expired; its url is null once it is not active', async () => {
  const sandbox = await aSandbox();
  const base = `${sandbox.paymentUrl}/v1/checkout/sessions`;
  const created = await createSession(sandbox);
  const session = await read<Session>(created);

  expect(created.status).toBe(200);
  expect(session).toMatchObject({
    object: 'checkout.session',
    status: 'open',
    payment_status: 'unpaid',
    client_reference_id: 'contract-1',
    metadata: { contract_id: '1' },
  });
  expect(session.id).toMatch(/^cs_test_\w{58}$/);
  expect(session.url).toBe(`${sandbox.url}/pay/${session.id}`);
  expect(await read(await fetch(`${base}/${session.id}`, AUTH))).toEqual(session);
  expect(await read(await fetch(`${base}?limit=1`, AUTH))).toMatchObject({ object: 'list', data: [session] });

  const expired = await fetch(`${base}/${session.id}/expire`, { ...AUTH, method: 'POST' });
  expect(await read(expired)).toMatchObject({ status: 'expired', url: null });
  expect((await fetch(`${base}/${session.id}/expire`, { ...AUTH, method: 'POST' })).status).toBe(400);
  expect((await fetch(`${base}/cs_test_none`, AUTH)).status).toBe(404);
});

test('a session has every member of the provider’s own example; no amount and no e-mail address until it is complete', async () => {
  const example = JSON.parse(
    readFileSync(new URL('checkout-session.json', import.meta.url), 'utf8'),
  ) as object;
  const sandbox = await aSandbox();
  const { id, ...open } = await read<Session>(await createSession(sandbox));
  expect(Object.keys({ id, ...open }).sort()).toEqual(Object.keys(example).sort());
  const unpaid = { amount_total: null, currency: null, customer_details: { email: null } };
  expect(open).toMatchObject(unpaid);
  sandbox.pay(id);
  const paid = {
    amount_total: 12_000,
    currency: 'eur',
    customer_details: { email: 'customer@example.test' },
  };
  expect(sandbox.state().sessions[0]).toMatchObject(paid);

  const other = await read<Session>(await createSession(sandbox));
  sandbox.expireSession(other.id);
  expect(sandbox.state().sessions[1]).toMatchObject(unpaid);
});

test.each([
  ['another amount', { amount: 100, currency: 'usd' }, { amount_total: 100, currency: 'usd' }],
  [
    'the price, converted as until March 2025',
    { amount: 14_000, currency: 'usd', converted: 'currency_conversion' as const },
    {
      amount_total: 14_000,
      currency: 'usd',
      currency_conversion: { amount_total: 12_000, source_currency: 'eur' },
    },
  ],
  [
    'the price, converted as since then',
    { amount: 14_000, currency: 'usd', converted: 'presentment_details' as const },
    {
      amount_total: 12_000,
      currency: 'eur',
      presentment_details: { presentment_amount: 14_000, presentment_currency: 'usd' },
    },
  ],
])('a session can be paid with %s', async (_, charged, shown) => {
  const sandbox = await aSandbox();
  const { id } = await read<Session>(await createSession(sandbox));
  expect(sandbox.pay(id, { charged })).toBe(true);
  expect(sandbox.state().sessions[0]).toMatchObject({ payment_status: 'paid', ...shown });
});

test('the list is narrowed by e-mail, time and status, page by page; an unknown filter is refused', async () => {
  let now = Date.parse('2026-03-02T09:00:00Z');
  const sandbox = await aSandbox({ now: () => now });
  const base = `${sandbox.paymentUrl}/v1/checkout/sessions`;
  const mine = `${SESSION}&customer_email=ada%40example.org`;
  const old = await read<Session>(await createSession(sandbox, undefined, mine));
  now += 60_000;
  const paid = await read<Session>(await createSession(sandbox, undefined, mine));
  const open = await read<Session>(await createSession(sandbox, undefined, mine));
  const other = `${SESSION}&customer_email=other%40example.org`;
  const others = await read<Session>(await createSession(sandbox, undefined, other));
  sandbox.pay(paid.id);
  const list = async (filters: Record<string, string>) => {
    const page = await fetch(`${base}?${String(new URLSearchParams(filters))}`, AUTH);
    const { data, has_more } = await read<{ data: Session[]; has_more: boolean }>(page);
    return { ids: data.map(({ id }) => id), has_more };
  };
  const email = { 'customer_details[email]': 'ada@example.org' };

  // What was never completed has no address.
  expect(await list(email)).toEqual({ ids: [paid.id], has_more: false });
  const since = { 'created[gte]': String(now / 1000) };
  expect(await list(since)).toEqual({ ids: [others.id, open.id, paid.id], has_more: false });
  expect(await list({ ...since, limit: '2' })).toEqual({ ids: [others.id, open.id], has_more: true });
  expect(await list({ ...since, starting_after: open.id })).toEqual({ ids: [paid.id], has_more: false });
  expect((await list({})).ids).toContain(old.id);
  expect(await list({ ...email, status: 'complete' })).toEqual({ ids: [paid.id], has_more: false });
  expect((await fetch(`${base}?email=x`, AUTH)).status).toBe(400);
});

describe('idempotency keys', () => {
  test('a key is kept for a day; then it makes a new session', async () => {
    let now = Date.now();
    const sandbox = await aSandbox({ now: () => now });
    const first = await read<Session>(await createSession(sandbox, 'key'));
    now += 24 * 3600_000 - 1;
    expect(await read(await createSession(sandbox, 'key'))).toMatchObject({ id: first.id });
    now += 1;
    expect((await read<Session>(await createSession(sandbox, 'key'))).id).not.toBe(first.id);
  });

  test('the same key with other parameters is an idempotency error', async () => {
    const sandbox = await aSandbox();
    await createSession(sandbox, 'key');
    const other = await createSession(sandbox, 'key', SESSION.replace('12000', '13000'));
    expect(other.status).toBe(400);
    expect((await read<Refusal>(other)).error.type).toBe('idempotency_error');
  });

  test('a second call while the first is running answers 409', async () => {
    const sandbox = await aSandbox({
      faults: [{ target: 'payment', kind: 'delay', times: 1, delayMs: 150 }],
    });
    const answers = await Promise.all([createSession(sandbox, 'key'), createSession(sandbox, 'key')]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(sandbox.state().sessions).toHaveLength(1);
  });

  test('validation errors are not stored, a 500 of the work itself is', async () => {
    const sandbox = await aSandbox();
    expect((await createSession(sandbox, 'one', 'mode=payment')).status).toBe(400);
    expect((await createSession(sandbox, 'one')).status).toBe(200);

    sandbox.faults.add('payment.create:500_stored:1');
    expect((await createSession(sandbox, 'two')).status).toBe(500);
    expect((await createSession(sandbox, 'two')).status).toBe(500);
    expect((await createSession(sandbox, 'three')).status).toBe(200);
  });
});

test.each([
  ['mode', SESSION.replace('mode=payment', ''), 'parameter_missing'],
  ['line_items', 'mode=payment', 'parameter_missing'],
  ['line_items[0][price_data][unit_amount]', SESSION.replace('12000', '12.5'), 'parameter_invalid_integer'],
  ['amount', `${SESSION}&amount=1`, 'parameter_unknown'],
  ['payment_method_types', `${SESSION}&payment_method_types[0]=card`, 'parameter_unknown'],
])('a wrong %s is refused by name', async (param, body, code) => {
  const sandbox = await aSandbox();
  const answer = await createSession(sandbox, undefined, body);
  expect(answer.status).toBe(400);
  expect((await read<Refusal>(answer)).error).toMatchObject({ type: 'invalid_request_error', code, param });
});

const priced = (amount: number, currency: string) =>
  SESSION.replace('12000', String(amount)).replace('eur', currency);

test.each([
  [49, 'eur'],
  [49, 'jpy'],
  [17_499, 'huf'],
])('less than the least charge is refused: %i %s', async (amount, currency) => {
  const sandbox = await aSandbox();
  const answer = await createSession(sandbox, undefined, priced(amount, currency));
  expect(answer.status).toBe(400);
  expect((await read<Refusal>(answer)).error.code).toBe('amount_too_small');
  expect((await createSession(sandbox, undefined, priced(amount + 1, currency))).status).toBe(200);
});

test.each([
  [15_050, 'isk', 15_000],
  [12_345, 'ugx', 12_300],
  [12_345, 'kwd', 12_340],
])('%i %s is no multiple of the currency’s step and refused', async (amount, currency, whole) => {
  const sandbox = await aSandbox();
  const answer = await createSession(sandbox, undefined, priced(amount, currency));
  expect(answer.status).toBe(400);
  expect((await read<Refusal>(answer)).error.param).toBe('line_items[0][price_data][unit_amount]');
  expect((await createSession(sandbox, undefined, priced(whole, currency))).status).toBe(200);
});

test('a wrong key and a time to expire that is too near are refused', async () => {
  const sandbox = await aSandbox({ paymentKey: 'another' });
  expect((await createSession(sandbox)).status).toBe(401);
  const second = await aSandbox();
  const soon = Math.floor(Date.now() / 1000) + 60;
  expect((await createSession(second, undefined, `${SESSION}&expires_at=${soon}`)).status).toBe(400);
});
