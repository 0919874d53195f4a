/** Rows of a declared noun, as commands print them. Imported when one runs: their help needs no texts. */
import type { Described, Field } from '../../core/resources/resource.js';
import { csvLines, documentOf, plain, shownFields, shownOf } from '../../core/resources/show.js';
import type { Reader } from '../../core/texts/format.js';
import { inLanguage } from '../../core/users/names.js';
import { tellTable, type ListColumn } from './lists.js';
import { ENGLISH, type Output } from './output.js';

/** The documents with --json, else a table, or a file that speaks the language of the settings. */
export function tellRows<Row>(
  out: Output,
  noun: Described<Row>,
  rows: Iterable<Row>,
  { config, isCsv }: { config: Reader; isCsv: boolean },
): void {
  if (isCsv) {
    for (const line of csvLines(noun, rows, config)) out.text(line);
    return;
  }
  const all = [...rows];
  out.result(documentsOf(noun, all, config), () => tellRowsOf(out, noun, all, config));
}

export function documentsOf<Row>(
  noun: Described<Row>,
  rows: readonly Row[],
  config: Reader,
): Record<string, unknown>[] {
  const reader = inLanguage(config, 'en');
  return rows.map((row) => documentOf(noun, row, reader));
}

export function tellRowsOf<Row>(
  out: Output,
  noun: Described<Row>,
  rows: readonly Row[],
  config: Reader,
): void {
  tellTable(out, columnsOf(noun, inLanguage(config, 'en')), rows);
}

/** Columns that may shrink stand last. */
function columnsOf<Row>(noun: Described<Row>, reader: Reader): ListColumn<Row>[] {
  const { spare = [] } = noun;
  return shownFields(noun)
    .toSorted(([, a], [, b]) => roomOf(a) - roomOf(b))
    .map(([name, field]) => columnOf(name, field, { spare: spare.indexOf(name), reader }));
}

function roomOf<Row>({ kind, isLong, isLink }: Field<Row>): number {
  return isLink ? 3 : isLong ? 2 : kind === 'address' ? 1 : 0;
}

function columnOf<Row>(
  name: string,
  field: Field<Row>,
  { spare, reader }: { spare: number; reader: Reader },
): ListColumn<Row> {
  const { kind, of, isLong = false, isWhole = false, isLink = false, isNumber, isSaid, isTyped } = field;
  const cell = (row: Row, out: Output) => {
    const shown = shownOf(field, row, reader, ENGLISH);
    if (typeof shown === 'string')
      return (out.isTerminal && !isTyped) || isSaid ? out.timesIn(shown) : plain(of(row));
    return 'time' in shown ? out.time(shown.time) : shown;
  };
  return {
    head: field.head ?? name.replaceAll(/(?=[A-Z])/g, ' ').toUpperCase(),
    ...((kind === 'id' || isNumber) && { align: 'right' }),
    ...(spare >= 0 && { spare }),
    isLink,
    isWide: isLong && !isWhole,
    isWhole,
    of: cell,
  };
}
