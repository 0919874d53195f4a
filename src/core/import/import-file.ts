/**
 * Imports customers, their equipments and requests from one file (rules 6). A row is taken whole or not at all; what is there
 * already stays as it is, so that the same file changes nothing the second time, and one that was interrupted is imported again.
 */
import { findEquipmentBySerialNumber } from '../../db/equipments/equipments.js';
import { findRequestLike } from '../../db/requests/requests.js';
import type { EquipmentRow, UserRow } from '../../db/schema.js';
import { findUserByUsername } from '../../db/users/users.js';
import { z } from 'zod';
import { parseInput } from '../calls/input.js';
import { attempt, type Change, type Try } from '../change.js';
import type { Context } from '../context.js';
import { addEquipment, EQUIPMENT_FIELDS } from '../equipments/equipments.js';
import { AppError, BLANK, invalid } from '../errors.js';
import { mustBeOurCurrency } from '../prices/price-list.js';
import { addRequest, typedFields } from '../requests/enter-request.js';
import { folded } from '../search/search.js';
import { TEXTS, type LabelKey, type Locale } from '../texts/index.js';
import { addCustomer } from '../users/create-user.js';
import { LOCALES, normalUsername } from '../users/user-fields.js';
import { decoded, readCsv } from './read-csv.js';
import { keysOf } from '../pick.js';

/** With the headings that our own files give them. */
export const COLUMNS = {
  username: 'list.username',
  firstName: 'list.firstName',
  lastName: 'list.lastName',
  phone: 'list.phone',
  locale: 'list.locale',
  address: 'list.address',
  name: 'list.equipment',
  model: 'pdf.equipment.model',
  serialNumber: 'pdf.equipment.serial',
  title: 'list.request',
  description: 'evidence.description',
  amount: 'list.amount',
  currency: 'list.currency',
} as const satisfies Record<string, LabelKey>;

type Column = keyof typeof COLUMNS;
type Cells = Partial<Record<Column, string>>;

interface FileRow {
  line: number;
  cells: Cells;
}

interface Made {
  noun: 'customer' | 'equipment' | 'request';
  name: string;
}

export interface ImportedRow {
  line: number;
  /** Empty for what was there already, and for a row with a fault. */
  made: readonly Made[];
  /** What the row is about, as far as it is known. */
  about: readonly string[];
  fault: AppError | null;
}

export interface Imported {
  created: number;
  unchanged: number;
  failed: number;
  rows: ImportedRow[];
  /** The headings of columns that are none of ours. */
  ignored: string[];
}

export const IMPORT_BYTES_MAX = 5_000_000;
const ROWS_MAX = 10_000;
const COLUMNS_MAX = 200;

/** Throws `invalid` for a file that is none of ours; a row with a fault is told, and the others go in. */
export async function importFile(ctx: Context, bytes: Uint8Array, by: Try): Promise<Imported> {
  const { all, ignored } = rowsOf(bytes);
  const rows: ImportedRow[] = [];
  for (const portion of portionsOf(all))
    rows.push(
      ...(await attempt(ctx, by, (tx) =>
        portion.map(({ line, cells }) => ({ line, ...taken(ctx, tx, cells, by) })),
      )),
    );
  rows.sort((a, b) => a.line - b.line);
  const count = (outcome: Outcome) => rows.filter((row) => outcomeOf(row) === outcome).length;
  return { created: count('created'), unchanged: count('unchanged'), failed: count('failed'), rows, ignored };
}

/** So many rows are one change; then other work has its turn. */
const PORTION = 100;

/** All rows of a customer are in one: only they need what another has made, which a dry run takes back. */
function portionsOf(rows: readonly FileRow[]): FileRow[][] {
  const byCustomer = Map.groupBy(rows, ({ cells }) => normalUsername(cells.username ?? ''));
  const portions: FileRow[][] = [];
  for (const some of byCustomer.values()) {
    const last = portions.at(-1);
    if (last && last.length + some.length <= PORTION) last.push(...some);
    else portions.push(some);
  }
  return portions;
}

export type Outcome = 'created' | 'unchanged' | 'failed';

export function outcomeOf({ made, fault }: ImportedRow): Outcome {
  return fault ? 'failed' : made.length > 0 ? 'created' : 'unchanged';
}

/** Each row in one line of words; its faults are as programs get them, unless `inWords` says them. */
export function importDocument({ rows, ...imported }: Imported, inWords = (fault: string) => fault) {
  const told = rows.map((row) => {
    const { line, made, about, fault } = row;
    const words = made.length > 0 ? made.map(({ noun, name }) => `${noun} ${name}`) : about;
    const faults = Object.entries(fault?.fields ?? {}).map(([name, each]) => `${name}: ${inWords(each)}`);
    const error = fault && (faults.join(' ') || fault.message);
    return { line, what: `${outcomeOf(row)} ${words.join(', ')}`.trim(), error };
  });
  return { ...imported, rows: told };
}

function rowsOf(bytes: Uint8Array): { all: FileRow[]; ignored: string[] } {
  if (bytes.length > IMPORT_BYTES_MAX) throw invalid({ file: 'The file is larger than 5 MB. Split it.' });
  const [head, ...rows] = readCsv(decoded(bytes));
  const headings = head?.cells ?? [];
  if (headings.length > COLUMNS_MAX)
    throw invalid({
      file: `The file has more than ${COLUMNS_MAX} columns. Remove those that are not imported.`,
    });
  const columns = headings.map(columnCalled);
  if (!columns.includes('username'))
    throw invalid({
      file: `The file has no username column. Its first line must name columns out of these: “${Object.keys(COLUMNS).join(', ')}”.`,
    });
  const twice = columns.find((name, i) => name !== undefined && columns.indexOf(name) < i);
  if (twice) throw invalid({ file: `The file has two columns “${twice}”. Remove one of them.` });
  if (rows.length > ROWS_MAX) throw invalid({ file: `The file has more than ${ROWS_MAX} rows. Split it.` });
  const all = rows.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(
      cells.flatMap((words, i) =>
        columns[i] && words.trim() !== '' ? [[columns[i], unmarked(words.trim())]] : [],
      ),
    ),
  }));
  return { all, ignored: headings.filter((heading, i) => !columns[i] && heading.trim() !== '') };
}

/** Our files put an apostrophe before what a spreadsheet would compute. */
function unmarked(words: string): string {
  return words.replace(/^'(?=\s*[=+\-@＝＋－＠])/, '');
}

function columnCalled(heading: string): Column | undefined {
  const plain = (words: string) => folded(words).replaceAll(/[^\p{L}]/gu, '');
  const isCalled = (name: Column) =>
    [name, ...LOCALES.map((locale) => TEXTS[COLUMNS[name]][locale])].some(
      (words) => plain(words) === plain(heading),
    );
  return keysOf(COLUMNS).find(isCalled);
}

function taken(ctx: Context, tx: Change, cells: Cells, by: Try): Omit<ImportedRow, 'line'> {
  try {
    return { ...take(ctx, tx, cells, by), fault: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { made: [], about: cells.username === undefined ? [] : [cells.username], fault: error };
  }
}

/** Everything is judged before anything of the row is written. */
function take(ctx: Context, tx: Change, cells: Cells, { dryRun = false }: Try) {
  const { username, name, model, serialNumber, title, description, amount, currency } = cells;
  if (username === undefined) throw invalid({ username: BLANK });
  const customer = findUserByUsername(tx.db, { username: normalUsername(username) });
  const made: Made[] = [];
  const equipment =
    serialNumber !== undefined && customer
      ? findEquipmentBySerialNumber(tx.db, { ownerId: customer.id, serialNumber })
      : undefined;
  const hasRequest = title !== undefined || description !== undefined || amount !== undefined;
  const hasEquipment = name !== undefined || model !== undefined || serialNumber !== undefined;
  const typed = hasRequest
    ? parseInput(z.object(typedFields(ctx)), { title, description, amount })
    : undefined;
  const thing =
    hasRequest || hasEquipment
      ? (equipment ?? parseInput(z.object(EQUIPMENT_FIELDS), { name, model, serialNumber }))
      : undefined;
  if (amount !== undefined) mustBeOurCurrency(ctx.config, currency);
  const owner: UserRow =
    customer ?? addCustomer(ctx, tx, { ...cells, username, locale: cells.locale as Locale });
  if (!customer) made.push({ noun: 'customer', name: owner.username });
  const owned: EquipmentRow | undefined =
    thing && (equipment ?? addEquipment(tx, { ...thing, ownerId: owner.id }));
  if (owned && !equipment) made.push({ noun: 'equipment', name: owned.serialNumber });
  const isThere = typed && owned && findRequestLike(tx.db, { equipmentId: owned.id, ...typed });
  if (typed && owned && !isThere) {
    const { request } = addRequest(ctx, tx, { ...typed, equipmentId: owned.id });
    // Which reference it gets is known when it is made.
    made.push({ noun: 'request', name: dryRun ? request.title : request.reference });
  }
  return {
    made,
    about: [owner.username, owned?.serialNumber ?? [], isThere?.reference ?? []].flat(),
  };
}
