/** The table of findings: whole in both languages, and what its words name is given. */
import { expect, test } from 'vitest';
import { finding, type Facts } from '../../src/core/explain/finding.js';
import { FINDINGS } from '../../src/core/explain/findings-table.js';
import { command } from '../../src/core/commands.js';

const ENTRIES = Object.entries(FINDINGS);

test.each(ENTRIES)('%s has words in both languages, which name the same', (_, { en, fr }) => {
  expect(namesIn(fr)).toEqual(namesIn(en));
  for (const words of [en, fr]) {
    expect(words).toMatch(/[.%]$/);
    // Every percent sign belongs to a name.
    expect(words.replaceAll(/%\w+%/g, '')).not.toContain('%');
  }
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
  ];
  expect(calls).toBeInstanceOf(Function);
});

function namesIn(words: string): string[] {
  return [...words.matchAll(/%(\w+)%/g)].map(([, name = '']) => name).toSorted();
}
