/** The types of src/db/schema.ts from src/db/schema.sql: a table's columns, and the words that its constraints allow. */
import Database from 'better-sqlite3';

/** Names of the words of a column, where another than `<Row><Column>` says more. */
const NAMES: Readonly<Record<string, string>> = {
  'users.role': 'Role',
  'webhooks.event': 'EventName',
  'failingRuns.name': 'FailingName',
};

const HEAD = `/** Written by \`npm run schema\` from schema.sql, which says what each column means. Not to be edited. */
import type { Generated, GeneratedAlways, Selectable } from 'kysely';
`;

/** Of which no program ever has a whole row in its hands. */
const WITHOUT_ROWS: readonly string[] = [
  'auditTrails',
  'lanes',
  'installation',
  'roundPlaces',
  'counters',
  'settingsInForce',
  'probes',
  'customerTexts',
  'requestTexts',
  'customerWords',
  'requestWords',
];

const TYPES: Readonly<Record<string, string>> = {
  INTEGER: 'number',
  REAL: 'number',
  TEXT: 'string',
  BLOB: 'Buffer',
};

interface Table {
  name: string;
  type: 'table' | 'view' | 'virtual';
  sql: string;
}

interface Column {
  name: string;
  type: string;
  notnull: 0 | 1;
  dflt_value: string | null;
  pk: number;
  /** 2: generated. */
  hidden: number;
}

export function typesOf(schema: string): string {
  const db = new Database(':memory:');
  db.exec(schema);
  const tables = db
    .prepare<[], Table>(
      `SELECT s.name, l.type, s.sql FROM sqlite_schema s JOIN pragma_table_list l ON l.schema = 'main' AND l.name = s.name
       WHERE l.type IN ('table', 'view', 'virtual') AND s.name NOT LIKE 'sqlite%' ORDER BY s.rowid`,
    )
    .all();
  const words: string[] = [];
  const members = tables.map((table) => {
    const columns = table.type === 'virtual' ? [ROWID] : db.pragma(`table_xinfo(${table.name})`);
    const lines = (columns as Column[]).map((column) => {
      const allowed = wordsOf(table, column);
      const name = NAMES[`${table.name}.${column.name}`] ?? rowOf(table.name) + capital(column.name);
      if (allowed) words.push(`export type ${name} = ${allowed.map((word) => `'${word}'`).join(' | ')};\n`);
      return `    ${column.name}: ${typeOf(table, column, allowed && name)};\n`;
    });
    return `  ${table.name}: {\n${lines.join('')}  };\n`;
  });
  db.close();
  const names = tables.map(({ name }) => name).filter((name) => !WITHOUT_ROWS.includes(name));
  return [
    HEAD,
    words.join(''),
    `export interface Schema {\n${members.join('')}}\n`,
    names.map((name) => `export type ${rowOf(name)}Row = Selectable<Schema['${name}']>;\n`).join(''),
  ].join('\n');
}

/** Of a full-text index nothing else is read. */
const ROWID: Column = { name: 'rowid', type: 'INTEGER', notnull: 1, dflt_value: null, pk: 0, hidden: 0 };

/** What is stored by itself may be left out when a row is inserted. A view's columns are expressions, none of them null. */
function typeOf({ type: kind, sql }: Table, column: Column, words: string | undefined): string {
  const { name, type, pk, hidden, dflt_value } = column;
  const known = words ?? TYPES[type] ?? 'string';
  if (hidden > 1) return `GeneratedAlways<${known}>`;
  const isRowid = pk > 0 && new RegExp(`^ *(CREATE .*\\()?${name} INTEGER PRIMARY KEY`, 'm').test(sql);
  if (isRowid || dflt_value !== null) return `Generated<${known}>`;
  return column.notnull || pk > 0 || kind === 'view' ? known : `${known} | null`;
}

/** Of a constraint that says nothing but which words there are. */
function wordsOf({ sql }: Table, { name }: Column): string[] | undefined {
  const said = new RegExp(`^  ${name} TEXT.* CHECK \\((${name} .*?)\\)+,?(?: --.*)?$`, 'm').exec(sql)?.[1];
  if (said === undefined || !/^\w+ (= '|IN \()/.test(said)) return undefined;
  return [...said.matchAll(/'([^']+)'/g)].map(([, word]) => word as string);
}

/** `Delivery` of `deliveries`. */
function rowOf(table: string): string {
  return capital(table.replace(/ies$/, 'y').replace(/s$/, ''));
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
