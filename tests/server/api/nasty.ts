/** What nobody should send, for every place of a described call: path, query, headers, body. */
import * as fc from 'fast-check';
import type { DescribedOperation, Parameter } from './docs/described.js';
import { ANY_CHARACTER } from '../../support/any-character.js';

const CALLERS = ['owner', 'owner', 'owner', 'owner', 'admin', 'admin', 'admin', 'nobody', 'forger'] as const;

export interface NastyCall {
  caller: (typeof CALLERS)[number];
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | undefined;
}

const LONG = 'x'.repeat(70_000);

/** Values of every JSON type, at and beyond every edge; ids 1 to 6 are there, some of them somebody else's. */
const VALUES: { weight: number; of: unknown[] }[] = [
  { weight: 4, of: [null, true, false, 0, -1, 1.5, 2 ** 53, -(2 ** 63), 1e308] },
  { weight: 4, of: ['', ' ', ...'0 1 null [] \u0000 \ud800 é🔥 %'.split(' '), "'", LONG] },
  { weight: 1, of: ['/api/requests/1', '/api/v1/equipments/1', '/api/equipments/99999999999999999999'] },
  {
    weight: 1,
    of: 'COMPLETE In_Progress ROLE_ADMIN 2026-02-30 2026-03-02T09:14:07+00:00 +0000-01-01'.split(' '),
  },
  { weight: 1, of: [[], {}, [[]], ['a'], [null], { a: 1 }, { toString: 1 }, { length: 1 }] },
];

const values = fc.oneof(
  ...VALUES.map(({ weight, of }) => ({ weight, arbitrary: fc.constantFrom(...of) })),
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 6 }).map((id): unknown => `/api/equipments/${id}`) },
  { weight: 1, arbitrary: fc.string({ unit: ANY_CHARACTER, maxLength: 40 }) },
);

const NAMES = '__proto__ constructor prototype toString hasOwnProperty @id @type id owner';
const names = fc.constantFrom(...NAMES.split(' '), '');

/** The example of the body with some members made nasty, and some that do not belong there. */
function bodyLike(example: unknown) {
  const members = Object.entries((example ?? {}) as Record<string, unknown>);
  const kept = fc.tuple(
    ...members.map(([name, value]) =>
      fc
        .oneof({ weight: 5, arbitrary: fc.constant(value) }, { weight: 2, arbitrary: values })
        .map((each) => [name, each] as const),
    ),
  );
  const strangers = fc.array(fc.tuple(names, values), { maxLength: 2 });
  return fc.tuple(kept, strangers, fc.boolean()).map(([own, others, isTwice]) => {
    // Written by hand, so that a name may stand twice and __proto__ is a member like any other.
    const all = isTwice ? [...own, ...others, ...own] : [...own, ...others];
    return `{${all.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
  });
}

const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string))));

const rawBodies = fc.constantFrom<string | Uint8Array<ArrayBuffer>>(
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '{"title":1e999}',
  '{"title":123456789012345678901234567890}',
  '{"a":1,"a":2}',
  `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`,
  '['.repeat(100_000),
  `{"title":"${LONG}"}`,
  '{"title":"\\ud800"}',
  '\ufeff{}',
  bytes('{"title":"', [0xff, 0xfe, 0xc0], '"}'),
  bytes([0, 1, 2, 3]),
  'refresh_token=%ff%00&refresh_token=2&__proto__=3',
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\nnot a PDF\r\n--x--\r\n',
  '--x\r\nbroken',
);

const CONTENT_TYPES = [
  'application/json',
  'application/ld+json; charset=utf-8',
  'application/merge-patch+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'text/plain',
  'nonsense',
  '',
];

const ACCEPTS = [
  ...Array.from({ length: 12 }, () => undefined),
  '*/*',
  'application/ld+json',
  'application/json',
  'application/problem+json',
  'text/html',
  'q=1;;,/',
  'a/b;q=2',
];

const WRONG_IDS =
  '0 -1 007 1e3 99999999999999999999 9007199254740993 %00 %ff %F0%9F%94%A5 %2e%2e%2f1 1%2f.. me __proto__';

const ids = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 6 }).map(String) },
  { weight: 2, arbitrary: fc.constantFrom(...WRONG_IDS.split(' '), 'x'.repeat(9_000)) },
);

const QUERY_VALUES =
  '1 0 -1 2 99999999999999999999 1e5 new new,COMPLETE asc DESC 2026-01-01 2026-01-01T00:00:00+02:00 %ff % %00 && %5B%5D ' +
  '%2Fapi%2Fequipments%2F1 __proto__';

const queryValues = fc.oneof(
  fc.constantFrom(...QUERY_VALUES.split(' '), '', 'x'.repeat(5_000)),
  fc.string({ unit: ANY_CHARACTER, maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
);

const STRANGE_NAMES =
  '__proto__ __proto__[a] constructor[prototype] order order[] order[__proto__] page[] status[a][b][c][d][e][f] ' +
  'createdAt createdAt[] [] ] = a[';
const strangeNames = fc.constantFrom(...STRANGE_NAMES.split(' '));

export function nastyCalls(operation: DescribedOperation): fc.Arbitrary<NastyCall> {
  const { path, parameters, bodies } = operation;
  const example = Object.values(bodies)[0]?.example;
  const known = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  const queryName = known.length > 0 ? fc.oneof(fc.constantFrom(...known), strangeNames) : strangeNames;
  const query = fc.array(fc.tuple(queryName, queryValues), { maxLength: 4 });
  const isWithBody = !['GET', 'DELETE'].includes(operation.method);
  const ordinary = Object.keys(bodies);
  return fc
    .record({
      caller: fc.constantFrom(...CALLERS),
      place: fc.tuple(...parameters.filter((each) => each.in === 'path').map(pathValue)),
      query,
      accept: fc.constantFrom(...ACCEPTS),
      contentType: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...(ordinary.length > 0 ? ordinary : [''])) },
        { weight: 1, arbitrary: fc.constantFrom(...CONTENT_TYPES) },
      ),
      headers: fc.tuple(
        ...parameters.filter((each) => each.in === 'header').map((each) => headerValue(each)),
      ),
      body: fc.oneof({ weight: 3, arbitrary: bodyLike(example) }, { weight: 1, arbitrary: rawBodies }),
    })
    .map(({ caller, place, query, accept, contentType, headers, body }) => ({
      caller,
      path: filled(path, place) + written(query),
      headers: {
        ...(accept !== undefined && { Accept: accept }),
        ...(isWithBody && contentType !== '' && { 'Content-Type': contentType }),
        ...Object.fromEntries(headers),
      },
      body: isWithBody ? body : undefined,
    }));
}

function pathValue({ schema, example }: Parameter) {
  return 'minimum' in schema ? ids : fc.oneof(ids, fc.constant(example ?? ''));
}

function headerValue({ name, schema }: Parameter) {
  const [example = 'sha256='] = (schema['examples'] ?? []) as unknown as string[];
  const words = fc.constantFrom(example, '', ' ', 'x'.repeat(5_000), '"', '%00', '\u00ff', '{}');
  return words.map((value) => [name, value] as const);
}

function filled(path: string, place: string[]): string {
  let next = 0;
  return path.replaceAll(/\{\w+\}/g, () => place[next++] ?? '1');
}

function written(query: [string, string][]): string {
  return query.length === 0 ? '' : `?${query.map(([name, value]) => `${name}=${value}`).join('&')}`;
}
