/** The tables of docs/rules.md are made from the code. `WRITE_TABLES=1 npx vitest run tests/rules.test.ts` writes them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CONTRACT_STATUSES, REQUEST_STATUSES } from '../src/core/lifecycle.js';
import { troubleOf } from '../src/core/payment/apply.js';
import { standingOf } from '../src/core/payment/decide.js';
import { STATES } from '../src/core/payment/facts.js';
import { standingOf as standingOfSignature } from '../src/core/signature/standing.js';
import type { ContractRow, RequestRow } from '../src/db/schema.js';
import { jobsTable } from './support/rules/jobs.js';
import { movesTable } from './support/rules/moves.js';
import { stepsTable } from './support/rules/next-step.js';
import { STANDINGS, standingTable, statesTable, TROUBLES, troublesTable } from './support/rules/payment.js';
import { decisionTable, SIGNATURE_STANDINGS, signatureStandingTable } from './support/rules/signature.js';
import { firstOf } from './support/rules/table.js';

const RULES = fileURLToPath(new URL('../docs/rules.md', import.meta.url));

const TABLES: Readonly<Record<string, () => string>> = {
  moves: movesTable,
  'next-step': stepsTable,
  'payment-states': statesTable,
  'payment-standing': standingTable,
  'payment-cases': troublesTable,
  'signature-decision': decisionTable,
  'signature-standing': signatureStandingTable,
  jobs: jobsTable,
};

test.each(Object.entries(TABLES))('the table %s of docs/rules.md says what the code does', (name, make) => {
  const rules = readFileSync(RULES, 'utf8');
  const block = new RegExp(`(?<=<!-- ${name} -->\n)[\\s\\S]*?(?=\n\n)`);
  if (process.env['WRITE_TABLES']) writeFileSync(RULES, rules.replace(block, make));
  expect(block.exec(readFileSync(RULES, 'utf8'))?.[0]).toBe(make());
});

test('docs/rules.md can be read: no sentence is longer than 30 words', () => {
  const lines = readFileSync(RULES, 'utf8').split('\n');
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
