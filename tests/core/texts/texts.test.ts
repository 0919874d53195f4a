import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../../../src/core/errors.js';
import { isCurrency } from '../../../src/core/settings/currencies.js';
import { acts } from '../../../src/core/texts/acts.js';
import { documents } from '../../../src/core/texts/documents.js';
import { explain } from '../../../src/core/texts/explain.js';
import { lists } from '../../../src/core/texts/lists.js';
import { mails } from '../../../src/core/texts/mails.js';
import { pages } from '../../../src/core/texts/pages.js';
import { timeline } from '../../../src/core/texts/timeline.js';
import {
  formatDay,
  formatDays,
  formatFullMoment,
  formatMoment,
  formatMoney,
  formatNumber,
  withMoments,
} from '../../../src/core/texts/format.js';
import { isTextKey, label, sayIn, text } from '../../../src/core/texts/index.js';
import { PAGE_TEXTS, sayOnPages } from '../../../src/server/admin/texts.js';

type Forms = string | { one: string; other: string };
const ALL: [key: string, words: { en: Forms; fr: Forms }][] = Object.entries(PAGE_TEXTS);
const CATALOGUE_FILE =
  /core\/texts\/(?:acts|documents|explain|lists|mails|pages|timeline)\.ts$|admin\/texts\.ts$/;
/** `run.${name}`, `mail.${kind}.subject`: how it begins and ends. */
const KEY_WITH_HOLES = /`([a-z_.]+[._])\$\{[^`\n]*?\}([\w.]*)`/g;
/** Given to a function that adds the word. */
const MADE_ELSEWHERE = ['who.', 'evidence.actor.', 'admin.history.noun.', 'term.'];

describe('the table of texts', () => {
  test('no key stands in two catalogues', () => {
    const catalogues = [acts, documents, explain, lists, mails, pages, timeline];
    const keys = catalogues.flatMap((catalogue) => Object.keys(catalogue));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.filter((key) => !isTextKey(key))).toEqual([]);
    expect(ALL.length).toBeGreaterThan(keys.length);
    expect(keys.filter((key) => key.startsWith('admin.'))).toEqual([]);
  });

  // A key made from a stored word may lead to the text of another, which is then the same object.
  test('no text is written twice', () => {
    const written = [...new Set(Object.values(PAGE_TEXTS))].map((each) => JSON.stringify(each));
    expect(written.filter((words, i) => written.indexOf(words) < i)).toEqual([]);
  });

  test.each(ALL)('%s has words in both languages, with the same placeholders', (_key, { en, fr }) => {
    expect(placeholders(fr)).toEqual(placeholders(en));
    expect([en, fr].flatMap(formsOf).filter((words) => words.trim() === '')).toEqual([]);
  });

  // Of keys that are made from a stored word, only their beginning can be found in the code.
  test('every text is used: its key, or what it is made from, stands in the code', () => {
    const code = globSync('src/**/*.ts')
      .filter((file) => !CATALOGUE_FILE.test(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const fields = globSync('src/core/resources/*.ts')
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const made = [...code.matchAll(KEY_WITH_HOLES)]
      .map(([, start = '', end = '']) => ({ start, end }))
      .filter(({ start }) => start !== 'list.');
    // The label of a field that does not say its own.
    const isLabel = (key: string) => fields.includes(`\n    ${key.replace('list.', '')}: {`);
    const isMade = (key: string) =>
      MADE_ELSEWHERE.some((start) => key.startsWith(start)) ||
      made.some(({ start, end }) => key.length > start.length && key.startsWith(start) && key.endsWith(end));

    expect(
      Object.keys(PAGE_TEXTS).filter((key) => !code.includes(`'${key}'`) && !isMade(key) && !isLabel(key)),
    ).toEqual([]);
    expect(MADE_ELSEWHERE.filter((start) => !code.includes(`'${start.slice(0, -1)}'`))).toEqual([]);
  });

  test('every key of the manual check has a text', () => {
    const keys = [
      'not_waiting_signature',
      'contract_not_found',
      'no_sign_id',
      'contract_expired',
      'payment_creation_failed',
      'signature_not_found',
      'check_signature_success',
      'check_signature_info.ongoing',
      'check_signature_info.expired',
      'check_signature_info.status',
      'request.check_signature',
      'provider_unavailable',
      'already_signed',
      'request_not_found',
    ];

    expect(keys.filter((key) => !isTextKey(key))).toEqual([]);
    expect(isTextKey('toString')).toBe(false);
  });
});

/** Told by the faults of their fields. */
const BY_FIELDS = ['invalid_input', 'cannot_be_changed', 'unprintable_words'];
/** Told by what the provider says. */
const IN_ITS_WORDS = ['provider_rejected'];
/** Pages have a sentence for their status. */
const BY_STATUS = ['invalid_credentials', 'forbidden', 'not_found'];
/** Only a call of the API can be refused so, or a command that works beside the daemon or without one. */
const NOT_ON_PAGES = [
  'in_use',
  'idempotency_key_reused',
  'wrong_schema',
  'daemon_running',
  'data_in_use',
  'no_data',
  'other_installation',
  'data_without_database',
  'backup_not_found',
  'backup_damaged',
  'not_a_snapshot',
];

test('every refusal that a page can show has a text in both languages', () => {
  const others = [...BY_FIELDS, ...IN_ITS_WORDS, ...BY_STATUS, ...NOT_ON_PAGES];
  expect(ERROR_CODES.filter((code) => !isTextKey(code)).toSorted()).toEqual(others.toSorted());
});

describe('a text', () => {
  test('takes its parameters as they come, and never reads a placeholder in them', () => {
    const status = 'check_signature_info.status';

    expect(text('en', status, { status: 'paused' })).toContain('“paused”');
    expect(text('en', status, { status: '$& %status%' })).toContain('“$& %status%”');
  });

  test('keeps a placeholder that got no parameter, even when Object knows the word', () => {
    expect(label(sayIn('en'), 'check_signature_info.status', '')).toContain('%status%');
  });

  test('without what its words name, or with what they do not, does not compile', () => {
    const [say, onPages] = [sayIn('en'), sayOnPages('en')];
    const calls = () => [
      // @ts-expect-error: its words name a status
      text('en', 'check_signature_info.status'),
      // @ts-expect-error: they name no day
      say('check_signature_info.status', { status: 'paused', day: '' }),
      // @ts-expect-error: no such text
      say('unheard_of'),
      // @ts-expect-error: those of the pages are not the core's
      say('admin.nav'),
      onPages('admin.nav'),
      // @ts-expect-error: it names nothing
      onPages('admin.nav', { id: 1 }),
      // @ts-expect-error: a text about a number has to know it
      onPages('todo.requests'),
      // @ts-expect-error: a command is data
      say('mail.late.next', { command: 'esignctl doctor' }),
      // Its entry has the command.
      say('provider_refuses_key'),
    ];
    expect(calls).toBeInstanceOf(Function);
  });

  test('in French never begins a line with a sign', () => {
    expect(text('fr', 'check_signature_info.status', { status: 'x' })).toContain('«\u00a0x\u00a0»');
    expect(text('fr', 'mail.fact', { label: 'a', value: 'b' })).toBe('a\u00a0: b');
  });
});

describe('a text about a number', () => {
  test('has the form of its language, and writes the number as that language does', () => {
    const [english, french] = [sayOnPages('en'), sayOnPages('fr')];
    expect(english('todo.requests', { count: 1 })).toBe('1 request');
    expect(english('todo.requests', { count: 0 })).toBe('0 requests');
    expect(english('todo.requests', { count: 1234 })).toBe('1,234 requests');
    expect(french('todo.requests', { count: 0 })).toBe('0 demande');
    expect(french('todo.requests', { count: 1234 })).toBe('1\u202f234 demandes');
  });
});

describe('money and time', () => {
  test.each([
    ['en', 12_000, 'eur', '€120.00'],
    ['fr', 1_234_567, 'eur', '12 345,67 €'],
    ['en', -123_456_789, 'gbp', '-£1,234,567.89'],
    ['en', 5000, 'jpy', 'JP¥5,000'],
    ['en', 1234, 'kwd', 'KWD 1.234'],
    ['fr', 12_500, 'kwd', '12,500 KWD'],
    ['fr', 1_234_500, 'xof', '1 234 500 F CFA'],
    ['en', 500, 'isk', 'ISK 5.00'],
    ['fr', 0, 'eur', '0,00 €'],
  ] as const)('%s writes %i %s as %s', (locale, amount, currency, expected) => {
    expect(formatMoney(locale, amount, currency).replaceAll(/\s/g, ' ')).toBe(expected);
  });

  test.each(['eur', 'gbp', 'usd'])(
    'English amounts in %s are written as the runtime writes them',
    (currency) => {
      const runtime = new Intl.NumberFormat('en-GB', { style: 'currency', currency });
      for (const amount of [0, 5, 99, 100, -1, 99_999, 100_000, -12_345_678, 999_999_999_999])
        expect(formatMoney('en', amount, currency)).toBe(runtime.format(amount / 100));
    },
  );

  test.each([
    ['en', 999, '999'],
    ['en', 1000, '1,000'],
    ['en', -1_234_567, '-1,234,567'],
    ['en', 1234.5678, '1,234.568'],
    ['fr', 1234.5678, '1 234,568'],
  ] as const)('%s writes %d as %s', (locale, number, expected) => {
    expect(formatNumber(locale, number).replaceAll(/\s/g, ' ')).toBe(expected);
  });

  test('days and moments are in the zone of the reader, which is named, whatever the zone of the machine', () => {
    const paris = { locale: 'en', timeZone: 'Europe/Paris' } as const;
    const utc = { locale: 'en', timeZone: 'UTC' } as const;
    expect(formatDay(utc, '2026-03-31T23:59:59.000Z')).toBe('31 March 2026');
    expect(formatDay(paris, '2026-03-31T23:59:59.000Z')).toBe('1 April 2026');
    expect(formatDay({ ...paris, locale: 'fr' }, '2026-03-31T22:00:00.000Z')).toBe('1er avril 2026');
    expect(formatMoment(utc, '2026-03-02T09:14:07.000Z')).toBe('2 March 2026, 09:14');
    expect(formatMoment(paris, '2026-03-02T09:14:07.000Z')).toBe('2 March 2026, 10:14');
    expect(formatMoment(paris, '2026-06-30T22:05:00.000Z')).toBe('1 July 2026, 00:05');
    expect(formatMoment({ locale: 'fr', timeZone: 'Pacific/Kiritimati' }, '2026-03-02T09:14:07.000Z')).toBe(
      '2 mars 2026 à 23\u00a0h\u00a014',
    );
    expect(formatFullMoment(utc, '2026-03-02T09:14:07.000Z')).toBe('2 March 2026, 09:14:07 UTC');
    expect(formatFullMoment(paris, '2026-03-02T09:14:07.000Z')).toBe(
      '2 March 2026, 10:14:07 CET (Europe/Paris)',
    );
    expect(withMoments(paris, 'signed at 2026-03-02T09:14:07.000Z; stored')).toBe(
      'signed at 2 March 2026, 10:14; stored',
    );
    expect(formatDays('en', 1)).toBe('1 day');
    expect(formatDays('fr', 365).replaceAll('\u00a0', ' ')).toBe('365 jours');
  });
});

function formsOf(words: Forms): string[] {
  return typeof words === 'string' ? [words] : [words.one, words.other];
}

/** One need not say how many: "a minute". */
function placeholders(words: Forms): string[] {
  const named = formsOf(words).map((form) => [...form.matchAll(/%(\w+)%/g)].map(([, name = '']) => name));
  if (named.length === 1) return (named[0] ?? []).toSorted();
  return [...new Set(['count', ...named.flat()])].toSorted();
}

test('every currency that is taken can be written, and is one that the runtime knows', () => {
  const known = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));
  const taken = [...known].filter(isCurrency);
  expect(taken.length).toBeGreaterThan(145);
  const those = ['eur', 'usd', 'chf', 'jpy', 'kwd', 'xof'];
  expect(taken).toEqual(expect.arrayContaining(those));
  expect(['dem', 'frf', 'xau', 'xxx', 'xts', 'eux', 'EUR', '', ...those].filter(isCurrency)).toEqual(those);
});
