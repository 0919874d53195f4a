/** The signature provider's side of the wire (rules 2): what it is asked, word for word, and what its answers mean. */
import { describe, expect, test } from 'vitest';
import { isNotReady, SignatureProvider } from '../../../src/core/signature/provider.js';
import { rejection } from '../../support/app.js';
import { aReceiver, inTurn, type JsonAnswer } from '../../support/receiver.js';
import { openFile } from '../../support/open-file.js';

/** A provider that gives these answers in turn. */
async function answering(...answers: [JsonAnswer, ...JsonAnswer[]]) {
  const receiver = await aReceiver(inTurn(...answers));
  const options = { baseUrl: receiver.url, apiKey: () => 'key', repeatAfterMs: 1 };
  return { provider: new SignatureProvider(options), calls: receiver.received };
}

/** An id that would break a path. */
const ID = 'a/b?';
const KNOWN = { signId: ID, externalId: 'name-1' };
const SIGNER = 'c/d?';
const PATH = '/signature_requests/a%2Fb%3F';
const SIGNER_PATH = `${PATH}/signers/c%2Fd%3F`;

const NEW = {
  name: 'REQ-1',
  externalId: 'name-1',
  expirationDate: '2026-04-01',
  timeZone: 'Europe/Paris',
  locale: 'fr',
} as const;
const ADA = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', phone: '+33600000000' };
const INFO = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' };
const LEVEL = { signature_level: 'electronic_signature', signature_authentication_mode: 'no_otp' };
const LINK = {
  id: SIGNER,
  signature_link: 'https://sign.example.org/1',
  signature_link_expiration_date: '2026-03-04T10:00:00+01:00',
};
const OUR_LINK = {
  signerId: SIGNER,
  signUrl: 'https://sign.example.org/1',
  expiresAt: '2026-03-04T09:00:00.000Z',
};
const STATE = { id: ID, status: 'ongoing' };
const LISTED = { ...STATE, external_id: 'name-1' };
const OTHER = { ...LISTED, id: 'other' };
const OUR_STATE = {
  signId: ID,
  status: 'ongoing',
  signedAt: null,
  externalId: null,
  createdAt: null,
  name: null,
  lastMoment: null,
  signers: [],
  documents: [],
  declineReason: null,
};
const PDF = Buffer.from('%PDF-1.7');
const text = async (pieces: AsyncIterable<Uint8Array>) => {
  let all = '';
  for await (const piece of pieces) all += Buffer.from(piece).toString();
  return all;
};

interface Call {
  title: string;
  ask: (provider: SignatureProvider) => Promise<unknown>;
  answer: unknown;
  asked: [method: string, path: string, body?: unknown];
  told: unknown;
  /** After a 503. */
  isRepeated: boolean;
}

const CALLS: Call[] = [
  {
    title: 'a draft',
    ask: (provider) => provider.createRequest(NEW),
    answer: { id: ID },
    asked: [
      'POST',
      '/signature_requests',
      {
        name: 'REQ-1',
        delivery_mode: 'email',
        external_id: 'name-1',
        expiration_date: '2026-04-01',
        timezone: 'Europe/Paris',
        signers_allowed_to_decline: true,
        audit_trail_locale: 'fr',
      },
    ],
    told: ID,
    isRepeated: false,
  },
  {
    title: 'a draft with reminders',
    ask: (provider) =>
      provider.createRequest({ ...NEW, reminders: { intervalInDays: 7, maxOccurrences: 3 } }),
    answer: { id: ID },
    asked: [
      'POST',
      '/signature_requests',
      expect.objectContaining({ reminder_settings: { interval_in_days: 7, max_occurrences: 3 } }),
    ],
    told: ID,
    isRepeated: false,
  },
  {
    title: 'the document of a draft',
    ask: (provider) => provider.getDocument(ID),
    answer: [{ id: 'd1', total_anchors: 1 }, { id: 'd2' }],
    asked: ['GET', `${PATH}/documents`],
    told: { documentId: 'd1', totalAnchors: 1 },
    isRepeated: true,
  },
  {
    title: 'the document of a draft without one',
    ask: (provider) => provider.getDocument(ID),
    answer: [],
    asked: ['GET', `${PATH}/documents`],
    told: undefined,
    isRepeated: true,
  },
  {
    title: 'a signer',
    ask: (provider) => provider.addSigner(ID, { ...ADA, locale: 'fr' }),
    answer: { id: SIGNER },
    asked: [
      'POST',
      `${PATH}/signers`,
      { info: { ...INFO, phone_number: '+33600000000', locale: 'fr' }, ...LEVEL },
    ],
    told: SIGNER,
    isRepeated: false,
  },
  {
    title: 'a signer without a telephone, at a place without an anchor',
    ask: (provider) =>
      provider.addSigner(
        ID,
        { ...ADA, phone: null, locale: 'en' },
        { documentId: 'd1', page: 2, x: 70, y: 600, width: 85, height: 37 },
      ),
    answer: { id: SIGNER },
    asked: [
      'POST',
      `${PATH}/signers`,
      {
        info: { ...INFO, locale: 'en' },
        ...LEVEL,
        fields: [{ document_id: 'd1', type: 'signature', page: 2, x: 70, y: 600, width: 85, height: 37 }],
      },
    ],
    told: SIGNER,
    isRepeated: false,
  },
  {
    title: 'the mail to the customer',
    ask: (provider) => provider.activate(ID),
    answer: { signers: [LINK], expiration_date: '2026-04-01T23:59:59+02:00' },
    asked: ['POST', `${PATH}/activate`, {}],
    told: { link: OUR_LINK, lastMoment: '2026-04-01T21:59:59.000Z' },
    isRepeated: false,
  },
  {
    title: 'the mail to the customer, with another signer there: whose link it is is not said',
    ask: (provider) => provider.activate(ID),
    answer: { signers: [LINK, LINK] },
    asked: ['POST', `${PATH}/activate`, {}],
    told: { link: undefined, lastMoment: null },
    isRepeated: false,
  },
  {
    title: 'a signer’s details and link',
    ask: (provider) => provider.getSigner(ID, SIGNER),
    answer: { ...LINK, info: { ...INFO, phone_number: '+33600000000', locale: 'fr' } },
    asked: ['GET', SIGNER_PATH],
    told: { ...ADA, locale: 'fr', link: OUR_LINK },
    isRepeated: true,
  },
  {
    title: 'a signer whose link is over',
    ask: (provider) => provider.getSigner(ID, SIGNER),
    answer: { id: SIGNER, signature_link: null, info: { email: 'ada@example.org' } },
    asked: ['GET', SIGNER_PATH],
    told: { email: 'ada@example.org', phone: null, link: undefined },
    isRepeated: true,
  },
  {
    title: 'a signer’s correction',
    ask: (provider) => provider.updateSigner(ID, SIGNER, { ...ADA, phone: null, locale: 'fr' }),
    answer: { ...LINK, info: { email: 'ada@example.org' } },
    asked: ['PATCH', SIGNER_PATH, { info: { ...INFO, phone_number: null, locale: 'fr' } }],
    told: OUR_LINK,
    isRepeated: true,
  },
  {
    title: 'a reminder',
    ask: (provider) => provider.sendReminder(ID, SIGNER),
    answer: {},
    asked: ['POST', `${SIGNER_PATH}/send_reminder`, {}],
    told: undefined,
    isRepeated: false,
  },
  {
    title: 'a status, in as few words as possible',
    ask: (provider) => provider.getSignatureStatus(KNOWN),
    answer: STATE,
    asked: ['GET', PATH],
    told: OUR_STATE,
    isRepeated: true,
  },
  {
    title: 'a status with everything',
    ask: (provider) => provider.getSignatureStatus(KNOWN),
    answer: {
      ...STATE,
      status: 'declined',
      external_id: 'name-1',
      created_at: '2026-03-02T10:14:07+01:00',
      name: 'REQ-1',
      completed_at: '2026-03-03T00:00:00Z',
      expiration_date: '2026-04-01T23:59:59Z',
      signers: [{ id: SIGNER, status: 'signed' }, { id: 'another' }],
      documents: [{ id: 'd1' }],
      decline_information: { reason: 'too dear' },
    },
    asked: ['GET', PATH],
    told: {
      signId: ID,
      status: 'declined',
      signedAt: '2026-03-03T00:00:00.000Z',
      externalId: 'name-1',
      createdAt: '2026-03-02T09:14:07.000Z',
      name: 'REQ-1',
      lastMoment: '2026-04-01T23:59:59.000Z',
      signers: [
        { id: SIGNER, status: 'signed' },
        { id: 'another', status: 'unknown' },
      ],
      documents: [{ id: 'd1' }],
      declineReason: 'too dear',
    },
    isRepeated: true,
  },
  {
    title: 'the beginning of the list',
    ask: (provider) => provider.listSignatures(),
    answer: { data: [STATE] },
    asked: ['GET', '/signature_requests?limit=100'],
    told: { signatures: [OUR_STATE], nextCursor: undefined, waitMs: 0 },
    isRepeated: true,
  },
  {
    title: 'its continuation',
    ask: (provider) => provider.listSignatures('c1'),
    answer: { meta: { next_cursor: 'c2' }, data: [] },
    asked: ['GET', '/signature_requests?limit=100&after=c1'],
    told: { signatures: [], nextCursor: 'c2', waitMs: 0 },
    isRepeated: true,
  },
  {
    title: 'a cancellation',
    ask: (provider) => provider.cancel(KNOWN, 'a reset'),
    answer: { id: ID },
    asked: ['POST', `${PATH}/cancel`, { reason: 'contractualization_aborted', custom_note: 'a reset' }],
    told: undefined,
    isRepeated: false,
  },
  {
    title: 'the end of a draft, for good',
    ask: (provider) => provider.deleteDraft(ID),
    answer: {},
    asked: ['DELETE', `${PATH}?permanent_delete=true`],
    told: undefined,
    isRepeated: true,
  },
  {
    title: 'the signed PDF',
    ask: (provider) => provider.downloadDocument(ID, text),
    answer: 'a PDF',
    asked: ['GET', `${PATH}/documents/download?version=completed`],
    told: '"a PDF"',
    isRepeated: true,
  },
  {
    title: 'the audit trail of all signers',
    ask: (provider) => provider.downloadAuditTrail(ID, text),
    answer: 'a PDF',
    asked: ['GET', `${PATH}/audit_trails/download?merge=true`],
    told: '"a PDF"',
    isRepeated: true,
  },
  {
    title: 'the audit trail of one signer',
    ask: (provider) => provider.streamAuditTrail(ID, SIGNER, text),
    answer: {},
    asked: ['GET', `${SIGNER_PATH}/audit_trails`],
    told: '{}',
    isRepeated: true,
  },
];

test.each(CALLS)('$title', async ({ ask, answer, asked, told }) => {
  const { provider, calls } = await answering({ json: answer });
  expect(await ask(provider)).toEqual(told);
  expect(calls.map(({ method, path, body }) => [method, path, ...(body ? [JSON.parse(body)] : [])])).toEqual([
    asked,
  ]);
  const [{ headers } = { headers: {} }] = calls;
  expect(headers).toMatchObject({
    authorization: 'Bearer key',
    accept: told === '"a PDF"' ? 'application/pdf' : 'application/json',
    ...(asked.length === 3 && { 'content-type': 'application/json' }),
  });
});

test.each(CALLS)('$title: asked again after a 503 only if that does no harm', async ({ ask, isRepeated }) => {
  const { provider, calls } = await answering({ status: 503, json: {} });
  expect(await rejection(ask(provider))).toMatchObject({ reason: 'unavailable' });
  expect(calls).toHaveLength(isRepeated ? 3 : 1);
});

test('an interim answer that nobody asked for is skipped', async () => {
  const receiver = await aReceiver((_, response) => {
    response.writeContinue();
    response.writeProcessing();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(STATE));
  });
  const provider = new SignatureProvider({ baseUrl: receiver.url, apiKey: () => 'key' });

  expect(await provider.getSignatureStatus({ ...KNOWN, externalId: null })).toEqual(OUR_STATE);
  expect(receiver.received).toHaveLength(1);
});

describe('a status', () => {
  const notFound = (type: string) => ({ status: 404, json: { type, detail: 'no' } });

  test('of another signature is none', async () => {
    const { provider } = await answering({ json: { ...STATE, id: 'other' } });
    expect(await rejection(provider.getSignatureStatus(KNOWN))).toMatchObject({ reason: 'unavailable' });
  });

  describe.each(['signature_request.not_found', 'resource.not_found', 'about:blank'])('404 %s', (type) => {
    test('is "not found" if the list, asked at once, does not hold it either', async () => {
      const { provider, calls } = await answering(notFound(type), { json: { data: [OTHER] } });
      expect(await rejection(provider.getSignatureStatus(KNOWN))).toMatchObject({ reason: 'not_found' });
      expect(calls.map(({ path }) => path)).toEqual([
        PATH,
        '/signature_requests?external_id%5Beq%5D=name-1&limit=100',
      ]);
    });

    test('is overruled by the list that holds it', async () => {
      const { provider } = await answering(notFound(type), { json: { data: [OTHER, LISTED] } });
      expect(await provider.getSignatureStatus(KNOWN)).toMatchObject({ signId: ID, status: 'ongoing' });
    });

    test('is none if the list is not found either: the address is wrong', async () => {
      const { provider } = await answering(notFound(type));
      expect(await rejection(provider.getSignatureStatus(KNOWN))).toMatchObject({
        reason: 'unavailable',
        message: 'signature provider answered 404 (no)',
      });
    });

    test('is none if the list refuses, whose refusal is told', async () => {
      const { provider } = await answering(notFound(type), { status: 401, json: {} });
      expect(await rejection(provider.getSignatureStatus(KNOWN))).toMatchObject({
        reason: 'unauthorized',
        message: 'signature provider refuses the API key: it answered 401',
      });
    });
  });

  test('of an unknown name is looked for in the newest of the list', async () => {
    const { provider, calls } = await answering(notFound('resource.not_found'), { json: { data: [STATE] } });
    expect(await provider.getSignatureStatus({ signId: ID, externalId: null })).toMatchObject({ signId: ID });
    expect(calls.map(({ path }) => path)).toEqual([PATH, '/signature_requests?limit=100']);
  });
});

describe('the contract', () => {
  test('is uploaded once, with its name and the wish to find its anchors', async () => {
    const { provider, calls } = await answering({ status: 503, json: {} }, { json: { id: 'd1' } });
    await rejection(provider.uploadDocument(ID, await openFile(PDF), 'contract.pdf'));
    expect(calls).toHaveLength(1);
    const told = await provider.uploadDocument(ID, await openFile(PDF), 'contract.pdf');
    expect(told).toEqual({ documentId: 'd1', totalAnchors: 0 });
    expect(calls[1]).toMatchObject({ method: 'POST', path: `${PATH}/documents` });
    const parts = calls[1]?.body.split(/--[-\w]+\r\n/).map((part) => part.split('\r\n').filter(Boolean));
    expect(parts).toMatchObject([
      [],
      ['Content-Disposition: form-data; name="nature"', 'signable_document'],
      ['Content-Disposition: form-data; name="parse_anchors"', 'true'],
      [
        'Content-Disposition: form-data; name="file"; filename="contract.pdf"',
        'Content-Type: application/pdf',
        '%PDF-1.7',
      ],
      [],
    ]);
  });
});

describe('the last moment to sign is named only by a time of day', () => {
  test.each([
    ['2026-04-01T23:59:59Z', '2026-04-01T23:59:59.000Z'],
    ['2026-04-01T00:00:01Z', '2026-04-01T00:00:01.000Z'],
    ['2026-04-01T00:01:00.5Z', '2026-04-01T00:01:00.500Z'],
    ['2026-04-01T00:00:00+02:00', '2026-03-31T22:00:00.000Z'],
    ['2026-04-01', null],
    ['2026-04-01T00:00:00Z', null],
    ['2026-04-01T00:00:00.000Z', null],
    ['2026-04-01T00:00:00+00:00', null],
    ['2026-04-01T00:00:00+0000', null],
    ['2026-04-01T00:00Z', null],
    ['2026-04-01T00:00:00', null],
    ['soon, at T9', null],
    ['', null],
    [7, null],
    [null, null],
  ])('%s: %s', async (expiration_date, lastMoment) => {
    const { provider } = await answering({ json: { ...STATE, expiration_date } });
    expect(await provider.getSignatureStatus(KNOWN)).toMatchObject({ lastMoment });
  });
});

describe('a link', () => {
  test.each(['javascript:alert(1)', 'ftp://sign.example.org/', 'see https://sign.example.org/', '//x'])(
    'that is no web address, like %s, is refused',
    async (signature_link) => {
      const { provider } = await answering({
        json: { ...LINK, signature_link, info: { email: 'ada@example.org' } },
      });
      expect(await rejection(provider.getSigner(ID, SIGNER))).toMatchObject({ reason: 'unavailable' });
    },
  );

  test('may be of http, in a test installation, and may say no end', async () => {
    const json = { id: SIGNER, signature_link: 'http://127.0.0.1/1', info: { email: 'a@example.org' } };
    const { provider } = await answering({ json });
    expect(await provider.getSigner(ID, SIGNER)).toMatchObject({
      link: { signUrl: 'http://127.0.0.1/1', expiresAt: null },
    });
  });
});

describe('the signers’ addresses', () => {
  const TWO = {
    ...STATE,
    signers: [
      { id: SIGNER, status: 'notified' },
      { id: 'another', status: 'signed' },
    ],
  };
  const email = { json: { ...LINK, info: { email: 'ada@example.org' } } };
  const refused = { status: 400, json: { type: 'no', detail: 'no' } };

  /** In parallel, so by path. */
  async function known(signer: JsonAnswer) {
    const receiver = await aReceiver(({ path }, response) => {
      const { status = 200, json } = path.includes('/signers/') ? signer : { json: TWO };
      response.writeHead(status).end(JSON.stringify(json));
    });
    const options = { baseUrl: receiver.url, apiKey: () => 'key', repeatAfterMs: 1 };
    return { provider: new SignatureProvider(options), calls: receiver.received };
  }

  test('a known signer’s comes with the status', async () => {
    const { provider } = await known(email);
    expect((await provider.getSignatureWithSigner(KNOWN, SIGNER)).signers).toEqual([
      { id: SIGNER, status: 'notified', email: 'ada@example.org' },
      { id: 'another', status: 'signed' },
    ]);
  });

  test('without it the status is told all the same', async () => {
    const { provider } = await known(refused);
    expect((await provider.getSignatureWithSigner(KNOWN, SIGNER)).signers).toEqual(TWO.signers);
  });

  test('an unknown signer is not asked for', async () => {
    const { provider, calls } = await known(email);
    expect((await provider.getSignatureWithSigner(KNOWN, null)).signers).toEqual(TWO.signers);
    expect(calls).toHaveLength(1);
  });

  test('all of them are asked for, and none twice', async () => {
    const { provider, calls } = await answering(email);
    const state = {
      ...OUR_STATE,
      signers: [{ id: SIGNER, status: 'x', email: 'b@example.org' }, TWO.signers[1]!],
    };
    expect((await provider.withEmails(state)).signers).toEqual([
      { id: SIGNER, status: 'x', email: 'b@example.org' },
      { id: 'another', status: 'signed', email: 'ada@example.org' },
    ]);
    expect(calls).toHaveLength(1);
  });

  test.each([
    ['not found', { status: 404, json: { type: 'signer.not_found', detail: 'no' } }, 'unavailable'],
    ['refused', refused, 'rejected'],
    ['forbidden', { status: 401, json: {} }, 'unauthorized'],
  ])('a signer that is %s proves nothing about the signature', async (_, answer, reason) => {
    const { provider } = await answering(answer);
    const state = { ...OUR_STATE, signers: TWO.signers };
    expect(await rejection(provider.withEmails(state))).toMatchObject({ reason });
  });
});

describe('what bears our name', () => {
  const named = (id: string, external_id: string | null = 'name-1') => ({ id, status: 'draft', external_id });
  const page = (next_cursor: string | null, ...data: unknown[]) => ({
    json: { meta: { next_cursor }, data },
  });

  test('is found on all pages, by that name alone', async () => {
    const { provider, calls } = await answering(
      page('c1', named('1'), named('2', 'other'), named('3', null)),
      page(null, named('4')),
    );
    expect((await provider.findByExternalId('name-1')).map(({ signId }) => signId)).toEqual(['1', '4']);
    expect(calls.map(({ path }) => decodeURIComponent(path))).toEqual([
      '/signature_requests?external_id[eq]=name-1&limit=100',
      '/signature_requests?external_id[eq]=name-1&limit=100&after=c1',
    ]);
  });

  test('is found by a provider that repeats its pages without end, always under a new cursor', async () => {
    const { provider, calls } = await answering(
      page('c1', named('1')),
      page('c2', named('1'), named('2')),
      page('c3', named('1')),
    );
    expect((await provider.findByExternalId('name-1')).map(({ signId }) => signId)).toEqual(['1', '2']);
    expect(calls).toHaveLength(3);
  });
});

describe('the pace of the list', () => {
  const left = (minute: number, hour: number, reset?: string) => ({
    'x-ratelimit-remaining-minute': String(minute),
    'x-ratelimit-remaining-hour': String(hour),
    ...(reset && { 'ratelimit-reset': reset }),
  });

  test.each([
    [left(3, 3, '7'), 0],
    [left(2, 100, '7'), 7_000],
    [left(100, 2, '7'), 7_000],
    [left(2, 2), 60_000],
    [left(0, 0, '0'), 60_000],
    [{ 'x-ratelimit-remaining-minute': '1', 'ratelimit-reset': '5' }, 5_000],
    [{ 'x-ratelimit-remaining-hour': '1', 'ratelimit-reset': '5' }, 5_000],
  ])('%o: %d ms', async (headers, waitMs) => {
    const { provider } = await answering({ headers, json: { data: [] } });
    expect(await provider.listSignatures()).toMatchObject({ waitMs });
  });
});

describe('a cancellation whose answer is not in the provider’s form', () => {
  test.each(['canceled', 'done', 'deleted'])('is one when it is %s there', async (status) => {
    const { provider, calls } = await answering({ json: { id: 'other' } }, { json: { ...STATE, status } });
    await provider.cancel(KNOWN, 'a reset');
    expect(calls).toHaveLength(2);
  });

  test.each(['ongoing', 'approval'])('is none while it is %s there', async (status) => {
    const { provider } = await answering({ json: {} }, { json: { ...STATE, status } });
    expect(await rejection(provider.cancel(KNOWN, 'a reset'))).toMatchObject({ reason: 'unavailable' });
  });
});

describe('a look', () => {
  test('asks for one signature request and tells the time there', async () => {
    const headers = { date: 'Mon, 02 Mar 2026 09:14:07 GMT' };
    const { provider, calls } = await answering({ headers, json: { data: [] } });
    expect(await provider.probe()).toEqual(new Date('2026-03-02T09:14:07Z'));
    expect(calls.map(({ method, path }) => [method, path])).toEqual([['GET', '/signature_requests?limit=1']]);
  });

  test('tells no time that nobody can read', async () => {
    const { provider } = await answering({ headers: { date: 'today' }, json: { data: [] } });
    expect(await provider.probe()).toBeUndefined();
  });

  test('is believed only in the provider’s form', async () => {
    const { provider } = await answering({ json: { data: 'no' } });
    expect(await rejection(provider.probe())).toMatchObject({ reason: 'unavailable' });
  });
});

test.each([
  ['audit_trail.not_ready_for_download', true],
  ['audit_trail.not_found', false],
])('an audit trail is still on its way only by that word: %s', async (type, isSo) => {
  const { provider } = await answering({ status: 400, json: { type, detail: 'no' } });
  expect(isNotReady(await rejection(provider.downloadAuditTrail(ID, text)))).toBe(isSo);
  expect(isNotReady(Object.assign(new Error(), { type }))).toBe(false);
});
