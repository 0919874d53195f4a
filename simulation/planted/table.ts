/** The table of planted faults in docs/simulation.md: read, brought up to date, and written again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Row {
  /** How many seeds it took, such as `3`, or `not in 300`. */
  seeds: string;
  /** What the oracle said. */
  by: string;
  /** yyyy-mm-dd */
  date: string;
}

const DOCUMENT = join(import.meta.dirname, '../../../docs/simulation.md');
const HEAD = '| Planted fault | Seeds | Noticed as | Date |\n|---|--:|---|---|\n';
const NOT_PLAYED: Row = { seeds: 'not yet', by: '', date: '' };

/** Replaces the row of one fault. Faults that are not among `names` leave the table; new ones enter it. */
export function writeRow(names: readonly string[], name: string, row: Row): void {
  const text = readFileSync(DOCUMENT, 'utf8');
  const begin = text.indexOf(HEAD) + HEAD.length;
  const end = /^(?!\|)/m.exec(text.slice(begin))?.index ?? 0;
  const rows = rowsIn(text.slice(begin, begin + end)).set(name, row);
  const lines = names.map((each) => lineOf(each, rows.get(each) ?? NOT_PLAYED));
  writeFileSync(DOCUMENT, text.slice(0, begin) + lines.join('') + text.slice(begin + end));
}

export function rowsIn(table: string): Map<string, Row> {
  return new Map(
    table.split('\n').flatMap((line) => {
      const [, name, seeds, by, date] = line.split('|').map((cell) => cell.trim());
      return name && seeds ? [[name, { seeds, by: by ?? '', date: date ?? '' }]] : [];
    }),
  );
}

function lineOf(name: string, { seeds, by, date }: Row): string {
  return `| ${name} | ${seeds} | ${by} | ${date} |\n`;
}
