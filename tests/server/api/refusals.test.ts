/** What is refused in a body: each field by its name, with what is wrong; then nothing of the call is done (rules 7). */
import { expect, test } from 'vitest';
import { PASSWORD, twoRequests } from '../support.js';

const BLANK = 'This value should not be blank.';
const INVALID = 'This value is not valid.';
const NO_TEXT = 'This value should be of type string.';
const NO_INTEGER = 'This value should be of type integer.';
const OUT_OF_RANGE = 'This value should be between 1 and 99999999.';
const NO_CURRENCY = 'This value is not a valid currency.';
const NO_CHOICE = 'The value you selected is not a valid choice.';
const NO_PHONE = 'This value is not a valid phone number.';
const NO_EQUIPMENT = 'There is no such equipment.';
const NO_ADDRESS = 'This value should be an https address.';
const NEXT = 'another good pass phrase';
/** Nobody sees it (plain.test.ts has all that nobody sees). */
const UNSEEN = '\u3164\u3164';

const has = (words: string) => expect.stringContaining(words) as string;
const tooLong = (most: number) => `This value is too long. It should have ${most} characters or less.`;

const REQUEST = { title: 't', description: 'd', equipment: '/api/equipments/2' };
const EQUIPMENT = { name: 'Boiler', model: 'B-200', serialNumber: 'another' };
const OFFER = { request: '/api/requests/1', amount: 15_000, currency: 'usd', description: 'New burner' };
const HOOK = { url: 'https://93.184.216.34/hook', event: 'request.created', secret: 'the first secret' };

type Refused = [change: object, errors: Record<string, unknown>];

/** Anna owns request and equipment 1, ben those numbered 2; offer, troubleshooting and webhook 1 are anna's. */
const TABLE: [call: `${'anna' | 'ben' | 'admin'} ${string} ${string}`, usual: object, Refused[]][] = [
  [
    'ben POST requests',
    REQUEST,
    [
      [
        { title: UNSEEN, description: UNSEEN },
        { title: BLANK, description: BLANK },
      ],
      [{ equipment: undefined }, { equipment: BLANK }],
      [{ equipment: null }, { equipment: BLANK }],
      [{ equipment: '' }, { equipment: BLANK }],
      [{ equipment: 1 }, { equipment: NO_TEXT }],
      [
        { equipment: { '@id': '/api/equipments/2' } },
        { equipment: 'Nested documents are not allowed. Use IRIs instead.' },
      ],
      ...[
        '1',
        '/api/requests/1',
        'http://evil.test/api/equipments/2',
        'https://contracts.example.org.evil.test/api/equipments/2',
        'http://contracts.example.org/api/equipments/2',
        'https://contracts.example.org:8443/api/equipments/2',
        'https://contracts.example.org@evil.test/api/equipments/2',
        'https://me@contracts.example.org/api/equipments/2',
        'https://contracts.example.org/api/equipments/2?x=1',
        'https://contracts.example.org/api/requests/2',
        'https://contracts.example.org/equipments/2',
        '//contracts.example.org/api/equipments/2',
        'https://[',
      ].map((iri): Refused => [{ equipment: iri }, { equipment: `Invalid IRI "${iri}".` }]),
      [{ equipment: '/api/equipments/99' }, { equipment: NO_EQUIPMENT }],
      [{ equipment: '/api/equipments/1' }, { equipment: NO_EQUIPMENT }],
    ],
  ],
  [
    'admin POST requests',
    REQUEST,
    [
      [{ owner: '/api/users/1' }, { equipment: has('belongs to another customer') }],
      [{ amount: 0.5 }, { amount: NO_INTEGER }],
    ],
  ],
  [
    'anna PATCH requests/1',
    {},
    [
      [{ title: null }, { title: BLANK }],
      [
        { title: ' ', description: 5 },
        { title: BLANK, description: NO_TEXT },
      ],
      [{ title: 'x'.repeat(256) }, { title: tooLong(255) }],
      [{ description: 'x'.repeat(5_001) }, { description: tooLong(5_000) }],
      [{ equipment: null }, { equipment: BLANK }],
      [{ equipment: '/api/equipments/99' }, { equipment: NO_EQUIPMENT }],
      [{ title: 'good', equipment: '/api/equipments/2' }, { equipment: NO_EQUIPMENT }],
    ],
  ],
  ['anna PUT requests/1', { title: 'x' }, [[{}, { description: BLANK, equipment: BLANK }]]],
  [
    'admin PATCH requests/1',
    { title: 'changed' },
    [
      [{ status: 'WAITING_SIGNATURE' }, { status: has('from new to WAITING_SIGNATURE') }],
      [{ status: 'COMPLETE' }, { status: has('from new to COMPLETE') }],
      [{ status: 'nonsense' }, { status: NO_CHOICE }],
      [{ status: 5 }, { status: NO_TEXT }],
      [{ status: null }, { status: BLANK }],
      [{ equipment: '/api/equipments/2' }, { equipment: 'This equipment belongs to another customer.' }],
    ],
  ],
  ['admin POST requests/1/complete', {}, [[{ reason: UNSEEN }, { reason: BLANK }]]],
  [
    'anna POST equipments',
    EQUIPMENT,
    [
      [{ name: 'a\u0000b' }, { name: INVALID }],
      [{ name: 'a\nb' }, { name: INVALID }],
      [{ name: '\ud800' }, { name: INVALID }],
      [{ name: '🔥'.repeat(256) }, { name: tooLong(255) }],
      [
        { name: UNSEEN, model: UNSEEN, serialNumber: UNSEEN },
        { name: BLANK, model: BLANK, serialNumber: BLANK },
      ],
    ],
  ],
  [
    'admin POST equipments',
    EQUIPMENT,
    [
      [{ owner: '/api/users/999' }, { owner: 'There is no such user.' }],
      [{ owner: '/api/equipments/1' }, { owner: 'Invalid IRI "/api/equipments/1".' }],
      [{ owner: 'anna@example.org' }, { owner: 'Invalid IRI "anna@example.org".' }],
      [{ owner: 1 }, { owner: NO_TEXT }],
    ],
  ],
  ['anna PUT equipments/1', { name: 'a' }, [[{}, { model: BLANK, serialNumber: BLANK }]]],
  [
    'anna PATCH equipments/1',
    {},
    [
      [{ name: null }, { name: BLANK }],
      [{ serialNumber: 'taken' }, { serialNumber: 'This value is already used.' }],
    ],
  ],
  [
    'admin PATCH equipments/1',
    {},
    [[{ serialNumber: 'taken' }, { serialNumber: 'This value is already used.' }]],
  ],
  ['admin POST offers', {}, [[{}, { request: BLANK, amount: BLANK }]]],
  [
    'admin POST offers',
    OFFER,
    [
      [{ request: '/api/requests/99' }, { request: 'There is no such request.' }],
      [{ request: '/api/equipments/1' }, { request: 'Invalid IRI "/api/equipments/1".' }],
      [{ amount: '15000' }, { amount: NO_INTEGER }],
      [{ amount: 1.5 }, { amount: NO_INTEGER }],
      [{ amount: 0 }, { amount: OUT_OF_RANGE }],
      [{ amount: -1 }, { amount: OUT_OF_RANGE }],
      [{ amount: 1e300 }, { amount: OUT_OF_RANGE }],
      [{ amount: 49 }, { amount: 'The payment provider accepts no less than US$0.50.' }],
      [
        { amount: 15_050, currency: 'isk' },
        { amount: 'The payment provider accepts only multiples of ISK\u00a01.00.' },
      ],
      [{ currency: 'euro' }, { currency: NO_CURRENCY }],
      [{ currency: 'eux' }, { currency: NO_CURRENCY }],
      [{ currency: 'XAU' }, { currency: NO_CURRENCY }],
      [{ currency: null }, { currency: BLANK }],
      [{ status: 'accepted' }, { status: has('A new offer must be draft or sent.') }],
      [{ description: 'a\0' }, { description: INVALID }],
      [{ description: UNSEEN }, { description: BLANK }],
    ],
  ],
  [
    'admin PATCH offers/1',
    {},
    [
      [{ status: 'nonsense' }, { status: NO_CHOICE }],
      [{ amount: null }, { amount: BLANK }],
    ],
  ],
  [
    'ben POST troubleshootings',
    { description: 'd' },
    [[{ request: '/api/requests/1' }, { request: 'There is no such request.' }]],
  ],
  [
    'anna PATCH troubleshootings/1',
    {},
    [
      [{ description: '' }, { description: BLANK }],
      [{ description: 'x'.repeat(5_001) }, { description: tooLong(5_000) }],
      [{ status: 'COMPLETE' }, { status: NO_CHOICE }],
      [{ status: null }, { status: BLANK }],
    ],
  ],
  [
    'admin POST prices',
    { words: 'boiler', amount: 10_000 },
    [
      [{ words: ' ' }, { words: BLANK }],
      [{ words: '– –' }, { words: 'Give a word of the equipment’s name or model.' }],
      [{ amount: undefined }, { amount: BLANK }],
      [{ amount: 0 }, { amount: OUT_OF_RANGE }],
      [{ amount: 10 }, { amount: has('accepts no less than') }],
      [{ currency: 'usd' }, { currency: 'Prices are in “eur” here.' }],
    ],
  ],
  [
    'anna PATCH users/me',
    { phone: '+33600000000', currentPassword: PASSWORD },
    [
      [{ firstName: 5 }, { firstName: NO_TEXT }],
      [{ firstName: UNSEEN }, { firstName: BLANK }],
      [{ lastName: 'a\nb' }, { lastName: INVALID }],
      [{ firstName: 'x'.repeat(256) }, { firstName: tooLong(255) }],
      [{ phone: '0612345678' }, { phone: NO_PHONE }],
      [{ phone: 33612345678 }, { phone: NO_TEXT }],
      [{ locale: 'de' }, { locale: NO_CHOICE }],
      [{ address: 'x'.repeat(501) }, { address: tooLong(500) }],
      [{ password: 'short' }, { password: has('12') }],
      [{ password: null }, { password: BLANK }],
      [{ password: UNSEEN.repeat(12) }, { password: BLANK }],
      [{ password: `${NEXT}\0` }, { password: INVALID }],
      [{ password: NEXT, currentPassword: undefined }, { currentPassword: BLANK }],
      [{ password: NEXT, currentPassword: '' }, { currentPassword: BLANK }],
      [{ password: NEXT, currentPassword: 5 }, { currentPassword: NO_TEXT }],
      [{ password: NEXT, currentPassword: 'wrong' }, { currentPassword: has('current') }],
    ],
  ],
  [
    'admin PATCH users/3',
    {},
    [
      [{ password: NEXT }, { currentPassword: BLANK }],
      [{ username: 'new@example.org' }, { currentPassword: BLANK }],
      [{ username: 'new@example.org', currentPassword: 'a wild guess' }, { currentPassword: has('current') }],
      [
        { username: 'Anna@example.org', currentPassword: PASSWORD },
        { username: 'This value is already used.' },
      ],
    ],
  ],
  [
    'admin PATCH users/1',
    { firstName: 'Eva' },
    [[{ enabled: 'no' }, { enabled: 'This value should be of type boolean.' }]],
  ],
  ['admin POST users', {}, [[{ username: 'ANNA@example.org' }, { username: 'This value is already used.' }]]],
  [
    'anna POST webhooks',
    HOOK,
    [
      [{ url: undefined }, { url: BLANK }],
      [{ url: 7 }, { url: NO_TEXT }],
      [{ url: 'http://93.184.216.34/' }, { url: NO_ADDRESS }],
      [{ url: 'https://[::ffff:169.254.169.254]/' }, { url: has('public') }],
      [{ event: undefined }, { event: BLANK }],
      [{ event: 'ping' }, { event: has('request.created') }],
      [{ event: ['request.created'] }, { event: has('request.created') }],
      [{ secret: undefined }, { secret: BLANK }],
      [{ secret: '1234567' }, { secret: has('8 characters') }],
      [{ secret: 'x'.repeat(257) }, { secret: tooLong(256) }],
      [
        { url: 'x', event: 'ping', secret: 'x' },
        { url: NO_ADDRESS, event: has('request.created'), secret: has('8 characters') },
      ],
    ],
  ],
  [
    'anna PATCH webhooks/1',
    {},
    [
      [{ active: 'yes' }, { active: 'This value should be of type boolean.' }],
      [{ url: 'https://127.0.0.1/' }, { url: has('public') }],
    ],
  ],
];

test.each(TABLE)(
  'what is wrong in a body is named, and nothing is stored: %s with %j',
  async (call, usual, rows) => {
    const { ctx, ...callers } = await twoRequests();
    const { anna, admin } = callers;
    await anna('POST', '/api/equipments', { body: { ...EQUIPMENT, serialNumber: 'taken' } });
    await anna('POST', '/api/troubleshootings', { body: { request: '/api/requests/1', description: 'd' } });
    await anna('POST', '/api/webhooks', { body: HOOK });
    await admin('POST', '/api/offers', { body: OFFER });
    const tables = 'users requests equipments offers troubleshootings prices webhooks history'.split(' ');
    const stored = () => tables.map((table) => ctx.db.raw.prepare(`SELECT * FROM ${table}`).all());
    const before = stored();

    const [who, method, path] = call.split(' ') as ['anna' | 'ben' | 'admin', string, string];
    for (const [change, errors] of rows) {
      const { status, json } = await callers[who](method, `/api/${path}`, { body: { ...usual, ...change } });
      expect.soft([change, status, json['errors']]).toEqual([change, 422, errors]);
    }
    expect(stored()).toEqual(before);
  },
);
