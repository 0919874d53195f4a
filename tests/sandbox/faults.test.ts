import { describe, expect, test } from 'vitest';
import { FaultList, parseFault } from '../../sandbox/faults.js';
import { seededRandom } from '../../sandbox/seeded.js';
import type { Sandbox } from '../../sandbox/start.js';
import {
  aContractPdf,
  anOngoing,
  aSandbox,
  api,
  createSession,
  read,
  SESSION,
  uploadForm,
} from './support.js';

const list = (sandbox: Sandbox): Promise<Response> => api(sandbox, '/signature_requests');

function sessions(sandbox: Sandbox, rest: string): Promise<Response> {
  const headers = { Authorization: 'Bearer sandbox-payment-key' };
  return fetch(`${sandbox.paymentUrl}/v1/checkout/sessions${rest}`, { headers });
}

describe('provider calls', () => {
  test.each(['401', '404', '429', '500', '503'])(
    '%s is answered as often as asked, then all is well',
    async (kind) => {
      const sandbox = await aSandbox({ faults: [`signature:${kind}:2`, `payment:${kind}:1`] });
      const statuses = [
        (await list(sandbox)).status,
        (await list(sandbox)).status,
        (await list(sandbox)).status,
      ];
      const payments = [
        (await createSession(sandbox, 'key')).status,
        (await createSession(sandbox, 'key')).status,
      ];

      expect(statuses).toEqual([Number(kind), Number(kind), 200]);
      expect(payments).toEqual([Number(kind), 200]);
      expect(sandbox.state().counters.calls).toMatchObject({ 'signature.list': 3, 'payment.create': 2 });
    },
  );

  test.each([
    ['400', 400, { type: 'validation.error', detail: 'You have some invalid params in your payload.' }],
    ['401', 401, { type: 'about:blank' }],
    ['403', 403, { type: 'configuration.not_enabled' }],
    ['404', 404, { type: 'signature_request.not_found' }],
    ['404_resource', 404, { type: 'resource.not_found' }],
    ['404_blank', 404, { type: 'about:blank', detail: 'The requested resource was not found.' }],
    ['405', 405, { message: 'Method not allowed' }],
    ['422', 422, { message: 'Unprocessable' }],
    ['429', 429, { message: 'API rate limit exceeded' }],
    ['500', 500, { type: 'about:blank', detail: 'Something wrong occurred.' }],
  ])('%s of the signature provider has its documented body', async (kind, status, body) => {
    const sandbox = await aSandbox({ faults: [`signature:${kind}:1`] });
    const answer = await list(sandbox);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(await read(answer)).toMatchObject(body);
  });

  test('403 of the payment provider is a key without permission', async () => {
    const sandbox = await aSandbox({ faults: ['payment:403:1'] });
    const answer = await createSession(sandbox, 'key');
    expect(answer.status).toBe(403);
    expect(await read(answer)).toMatchObject({ error: { type: 'invalid_request_error' } });
  });

  test('a cut connection is seen by in-process calls too', async () => {
    const sandbox = await aSandbox({ faults: ['signature:reset:1'] });
    await expect(sandbox.fetch(`${sandbox.apiUrl}/signature_requests`)).rejects.toThrow('fetch failed');
    expect((await sandbox.fetch(`${sandbox.apiUrl}/signature_requests`)).status).toBe(401);
  });

  test('timeout never answers, and does not keep the sandbox from closing', async () => {
    const sandbox = await aSandbox({ faults: ['signature:timeout'] });
    const impatient = api(sandbox, '/signature_requests', { signal: AbortSignal.timeout(50) });
    await expect(impatient).rejects.toThrow(/timeout|aborted/i);
    const outcome = list(sandbox).catch((error: unknown) => error);
    await expect.poll(() => sandbox.state().counters.calls['signature.list']).toBe(2);
    await sandbox.close();
    expect(await outcome).toMatchObject({ message: 'fetch failed' });
  });

  test('a fault about one thing spares all others, however the calls name it', async () => {
    const sandbox = await aSandbox();
    const one = await read<{ id: string }>(
      await createSession(sandbox, 'key 1', `${SESSION}&customer_email=zoe%40example.test`),
    );
    const other = await read<{ id: string }>(await createSession(sandbox, 'key 2'));
    const { id } = await anOngoing(sandbox);
    const session = async (which: string) => (await sessions(sandbox, `/${which}`)).status;
    const signature = async (path: string) => (await api(sandbox, `/signature_requests${path}`)).status;

    sandbox.faults.add(`payment.get~${one.id}:500`);
    expect([await session(one.id), await session(other.id)]).toEqual([500, 200]);
    sandbox.faults.clear();
    sandbox.faults.add('payment.get~zoe@example.test:500');
    expect([await session(one.id), await session(other.id)]).toEqual([500, 200]);
    // Its signer, its external id and its own id; the list is not about it.
    for (const about of ['zoe@example.test', 'contract-1', id]) {
      sandbox.faults.clear();
      sandbox.faults.add(`signature~${about}:503`);
      expect([await signature(`/${id}`), await signature('')]).toEqual([503, 200]);
    }
    expect(await signature(`?external_id[eq]=${id}`)).toBe(503);
    expect(
      (
        await api(sandbox, `/signature_requests/${id}/documents`, {
          method: 'POST',
          body: uploadForm(await aContractPdf()),
        })
      ).status,
    ).toBe(503);
  });

  /** Three things on each account, two of them to a page. */
  async function twoPages() {
    const sandbox = await aSandbox();
    for (const name of ['one', 'two', 'three']) {
      await api(sandbox, '/signature_requests', { json: { name, delivery_mode: 'none' } });
      await createSession(sandbox, name);
    }
    return sandbox;
  }

  /** The second page is asked for as often as that. */
  async function secondPage(sandbox: Sandbox, times: number): Promise<number[]> {
    type List = { meta: { next_cursor: string } };
    const { meta } = await read<List>(await api(sandbox, '/signature_requests?limit=2'));
    const statuses: number[] = [];
    for (let i = 0; i < times; i += 1)
      statuses.push((await api(sandbox, `/signature_requests?limit=2&after=${meta.next_cursor}`)).status);
    return statuses;
  }

  test('a fault strikes one page of a list only', async () => {
    const sandbox = await twoPages();
    const { data } = await read<{ data: { id: string }[] }>(await sessions(sandbox, '?limit=2'));
    sandbox.faults.add('signature.list@2:429:2');
    sandbox.faults.add('payment.list@2:500');
    expect(await secondPage(sandbox, 3)).toEqual([429, 429, 200]);
    expect((await sessions(sandbox, '?limit=2')).status).toBe(200);
    expect((await sessions(sandbox, `?limit=2&starting_after=${data[1]?.id}`)).status).toBe(500);
  });

  test('first_page: a list gives its first page again, always under another cursor', async () => {
    type List = { meta: { next_cursor: string }; data: { id: string }[] };
    const sandbox = await twoPages();
    sandbox.faults.add('signature.list:first_page');
    sandbox.faults.add('payment.list:first_page');
    const cursors = new Set<string>();
    const first = new Set<string | undefined>();
    for (let after = '', i = 0; i < 5; i += 1) {
      const page = await read<List>(await api(sandbox, `/signature_requests?limit=2${after}`));
      first.add(page.data[0]?.id);
      cursors.add(page.meta.next_cursor);
      after = `&after=${page.meta.next_cursor}`;
    }
    expect([first.size, cursors.size]).toEqual([1, 5]);
    type Sessions = { data: { id: string }[]; has_more: boolean };
    const all = await read<Sessions>(await sessions(sandbox, ''));
    const again = await read<Sessions>(await sessions(sandbox, `?starting_after=${all.data[2]?.id}`));
    expect(again).toEqual({ ...all, has_more: true });
  });
});

describe('the control API', () => {
  test('switches faults on by object or short text, lists and clears them', async () => {
    const sandbox = await aSandbox();
    const faults = `${sandbox.url}/_sandbox/faults`;
    const add = (body: object): Promise<Response> =>
      fetch(faults, { method: 'POST', body: JSON.stringify(body) });

    expect((await add({ target: 'pdf', kind: 'empty', times: 1 })).status).toBe(201);
    const { id } = await read<{ id: number }>(await add({ fault: 'payment:500:3' }));
    expect((await add({ fault: 'payment:nonsense' })).status).toBe(400);
    expect((await add({ nothing: true })).status).toBe(400);

    expect(await read(await fetch(faults))).toMatchObject([
      { target: 'pdf', kind: 'empty' },
      { id, target: 'payment', kind: '500', times: 3, struck: 0 },
    ]);
    expect((await fetch(`${faults}/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await fetch(`${faults}/${id}`, { method: 'DELETE' })).status).toBe(404);
    await fetch(faults, { method: 'DELETE' });
    expect(await read(await fetch(faults))).toEqual([]);
  });

  test('acts as customer and provider and shows everything', async () => {
    const sandbox = await aSandbox();
    const { id } = await anOngoing(sandbox);
    const session = await read<{ id: string }>(await createSession(sandbox, 'payment-1-1'));
    const act = async (path: string, body?: object): Promise<number> => {
      const sent = body ? { body: JSON.stringify(body) } : {};
      return (await fetch(`${sandbox.url}/_sandbox/${path}`, { method: 'POST', ...sent })).status;
    };

    expect(await act(`signature_requests/${id}/sign`, { completedAt: '2026-01-02T03:04:05Z' })).toBe(200);
    expect(await act(`signature_requests/${id}/sign`)).toBe(409);
    expect(await act('signature_requests/unknown/sign')).toBe(404);
    expect(await act(`sessions/${session.id}/pay`)).toBe(200);
    expect(await act(`sessions/${session.id}/expire`)).toBe(409);

    const state = await read<ReturnType<typeof sandbox.state>>(await fetch(`${sandbox.url}/_sandbox/state`));
    expect(state).toEqual(JSON.parse(JSON.stringify(sandbox.state())));
    expect(state.signatureRequests[0]).toMatchObject({
      status: 'done',
      completed_at: '2026-01-02T03:04:05+00:00',
    });
    expect(state.sessions[0]).toMatchObject({ payment_status: 'paid', idempotency_key: 'payment-1-1' });
    expect(state.counters.sessionsByKey).toEqual({ 'payment-1-1': 1 });
  });
});

test('a rate strikes by chance, and the same seed strikes the same calls', () => {
  const draw = (): boolean[] => {
    const faults = new FaultList(seededRandom(7));
    faults.add({ target: 'payment', kind: '500', rate: 0.5 });
    return Array.from({ length: 40 }, () => faults.take('payment') !== undefined);
  };
  const struck = draw();
  expect(draw()).toEqual(struck);
  expect(struck.filter(Boolean).length).toBeGreaterThan(8);
  expect(struck.filter(Boolean).length).toBeLessThan(32);
});

test('short texts name target, operation, page, subject, kind and times', () => {
  expect(parseFault('signature.activate:answer_lost:2')).toEqual({
    target: 'signature',
    operation: 'activate',
    kind: 'answer_lost',
    times: 2,
  });
  expect(parseFault('payment.list@2:429')).toEqual({
    target: 'payment',
    operation: 'list',
    page: 2,
    kind: '429',
  });
  expect(parseFault('payment~ada.l@example.org:500')).toEqual({
    target: 'payment',
    about: 'ada.l@example.org',
    kind: '500',
  });
  const faults = new FaultList(seededRandom(1));
  for (const bad of [
    '',
    'payment',
    'payment:500:0',
    'payment.list@0:500',
    'payment.list@x:500',
    'payment~:500',
    'payment:500:x',
    'nowhere:500',
    'a.b.c:500',
    'pdf:500',
    'pdf:empty:1:2',
  ]) {
    expect(() => faults.add(bad)).toThrow(RangeError);
  }
});
