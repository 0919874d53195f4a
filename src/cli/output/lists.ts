/** Prints tables and records in one way. */
import type { Output, StateCell } from './output.js';
import type { Column } from './table.js';

type Cell = string | number | boolean | null | undefined;

export interface ListColumn<Row> extends Column {
  of: (row: Row, out: Output) => Cell | StateCell;
}

export function tellTable<Row>(out: Output, columns: readonly ListColumn<Row>[], rows: readonly Row[]): void {
  out.table(
    columns,
    rows.map((row) =>
      columns.map(({ of }) => {
        const cell = of(row, out) ?? '';
        return typeof cell === 'object' ? cell : String(cell);
      }),
    ),
  );
}

export type Field = readonly [name: string, value: Cell | StateCell];

const FIELDS: readonly ListColumn<Field>[] = [
  { head: 'FIELD', of: ([name], out) => (out.isTerminal ? inWords(name) : name) },
  { head: 'VALUE', isWhole: true, of: ([name, value], out) => shown(name, value, out) },
];

/** One thing with many fields, a line each; on a terminal addresses stand below, alone, to be copied whole. */
export function tellFields(out: Output, fields: readonly Field[]): void {
  const links = out.isTerminal
    ? fields.flatMap(([name, value]) => (isLink(value) ? [[name, value] as const] : []))
    : [];
  const plain = fields.filter(([, value]) => !(out.isTerminal && isLink(value)));
  tellTable(out, FIELDS, plain);
  for (const [name, url] of links) out.link(`${name}:`, url);
}

function shown(name: string, value: Cell | StateCell, out: Output): Cell | StateCell {
  if (typeof value === 'string' && (name === 'status' || name === 'state')) return { state: value };
  return isTime(value) ? out.time(value) : value;
}

/** `created at` for `createdAt`; the names of the providers' ids and links stay. */
function inWords(name: string): string {
  return /^(sign|payment)(Id|Url)$/.test(name)
    ? name
    : name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function isLink(value: Cell | StateCell): value is string {
  return typeof value === 'string' && /^https?:\/\/\S+$/.test(value);
}

function isTime(value: Cell | StateCell): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(value);
}
