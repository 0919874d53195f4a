/** The tables of the documents are made from the code, and the conditions in them are those of the code. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CONTRACT_STATUSES, REQUEST_STATUSES } from '../src/core/lifecycle.js';
import { troubleOf } from '../src/core/payment/apply.js';
import { standingOf, STATES } from '../src/core/payment/decide.js';
import { standingOf as standingOfSignature } from '../src/core/signature/standing.js';
import type { ContractRow, RequestRow } from '../src/db/schema.js';
import { STANDINGS, TROUBLES } from '../ops/documents/payment.js';
import { SIGNATURE_STANDINGS } from '../ops/documents/signature.js';
import { firstOf } from '../ops/documents/table.js';
import { TABLES, withTables } from '../ops/documents/tables.js';

const read = (name: string) => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');

test.each(Object.keys(TABLES))('the tables of docs/%s are those that `npm run documents` writes', (name) => {
  expect(read(name)).toBe(withTables(name, read(name)));
});

test('docs/rules.md can be read: no sentence is longer than 30 words', () => {
  const lines = read('rules.md').split('\n');
  // Of tables, each cell is a paragraph.
  const paragraphs = lines
    .map((line) =>
      line.startsWith('|') ? line.replaceAll('|', '\n\n') : line.replace(/^(- |\d\. )/, '\n\n'),
    )
    .join('\n')
    .split(/\n\s*\n/);
  const sentences = paragraphs.flatMap((paragraph) => paragraph.split(/[.?]\s/));
  expect(sentences.filter((sentence) => sentence.split(/\s+/).length > 30)).toEqual([]);
});

const BOTH = [true, false];

test('the conditions in the table of how a payment stands are those of the code, for each two sessions', () => {
  const one = STATES.flatMap((state) => BOTH.map((isOfCurrentContract) => ({ state, isOfCurrentContract })));
  const all = [[], ...one.map((row) => [row]), ...one.flatMap((row) => one.map((other) => [row, other]))];
  for (const status of REQUEST_STATUSES)
    for (const rows of all) expect(standingOf(status, rows)).toBe(firstOf(STANDINGS, { status, rows }));
});

test('the conditions in the table of how a signature stands are those of the code', () => {
  const NOW = '2026-03-02T09:00:00.500Z';
  const times = [null, '2026-03-02T08:59:59.999Z', '2026-03-02T09:00:00.000Z', '2026-03-03T09:00:00.000Z'];
  const contracts = CONTRACT_STATUSES.flatMap((status) =>
    (['unsent', 'asked', 'sent'] as const).flatMap((sending) =>
      ([null, 'late', 'foreign', 'elsewhere'] as const).flatMap((told) =>
        times.flatMap((expiredAt) =>
          [null, NOW].map((failedSigningAt) => ({ status, sending, told, expiredAt, failedSigningAt })),
        ),
      ),
    ),
  );
  for (const status of REQUEST_STATUSES)
    for (const contract of [undefined, ...contracts])
      expect(standingOfSignature({ status }, contract, NOW)).toBe(
        firstOf(SIGNATURE_STANDINGS, { status, contract, now: NOW }),
      );
});

test('the conditions in the table of cases are those of the code', () => {
  const price = { amount: 9_900, currency: 'eur' };
  for (const status of REQUEST_STATUSES)
    for (const contract of CONTRACT_STATUSES)
      for (const isOfCurrentContract of BOTH)
        for (const hasPrice of BOTH) {
          const its = { id: 1, status: contract, ...price } as ContractRow;
          const current = isOfCurrentContract ? its : { ...its, id: 2 };
          const money = hasPrice ? price : { ...price, amount: 9_800 };
          expect(troubleOf({ request: { status } as RequestRow, contract: current }, its, money)).toBe(
            firstOf(TROUBLES, { status, contract, isOfCurrentContract, hasPrice }),
          );
        }
});
