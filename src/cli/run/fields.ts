/** One thing with many fields, a line each; times are shown as everywhere. */
import type { Output } from '../output.js';
import type { Column } from '../table.js';

const COLUMNS: readonly Column[] = [{ head: 'FIELD' }, { head: 'VALUE', isWhole: true }];
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

export function fieldsTable(
  out: Output,
  fields: readonly (readonly [string, string | number | boolean | null])[],
): void {
  out.table(
    COLUMNS,
    fields.map(([name, value]) => [
      name,
      typeof value === 'string' && TIME.test(value) ? out.time(value) : String(value ?? ''),
    ]),
  );
}
