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
const text = async (pieces: AsyncIterable<Uint8Array>) => {
  let all = '';
  for await (const piece of pieces) all += Buffer.from(piece).toString();
  return all;
};

type Provider = SignatureProvider;
/** After a 503 all are asked again but POST, which could do harm. */
type Call = [
  title: string,
  ask: (provider: Provider) => Promise<unknown>,
  asked: string | [string, unknown],
  answer: unknown,
  told: unknown,
];
const REQUESTS = '/signature_requests';
const DRAFT = {
  name: 'REQ-1',
  delivery_mode: 'email',
  external_id: 'name-1',
  expiration_date: '2026-04-01',
  timezone: 'Europe/Paris',
  signers_allowed_to_decline: true,
  audit_trail_locale: 'fr',
};
const REMINDERS = { intervalInDays: 7, maxOccurrences: 3 };
const SETTINGS = { reminder_settings: { interval_in_days: 7, max_occurrences: 3 } };
const PLACE = { page: 2, x: 70, y: 600, width: 85, height: 37 };
const EVERYTHING = {
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
};
const OUR_EVERYTHING = {
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
};
const PHONE = { phone_number: '+33600000000', locale: 'fr' };
const CANCEL = { reason: 'contractualization_aborted', custom_note: 'a reset' };
const EMAIL = { email: 'ada@example.org' };

const CALLS: Call[] = [
  ['a draft', (p) => p.createRequest(NEW), [`POST ${REQUESTS}`, DRAFT], { id: ID }, ID],
  [
    'a draft with reminders',
    (p) => p.createRequest({ ...NEW, reminders: REMINDERS }),
    [`POST ${REQUESTS}`, { ...DRAFT, ...SETTINGS }],
    { id: ID },
    ID,
  ],
  [
    'the document of a draft',
    (p) => p.getDocument(ID),
    `GET ${PATH}/documents`,
    [{ id: 'd1', total_anchors: 1 }, { id: 'd2' }],
    { documentId: 'd1', totalAnchors: 1 },
  ],
  ['the document of a draft without one', (p) => p.getDocument(ID), `GET ${PATH}/documents`, [], undefined],
  [
    'a signer',
    (p) => p.addSigner(ID, { ...ADA, locale: 'fr' }),
    [`POST ${PATH}/signers`, { info: { ...INFO, ...PHONE }, ...LEVEL }],
    { id: SIGNER },
    SIGNER,
  ],
  [
    'a signer without a telephone, at a place without an anchor',
    (p) => p.addSigner(ID, { ...ADA, phone: null, locale: 'en' }, { documentId: 'd1', ...PLACE }),
    [
      `POST ${PATH}/signers`,
      {
        info: { ...INFO, locale: 'en' },
        ...LEVEL,
        fields: [{ document_id: 'd1', type: 'signature', ...PLACE }],
      },
    ],
    { id: SIGNER },
    SIGNER,
  ],
  [
    'the mail to the customer',
    (p) => p.activate(ID),
    [`POST ${PATH}/activate`, {}],
    { signers: [LINK], expiration_date: '2026-04-01T23:59:59+02:00' },
    { link: OUR_LINK, lastMoment: '2026-04-01T21:59:59.000Z' },
  ],
  [
    'the mail to the customer, with another signer there: whose link it is is not said',
    (p) => p.activate(ID),
    [`POST ${PATH}/activate`, {}],
    { signers: [LINK, LINK] },
    { link: undefined, lastMoment: null },
  ],
  [
    'a signer’s details and link',
    (p) => p.getSigner(ID, SIGNER),
    `GET ${SIGNER_PATH}`,
    { ...LINK, info: { ...INFO, ...PHONE } },
    { ...ADA, locale: 'fr', link: OUR_LINK },
  ],
  [
    'a signer whose link is over',
    (p) => p.getSigner(ID, SIGNER),
    `GET ${SIGNER_PATH}`,
    { id: SIGNER, signature_link: null, info: EMAIL },
    { ...EMAIL, phone: null, link: undefined },
  ],
  [
    'a signer’s correction',
    (p) => p.updateSigner(ID, SIGNER, { ...ADA, phone: null, locale: 'fr' }),
    [`PATCH ${SIGNER_PATH}`, { info: { ...INFO, phone_number: null, locale: 'fr' } }],
    { ...LINK, info: EMAIL },
    OUR_LINK,
  ],
  ['a reminder', (p) => p.sendReminder(ID, SIGNER), [`POST ${SIGNER_PATH}/send_reminder`, {}], {}, undefined],
  [
    'a status, in as few words as possible',
    (p) => p.getSignatureStatus(KNOWN),
    `GET ${PATH}`,
    STATE,
    OUR_STATE,
  ],
  ['a status with everything', (p) => p.getSignatureStatus(KNOWN), `GET ${PATH}`, EVERYTHING, OUR_EVERYTHING],
  [
    'the beginning of the list',
    (p) => p.listSignatures(),
    `GET ${REQUESTS}?limit=100`,
    { data: [STATE] },
    { signatures: [OUR_STATE], nextCursor: undefined, waitMs: 0 },
  ],
  [
    'its continuation',
    (p) => p.listSignatures('c1'),
    `GET ${REQUESTS}?limit=100&after=c1`,
    { meta: { next_cursor: 'c2' }, data: [] },
    { signatures: [], nextCursor: 'c2', waitMs: 0 },
  ],
  [
    'a cancellation',
    (p) => p.cancel(KNOWN, 'a reset'),
    [`POST ${PATH}/cancel`, CANCEL],
    { id: ID },
    undefined,
  ],
  [
    'a draft’s end, for good',
    (p) => p.deleteDraft(ID),
    `DELETE ${PATH}?permanent_delete=true`,
    {},
    undefined,
  ],
  [
    'the signed PDF',
    (p) => p.downloadDocument(ID, text),
    `GET ${PATH}/documents/download?version=completed`,
    'a PDF',
    '"a PDF"',
  ],
  [
    'the audit trail of all signers',
    (p) => p.downloadAuditTrail(ID, text),
    `GET ${PATH}/audit_trails/download?merge=true`,
    'a PDF',
    '"a PDF"',
  ],
  [
    'the audit trail of one signer',
    (p) => p.streamAuditTrail(ID, SIGNER, text),
    `GET ${SIGNER_PATH}/audit_trails`,
    {},
    '{}',
  ],
];

test.each(CALLS)('%s', async (_, ask, asked, answer, told) => {
  const { provider, calls } = await answering({ json: answer });
  expect(await ask(provider)).toEqual(told);
  const [line, body] = [asked].flat();
  const [call] = calls;
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([line]);
  expect(call?.body ? JSON.parse(call.body) : undefined).toEqual(body);
  expect(call?.headers).toMatchObject({
    authorization: 'Bearer key',
    accept: told === '"a PDF"' ? 'application/pdf' : 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  });
});

test.each(CALLS)('%s: asked again after a 503 only if that does no harm', async (_, ask, asked) => {
  const { provider, calls } = await answering({ status: 503, json: {} });
  expect(await rejection(ask(provider))).toMatchObject({ reason: 'unavailable' });
  expect(calls).toHaveLength([asked].flat().join().startsWith('POST') ? 1 : 3);
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

const notFound = (type = 'resource.not_found') => ({ status: 404, json: { type, detail: 'no' } });
const list = (next_cursor: string | null, ...data: unknown[]) => ({ json: { meta: { next_cursor }, data } });
const NAMED = `${REQUESTS}?external_id[eq]=name-1&limit=100`;
const named = (id: string, external_id: string | null = 'name-1') => ({ id, status: 'draft', external_id });
const UNAVAILABLE = { reason: 'unavailable' };
const GONE = { reason: 'not_found' };
const WRONG_ADDRESS = {
  ...UNAVAILABLE,
  message: 'signature provider answered 404 (no)',
  refusal: { status: 404 },
};
const REFUSED = { status: 400, json: { type: 'no', detail: 'no' } };
const FORBIDDEN = { status: 401, json: {} };
const KEY_REFUSED = {
  reason: 'unauthorized',
  message: 'signature provider refuses the API key: it answered 401',
};
const TWO = [
  { id: SIGNER, status: 'notified' },
  { id: 'another', status: 'signed' },
];
const KNOWS_ONE = { ...TWO[0]!, email: 'b@example.org' };
const at = (expiration_date: unknown) => ({ json: { ...STATE, expiration_date } });
const linked = (signature_link: string) => ({ json: { ...LINK, signature_link, info: EMAIL } });

type Verdict = [
  what: string,
  answers: [JsonAnswer, ...JsonAnswer[]],
  told: unknown,
  /** Which were asked for, where that matters. */
  paths?: string[],
];

/** What is made of the answers that come in turn. */
function verdicts(on: string, ask: (provider: Provider) => Promise<unknown>, rows: Verdict[]): void {
  test.each(rows)(`${on} %s`, async (_, answers, told, paths) => {
    const { provider, calls } = await answering(...answers);
    const verdict = await ask(provider).catch((error: unknown) => error);
    const asked = calls.map(({ path }) => decoded(path));
    expect({ verdict, asked }).toMatchObject({ verdict: told, asked: paths ?? asked });
  });
}

const status = (p: Provider) => p.getSignatureStatus(KNOWN);
const NO_MOMENTS = [
  '2026-04-01',
  '2026-04-01T00:00:00Z',
  '2026-04-01T00:00:00.000Z',
  '2026-04-01T00:00:00+00:00',
  '2026-04-01T00:00:00+0000',
  '2026-04-01T00:00Z',
  '2026-04-01T00:00:00',
  'soon, at T9',
  '',
  7,
  null,
];
const MOMENTS = [
  ['2026-04-01T23:59:59Z', '2026-04-01T23:59:59.000Z'],
  ['2026-04-01T00:00:01Z', '2026-04-01T00:00:01.000Z'],
  ['2026-04-01T00:01:00.5Z', '2026-04-01T00:01:00.500Z'],
  ['2026-04-01T00:00:00+02:00', '2026-03-31T22:00:00.000Z'],
];

verdicts('a status', status, [
  ['of another signature is none', [{ json: { ...STATE, id: 'other' } }], UNAVAILABLE],
  ...['signature_request.not_found', 'resource.not_found', 'about:blank'].flatMap((type): Verdict[] => [
    [`${type} counts if the list lacks it, too`, [notFound(type), list(null, OTHER)], GONE, [PATH, NAMED]],
    [`${type} is overruled by the list`, [notFound(type), list(null, OTHER, LISTED)], { signId: ID }],
  ]),
  ['is none if the list is not found either: the address is wrong', [notFound()], WRONG_ADDRESS],
  ['is none if the list refuses, whose refusal is told', [notFound(), FORBIDDEN], KEY_REFUSED],
  ...NO_MOMENTS.map((no): Verdict => [`names no last moment by “${no}”`, [at(no)], { lastMoment: null }]),
  ...MOMENTS.map(([said, is]): Verdict => [`names a last moment by ${said}`, [at(said)], { lastMoment: is }]),
]);

verdicts('a status without a name', (p) => p.getSignatureStatus({ signId: ID, externalId: null }), [
  [
    'is looked for in the newest',
    [notFound(), list(null, STATE)],
    { signId: ID },
    [PATH, `${REQUESTS}?limit=100`],
  ],
]);

verdicts('a link', (p) => p.getSigner(ID, SIGNER), [
  ...['javascript:alert(1)', 'ftp://example.org/', 'see https://example.org/', '//x'].map((no): Verdict => [
    `is not “${no}”`,
    [linked(no)],
    UNAVAILABLE,
  ]),
  [
    'may be of http, in a test installation',
    [linked('http://127.0.0.1/1')],
    { link: { signUrl: 'http://127.0.0.1/1' } },
  ],
  [
    'may say no end',
    [{ json: { ...LINK, signature_link_expiration_date: null, info: EMAIL } }],
    { link: { expiresAt: null } },
  ],
]);

verdicts('the signers’ addresses:', (p) => p.withEmails({ ...OUR_STATE, signers: [KNOWS_ONE, TWO[1]!] }), [
  [
    'all are asked for, and none twice',
    [{ json: { ...LINK, info: EMAIL } }],
    { signers: [KNOWS_ONE, { id: 'another', status: 'signed', ...EMAIL }] },
    [`${PATH}/signers/another`],
  ],
  ['one that is not found proves nothing about the signature', [notFound('signer.x')], UNAVAILABLE],
  ['nor does one that is refused', [REFUSED], { reason: 'rejected' }],
  ['nor one that is forbidden', [FORBIDDEN], { reason: 'unauthorized' }],
]);

verdicts(
  'what bears our name',
  async (p) => (await p.findByExternalId('name-1')).map(({ signId }) => signId),
  [
    [
      'is found on all pages, by that name alone',
      [list('c1', named('1'), named('2', 'other'), named('3', null)), list(null, named('4'))],
      ['1', '4'],
      [NAMED, `${NAMED}&after=c1`],
    ],
    [
      'is found by a provider that repeats its pages without end, always under a new cursor',
      [list('c1', named('1')), list('c2', named('1'), named('2')), list('c3', named('1'))],
      ['1', '2'],
      [NAMED, `${NAMED}&after=c1`, `${NAMED}&after=c2`],
    ],
  ],
);

const left = (headers: Record<string, string>) => ({ json: { data: [] }, headers });
const [MINUTE, HOUR, RESET] = [
  'x-ratelimit-remaining-minute',
  'x-ratelimit-remaining-hour',
  'ratelimit-reset',
];

verdicts('the next page of the list', (p) => p.listSignatures(), [
  ['follows at once', [left({ [MINUTE]: '3', [HOUR]: '3', [RESET]: '7' })], { waitMs: 0 }],
  ['waits for the minute', [left({ [MINUTE]: '2', [HOUR]: '9', [RESET]: '7' })], { waitMs: 7_000 }],
  ['waits for the hour', [left({ [MINUTE]: '9', [HOUR]: '2', [RESET]: '7' })], { waitMs: 7_000 }],
  ['waits for the minute alone', [left({ [MINUTE]: '1', [RESET]: '5' })], { waitMs: 5_000 }],
  ['waits for the hour alone', [left({ [HOUR]: '1', [RESET]: '5' })], { waitMs: 5_000 }],
  ['waits for 60 s if it is not told', [left({ [MINUTE]: '2', [HOUR]: '2' })], { waitMs: 60_000 }],
  ['waits for 60 s rather than 0', [left({ [MINUTE]: '0', [HOUR]: '0', [RESET]: '0' })], { waitMs: 60_000 }],
]);

const stands = (word: string, answer = {}): [JsonAnswer, JsonAnswer] => [
  { json: answer },
  { json: { ...STATE, status: word } },
];
verdicts('a cancellation whose answer is not in the provider’s form', (p) => p.cancel(KNOWN, 'a reset'), [
  ...['canceled', 'done', 'deleted'].map((word): Verdict => [
    `is one when it is ${word} there`,
    stands(word),
    undefined,
    [`${PATH}/cancel`, PATH],
  ]),
  ...['ongoing', 'approval'].map((word): Verdict => [
    `is none when ${word}`,
    stands(word, { id: 'other' }),
    UNAVAILABLE,
  ]),
]);

verdicts('a look', (p) => p.probe(), [
  [
    'asks for one signature request and tells the time there',
    [{ json: { data: [] }, headers: { date: 'Mon, 02 Mar 2026 09:14:07 GMT' } }],
    new Date('2026-03-02T09:14:07Z'),
    [`${REQUESTS}?limit=1`],
  ],
  ['tells no time that nobody can read', [{ json: { data: [] }, headers: { date: 'today' } }], undefined],
  ['is believed only in the provider’s form', [{ json: { data: 'no' } }], UNAVAILABLE],
]);

/** Only what a query brings. */
const decoded = (path: string) => path.replace('%5B', '[').replace('%5D', ']');

test('the contract is uploaded once, with its name and the wish to find its anchors', async () => {
  const { provider, calls } = await answering({ status: 503, json: {} }, { json: { id: 'd1' } });
  const upload = async () =>
    provider.uploadDocument(ID, await openFile(Buffer.from('%PDF-1.7')), 'contract.pdf');
  await rejection(upload());
  expect(calls).toHaveLength(1);
  expect(await upload()).toEqual({ documentId: 'd1', totalAnchors: 0 });
  expect(calls[1]).toMatchObject({ method: 'POST', path: `${PATH}/documents` });
  const parts = calls[1]?.body.split(/--[-\w]+\r\n/).map((part) => part.split('\r\n').filter(Boolean));
  const field = (name: string) => `Content-Disposition: form-data; name="${name}"`;
  expect(parts).toMatchObject([
    [],
    [field('nature'), 'signable_document'],
    [field('parse_anchors'), 'true'],
    [`${field('file')}; filename="contract.pdf"`, 'Content-Type: application/pdf', '%PDF-1.7'],
    [],
  ]);
});

describe('with the status', () => {
  const TOLD = { ...STATE, signers: TWO };

  /** In parallel, so by path. */
  async function known(answer: JsonAnswer) {
    const receiver = await aReceiver(({ path }, response) => {
      const { status = 200, json } = path.includes('/signers/') ? answer : { json: TOLD };
      response.writeHead(status).end(JSON.stringify(json));
    });
    const options = { baseUrl: receiver.url, apiKey: () => 'key', repeatAfterMs: 1 };
    return { provider: new SignatureProvider(options), calls: receiver.received };
  }
  const email = { json: { ...LINK, info: EMAIL } };

  test.each([
    ['a known signer’s address comes', email, [{ ...TWO[0], ...EMAIL }, TWO[1]]],
    ['none comes where it is refused, and the status is told all the same', REFUSED, TWO],
  ])('%s', async (_, answer, signers) => {
    const { provider } = await known(answer);
    expect((await provider.getSignatureWithSigner(KNOWN, SIGNER)).signers).toEqual(signers);
  });

  test('an unknown signer is not asked for', async () => {
    const { provider, calls } = await known(email);
    expect((await provider.getSignatureWithSigner(KNOWN, null)).signers).toEqual(TWO);
    expect(calls).toHaveLength(1);
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
