/** The tables of the documents that are made from the code. Each stands below its mark, up to the next empty line. */
import { createProgram } from '../../src/cli/program.js';
import { EXIT_CODES } from '../../src/cli/exit-codes.js';
import { FINDINGS, type Entry } from '../../src/core/explain/findings-table.js';
import { SETTINGS, type Setting } from '../../src/core/settings/settings.js';
import { leaves } from '../man/esignctl.js';
import { meaningsTable, membersTable, printedTable, shapesTable } from './json.js';
import { jobsTable } from './jobs.js';
import { movesTable } from './moves.js';
import { stepsTable } from './next-step.js';
import { standingTable, statesTable, troublesTable } from './payment.js';
import { decisionTable, signatureStandingTable } from './signature.js';
import { table, words } from './table.js';

/** By document, then by mark. */
export const TABLES: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'commands.md': { commands, 'exit-codes': exitCodes },
  'cli-json.md': {
    members: membersTable,
    meanings: meaningsTable,
    shapes: shapesTable,
    printed: printedTable,
    findings,
  },
  'rules.md': {
    moves: movesTable,
    'next-step': stepsTable,
    'payment-states': statesTable,
    'payment-standing': standingTable,
    'payment-cases': troublesTable,
    'signature-decision': decisionTable,
    'signature-standing': signatureStandingTable,
    jobs: jobsTable,
  },
  'settings.md': { settings },
};

/** The document with its tables written anew. */
export function withTables(name: string, document: string): string {
  return Object.entries(TABLES[name] ?? {}).reduce((text, [mark, make]) => {
    const block = new RegExp(`(?<=<!-- ${mark} -->\n)[\\s\\S]*?(?=\n\n|\n$)`);
    if (!block.test(text)) throw new Error(`${name} has no mark ${mark}`);
    return text.replace(block, make);
  }, document);
}

function commands(): string {
  const program = createProgram(process, { isJson: false, done: () => undefined });
  const rows = leaves(program).map(({ command, name }) => [`\`${name}\``, command.description()]);
  return table(['Command', 'Does'], rows);
}

function exitCodes(): string {
  return table(
    ['Exit code', 'Meaning'],
    EXIT_CODES.map(([code, meaning]) => [String(code), meaning]),
  );
}

function settings(): string {
  const rows = Object.entries<Setting>(SETTINGS).map(([name, setting]) => [
    `\`${name}\``,
    shownDefault(setting),
    setting.about,
  ]);
  return table(['Variable', 'Default', 'Meaning'], rows);
}

function shownDefault({ required, byDefault, found }: Setting): string {
  if (required) return 'required';
  if (found) return found.words;
  if (byDefault === undefined || (Array.isArray(byDefault) && byDefault.length === 0)) return 'none';
  return `\`${typeof byDefault === 'boolean' ? Number(byDefault) : (byDefault as string | number)}\``;
}

function findings(): string {
  const all = Object.entries<Entry>(FINDINGS);
  const rows = all.map(([key, { causes }]) => [words([key]), causes && words(Object.keys(causes))] as const);
  return table(
    ['Key', 'Cause'],
    [
      ...rows.flatMap(([key, causes]) => (causes === undefined ? [] : [[key, causes]])),
      [rows.flatMap(([key, causes]) => (causes === undefined ? [key] : [])).join(', '), '–'],
    ],
  );
}
