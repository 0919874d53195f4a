/** The table of findings: whole in both languages, and everything that it names is there. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { command } from '../../../src/core/commands.js';
import { finding, type Facts } from '../../../src/core/explain/finding.js';
import { FINDINGS, type Entry, type FindingKey } from '../../../src/core/explain/findings-table.js';
import { NEED_KINDS } from '../../../src/core/needs/kinds.js';
import { isTextKey, TEXTS } from '../../../src/core/texts/index.js';
import { faultsOf } from '../../support/command-line.js';

const ENTRIES: [string, Entry][] = Object.entries(FINDINGS);

interface Case extends Omit<Entry, 'causes'> {
  key: string;
  cause: string | null;
}

/** Each finding with each of its causes. */
const CASES: Case[] = ENTRIES.flatMap<Case>(([key, { causes, ...entry }]) =>
  causes === undefined
    ? [{ key, cause: null, ...entry }]
    : Object.entries(causes).map(([cause, own]) => ({
        key,
        cause,
        ...entry,
        ...own,
        en: entry.en.replace('%cause%', own.en),
        fr: entry.fr.replace('%cause%', own.fr),
      })),
);

test.each(CASES)('$key $cause has a whole sentence in both languages, which name the same', (one) => {
  expect(namesIn(one.fr)).toEqual(namesIn(one.en));
  for (const words of [one.en, one.fr]) {
    expect(words).toMatch(/^(?:\p{Lu}|%).*[.%]$/u);
    // Every percent sign belongs to a name, and the cause stands in its place.
    expect(words.replaceAll(/%\w+%/g, '')).not.toContain('%');
    expect(words).not.toContain('%cause%');
    expect(words).not.toMatch(/ {2}|\.\.|\.:/);
    // A command is data.
    expect(words.replaceAll('`%command%`', '')).not.toContain('`');
  }
});

test('what has several causes names them, and nothing else has one', () => {
  const wrong = ENTRIES.filter(
    ([, { causes, en: words }]) => (causes !== undefined) !== words.includes('%cause%'),
  );
  expect(wrong).toEqual([]);
  const one = ENTRIES.filter(([, { causes }]) => causes !== undefined && Object.keys(causes).length < 2);
  expect(one).toEqual([]);
});

test('every command of the table is one that esignctl reads', () => {
  const faults = ENTRIES.flatMap(([, { next }]) => {
    if (next === undefined || next === 'given') return [];
    return faultsOf([...next.split(' '), ...(next === 'doctor' || next === 'takeover' ? [] : ['1'])]);
  });
  expect(faults).toEqual([]);
});

test('every kind of need and every reply is one that there is; only trouble needs the office', () => {
  const wrong = CASES.filter(
    ({ level, need, reply }) =>
      (need !== undefined && (!NEED_KINDS.includes(need) || level !== 'trouble')) ||
      (reply !== undefined && !isTextKey(`reply.${reply}`)),
  );
  expect(wrong).toEqual([]);
});

/** Of these files together. */
const sourceOf = (folder: string, isIn: (file: string) => boolean = () => true) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('findings-table.ts') && isIn(file))
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
    .join('\n');

test('every finding is made somewhere, every reply is given, and every cause', () => {
  const source = sourceOf('src/core/explain');
  const isGiven = (word: string) => source.includes(`'${word}'`);
  expect(ENTRIES.map(([key]) => key).filter((key) => !isGiven(key))).toEqual([]);
  const given = new Set(CASES.map(({ reply }) => `reply.${reply}`));
  const replies = Object.keys(TEXTS).filter((key) => key.startsWith('reply.'));
  expect(replies.filter((key) => !given.has(key) && !isGiven(key.replace('reply.', '')))).toEqual([]);
  // Also by those who hand a cause on.
  const core = sourceOf('src/core', (file) => !file.startsWith('texts/'));
  const causes = CASES.flatMap(({ cause }) => cause ?? []);
  expect(causes.filter((cause) => !core.includes(`'${cause}'`))).toEqual([]);
});

test('a finding without what its words name, or without its command, does not compile', () => {
  const calls = (facts: Facts) => [
    // @ts-expect-error: no such finding
    finding(facts, 'unheard_of'),
    // @ts-expect-error: its words name a date
    finding(facts, 'waiting_for_customer'),
    // @ts-expect-error: they name no day
    finding(facts, 'waiting_for_customer', { day: '2026-03-02' }),
    // @ts-expect-error: what to run depends on the jobs
    finding(facts, 'jobs_failed', { names: 'e-mail', error: '–' }),
    // @ts-expect-error: it always has the same command
    finding(facts, 'held', {}, command('doctor')),
    // @ts-expect-error: it has several causes
    finding(facts, 'sent_unrecorded', {}),
    // @ts-expect-error: no such cause
    finding(facts, 'sent_unrecorded', { cause: 'unheard_of' }),
    // @ts-expect-error: the words of this cause name what the customer said
    finding(facts, 'ended', { cause: 'declined_because', again: '…' }, command('reset-signature', 1)),
    // @ts-expect-error: a command is data
    finding(facts, 'finished', { cause: 'canceled', command: 'esignctl requests reopen 1' }),
  ];
  expect(calls).toBeInstanceOf(Function);
  const keys: readonly FindingKey[] = ['ended', 'held'];
  expect(keys.every((key) => key in FINDINGS)).toBe(true);
});

function namesIn(words: string): string[] {
  return [...words.matchAll(/%(\w+)%/g)].map(([, name = '']) => name).toSorted();
}
