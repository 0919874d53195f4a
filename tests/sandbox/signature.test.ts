import { PDF } from '@libpdf/core';
import { describe, expect, test } from 'vitest';
import { aContractPdf, aDraft, aSandbox, anOngoing, api, read, SIGNER, uploadForm } from './support.js';

type Request = {
  id: string;
  status: string;
  created_at: string;
  completed_at: string | null;
  external_id: string;
  decline_information: { reason: string } | null;
  signers: { id: string; status: string; signature_link: string; signature_link_expiration_date: string }[];
};
type List = { meta: { next_cursor: string | null }; data: Request[] };
type Problem = { type: string; detail: string; invalid_params: { name: string }[] };

const get = async (sandbox: Parameters<typeof api>[0], id: string): Promise<Request> =>
  read<Request>(await api(sandbox, `/signature_requests/${id}`));

describe('one contract', () => {
  test('cannot be activated without document, signer and place for the signature', async () => {
    const sandbox = await aSandbox();
    const { id } = await read<Request>(
      await api(sandbox, '/signature_requests', { json: { name: 'Bare', delivery_mode: 'none' } }),
    );
    const withoutPlace = await aDraft(sandbox, await aContractPdf('no anchor here'));

    const answers = await Promise.all(
      [id, withoutPlace].map((one) =>
        api(sandbox, `/signature_requests/${one}/activate`, { method: 'POST' }),
      ),
    );

    expect(answers.map((answer) => answer.status)).toEqual([400, 400]);
    expect((await read<Problem>(answers[0]!)).detail).toContain('a signable document, a signer');
    expect((await read<Problem>(answers[1]!)).detail).toContain('a signature field');
  });

  test('with a password is taken, but no signer is, until the provider knows the password', async () => {
    const sandbox = await aSandbox();
    const { id } = await read<Request>(
      await api(sandbox, '/signature_requests', { json: { name: 'Locked', delivery_mode: 'none' } }),
    );
    const pdf = await PDF.load(await aContractPdf());
    pdf.setProtection({ userPassword: 'open sesame' });
    const body = uploadForm(Buffer.from(await pdf.save()));

    const uploaded = await api(sandbox, `/signature_requests/${id}/documents`, { method: 'POST', body });
    const signer = await api(sandbox, `/signature_requests/${id}/signers`, { json: SIGNER });

    expect(await read(uploaded)).toMatchObject({ is_protected: true, is_locked: true, total_anchors: 0 });
    expect([uploaded.status, signer.status]).toEqual([201, 400]);
    expect((await read<Problem>(signer)).type).toBe('document.locked');
  });

  test('is not downloaded as completed before it is done', async () => {
    const sandbox = await aSandbox();
    const { id } = await anOngoing(sandbox);

    const answer = await api(sandbox, `/signature_requests/${id}/documents/download?version=completed`);

    expect(answer.status).toBe(400);
    expect((await read<Problem>(answer)).type).toBe(
      'document.unable_to_download_signature_request_not_in_done',
    );
  });
});

describe('states', () => {
  test('ongoing can be canceled, expired can be reactivated, ongoing cannot be deleted', async () => {
    const sandbox = await aSandbox();
    const [first, second] = [await anOngoing(sandbox), await anOngoing(sandbox)];
    const path = (id: string, action = ''): string => `/signature_requests/${id}${action}`;

    const refused = await api(sandbox, path(first.id), { method: 'DELETE' });
    const canceled = await api(sandbox, path(first.id, '/cancel'), {
      json: { reason: 'contractualization_aborted' },
    });
    const again = await api(sandbox, path(first.id, '/cancel'), { json: { reason: 'other' } });
    sandbox.expire(second.id);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const reactivated = await api(sandbox, path(second.id, '/reactivate'), {
      json: { expiration_date: tomorrow },
    });

    expect([refused.status, canceled.status, again.status, reactivated.status]).toEqual([400, 201, 400, 201]);
    expect((await get(sandbox, first.id)).status).toBe('canceled');
    expect((await get(sandbox, second.id)).status).toBe('ongoing');
  });

  test.each([
    ['Europe/Paris', '2026-03-05T22:59:59+00:00'],
    ['America/Los_Angeles', '2026-03-06T07:59:59+00:00'],
    ['Pacific/Kiritimati', '2026-03-05T09:59:59+00:00'],
  ])('the last day to sign ends when it ends in %s: the next look expires it', async (timezone, end) => {
    let now = Date.parse('2026-03-01T10:00:00Z');
    const sandbox = await aSandbox({ now: () => now });
    const day = { expiration_date: '2026-03-05', timezone };
    const [id, other] = [await aDraft(sandbox, undefined, day), await aDraft(sandbox, undefined, day)];
    for (const one of [id, other]) {
      await api(sandbox, `/signature_requests/${one}/activate`, { method: 'POST' });
    }
    expect(await get(sandbox, id)).toMatchObject({ expiration_date: end });

    now = Date.parse(end);
    expect((await get(sandbox, id)).status).toBe('ongoing');
    expect(sandbox.sign(other)).toBe(true);
    now += 1000;
    expect((await get(sandbox, id)).status).toBe('expired');
    expect(sandbox.sign(id)).toBe(false);
  });

  test('a time zone that does not exist is refused', async () => {
    const sandbox = await aSandbox();
    const json = { name: 'Contract', delivery_mode: 'none', timezone: 'Europe/Pariss' };
    expect((await api(sandbox, '/signature_requests', { json })).status).toBe(400);
  });

  test('a decline is reported with its reason, and a simulated time of signing is kept', async () => {
    const sandbox = await aSandbox();
    const [first, second] = [await anOngoing(sandbox), await anOngoing(sandbox)];
    sandbox.decline(first.id, { reason: 'Too dear' });
    sandbox.sign(second.id, { completedAt: '2026-01-02T03:04:05Z' });

    expect(await get(sandbox, first.id)).toMatchObject({
      status: 'declined',
      decline_information: { reason: 'Too dear' },
    });
    expect((await get(sandbox, second.id)).completed_at).toBe('2026-01-02T03:04:05+00:00');
    const signer = (await get(sandbox, second.id)).signers[0]?.id;
    const trail = await api(sandbox, `/signature_requests/${second.id}/signers/${signer}/audit_trails`);
    expect(await read(trail)).toMatchObject({
      signer: { signature_process_completed_at: '2026-01-02T03:04:05+00:00' },
    });

    const pdfOf = (id: string) => api(sandbox, `/signature_requests/${id}/audit_trails/download?merge=true`);
    sandbox.faults.add('audit_trail:not_ready:1');
    const late = await pdfOf(second.id);
    expect(late.status).toBe(400);
    expect((await read<Problem>(late)).type).toBe('audit_trail.not_ready_for_download');
    const pdf = Buffer.from(await (await pdfOf(second.id)).arrayBuffer());
    expect((await PDF.load(pdf)).getPages()[0]?.extractText().text).toContain('Audit trail of');
    expect((await pdfOf(first.id)).status).toBe(400);
  });
});

describe('what the provider refuses', () => {
  const REFUSED = ['Dr. Who', 'M. & Mme', 'a_b', ' Ann', 'Ann ', 'x,y', '', 'x'.repeat(256), 'A\u00a0B'];
  const OTHER_LETTERS = [
    'O’Brien',
    'Mʼbaye',
    'N´Diaye',
    'Nguyễn',
    'Þór',
    'Guðrún',
    'Əliyev',
    'José'.normalize('NFD'),
  ];
  const TAKEN = ["O'Brien", 'Ørsted', 'Șerban', 'İnci', 'José María (Pepe)', 'Jean  Pierre'];
  const address = (length: number) => `${'x'.repeat(length - '@example.test'.length)}@example.test`;

  test('names with other letters or signs, and an address of more than 100 characters', async () => {
    const sandbox = await aSandbox();
    const id = await aDraft(sandbox);
    const added = async (info: object): Promise<string | number | undefined> => {
      const json = { ...SIGNER, info: { ...SIGNER.info, ...info } };
      const answer = await api(sandbox, `/signature_requests/${id}/signers`, { json });
      return answer.status === 400 ? (await read<Problem>(answer)).invalid_params[0]?.name : answer.status;
    };
    for (const name of [...REFUSED, ...OTHER_LETTERS])
      for (const field of ['first_name', 'last_name'])
        expect([name, await added({ [field]: name })]).toEqual([name, `info.${field}`]);
    for (const name of TAKEN)
      expect([name, await added({ first_name: name, last_name: name })]).toEqual([name, 201]);
    expect([await added({ email: address(101) }), await added({ email: address(100) })]).toEqual([
      'info.email',
      201,
    ]);
  });

  test.each([
    'Ask anna@example.test',
    'See https://a.test/b',
    'www.a.test',
    'example.org',
    '<b>Now</b>',
    ' x',
    '',
  ])('the words "%s" as the name of a request or a note of its cancellation', async (words) => {
    const sandbox = await aSandbox();
    const named = { name: words, delivery_mode: 'none' };
    const { id } = await anOngoing(sandbox);
    const canceled = { reason: 'other', custom_note: words };
    const answers = [
      await api(sandbox, '/signature_requests', { json: named }),
      await api(sandbox, `/signature_requests/${id}/cancel`, { json: canceled }),
    ];
    const problems = await Promise.all(answers.map((answer) => read<Problem>(answer)));
    expect(problems).toMatchObject([
      { type: 'validation.error', invalid_params: [{ name: 'name' }] },
      { type: 'validation.error', invalid_params: [{ name: 'custom_note' }] },
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  });

  test('a name of more than 128 characters for a request or its document', async () => {
    const sandbox = await aSandbox();
    const create = (name: string) =>
      api(sandbox, '/signature_requests', { json: { name, delivery_mode: 'none' } });
    const { id } = await read<Request>(await create('x'.repeat(128)));
    const upload = async (name: string) => {
      const body = uploadForm(await aContractPdf(), { name });
      return api(sandbox, `/signature_requests/${id}/documents`, { method: 'POST', body });
    };
    const answers = [
      await create('x'.repeat(129)),
      await upload('x'.repeat(129)),
      await upload('x'.repeat(128)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 201]);
  });

  test('a wrong key, a past date, a bad external_id, broken JSON', async () => {
    const sandbox = await aSandbox();
    const create = { name: 'x', delivery_mode: 'email' };
    const answers = await Promise.all([
      api(sandbox, '/signature_requests', { headers: { Authorization: 'Bearer wrong' } }),
      api(sandbox, '/signature_requests', { json: { ...create, expiration_date: '2020-01-01' } }),
      api(sandbox, '/signature_requests', { json: { ...create, external_id: 'a b' } }),
      api(sandbox, '/signature_requests', { method: 'POST', body: '{' }),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([401, 400, 400, 400]);
    const problems = await Promise.all(answers.map((answer) => read<Problem>(answer)));
    expect(problems.map(({ type }) => type)).toEqual([
      'about:blank',
      'validation.error',
      'validation.error',
      'parameters_not_valid',
    ]);
  });

  test('a method that a path does not take: 405 with a message', async () => {
    const sandbox = await aSandbox();
    const id = await aDraft(sandbox);
    for (const path of ['/signature_requests', `/signature_requests/${id}/activate`]) {
      const answer = await api(sandbox, path, { method: 'PUT' });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(await answer.json()).toEqual({ message: expect.any(String) });
    }
  });

  test('more calls than the limit: 429 with a message and the seconds to wait', async () => {
    const sandbox = await aSandbox({ rateLimit: { minute: 2, hour: 100 } });
    const call = (): Promise<Response> => api(sandbox, '/signature_requests');
    const first = await call();
    await call();
    const third = await call();

    expect(first.headers.get('x-ratelimit-remaining-minute')).toBe('1');
    expect(first.headers.get('ratelimit-limit')).toBe('2');
    expect(first.headers.get('ratelimit-remaining')).toBe('1');
    expect(third.status).toBe(429);
    expect(Number(third.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
    expect(third.headers.get('retry-after')).toBe(third.headers.get('ratelimit-reset'));
    expect(await read(third)).toEqual({ message: 'API rate limit exceeded' });
  });
});

test('the list filters by status and external id, and its pages never repeat a request', async () => {
  const sandbox = await aSandbox();
  const json = { name: 'Listed', delivery_mode: 'none' };
  for (let number = 1; number <= 5; number += 1) {
    await api(sandbox, '/signature_requests', { json: { ...json, external_id: `contract-${number}` } });
  }
  const { id } = await anOngoing(sandbox);
  const list = async (query: string): Promise<List> =>
    read<List>(await api(sandbox, `/signature_requests?${query}`));

  expect((await list('status[in]=ongoing,done')).data.map((one) => one.id)).toEqual([id]);
  expect((await list('external_id[eq]=contract-3')).data).toHaveLength(1);
  expect((await list('created_at[before]=2020-01-01')).data).toHaveLength(0);

  const seen: string[] = [];
  let after: string | null = '';
  while (after !== null) {
    const page: List = await list(`limit=2${after && `&after=${after}`}`);
    seen.push(...page.data.map((one) => one.id));
    after = page.meta.next_cursor;
  }
  expect([seen.length, new Set(seen).size]).toEqual([6, 6]);
});
