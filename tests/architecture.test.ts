/**
 * Who may import whom: bin → server, cli, sandbox, demo; server and cli → core → db; db, sandbox and demo know nobody
 * of ours. Read from the source files themselves.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');

interface Import {
  /** Paths from the root. */
  from: string;
  to: string;
  isType: boolean;
  /** `import('…')`, which loads when it is called. */
  isLazy: boolean;
}

/** `bin`, or the folder below `src`. */
const partOf = (path: string) =>
  (path.startsWith('src/') ? path.split('/')[1] : path.split('/')[0]) as string;

const filesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));

const FILES = ['src', 'bin', 'sandbox', 'demo'].flatMap(filesBelow);

/** `import … from`, `export … from`, `import '…'` and `import('…')` of files of ours. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const statements = [
    ...text.matchAll(/^\s*(?:import|export)\s([^;'"]*?)from\s+'(\.[^']+)'/gm),
    ...text.matchAll(/()\bimport\s*\(?\s*'(\.[^']+)'/g),
  ];
  return statements.map(([whole, names = '', path = '']) => ({
    isLazy: /^import\s*\(/.test(whole),
    from: file,
    to: relative(ROOT, join(ROOT, dirname(file), path)),
    isType: isTypeOnly(names.trim()),
  }));
}

/** `type { A }`, or `{ type A, type B }`. */
function isTypeOnly(names: string): boolean {
  if (names.startsWith('type ')) return true;
  const list =
    /^\{(.*)\}$/s
      .exec(names)?.[1]
      ?.split(',')
      .map((name) => name.trim())
      .filter(Boolean) ?? [];
  return list.length > 0 && list.every((name) => name.startsWith('type '));
}

const IMPORTS = FILES.flatMap(importsOf);
const between = IMPORTS.filter(({ from, to }) => partOf(from) !== partOf(to));
const show = ({ from, to }: Import) => `${from} → ${to}`;

test('files and imports were found at all', () => {
  expect(FILES.length).toBeGreaterThan(100);
  expect(IMPORTS.length).toBeGreaterThan(300);
  expect(new Set(FILES.map(partOf))).toEqual(
    new Set(['bin', 'cli', 'core', 'db', 'demo', 'sandbox', 'server']),
  );
  expect(between.map(({ from, to }) => `${partOf(from)} → ${partOf(to)}`)).toContain('core → db');
});

/** A part may use these, types included. */
const MAY_USE: Record<string, string[]> = {
  bin: ['server', 'cli', 'sandbox', 'demo'],
  server: ['core'],
  cli: ['core'],
  core: ['db'],
  db: [],
  sandbox: [],
  demo: [],
};

test.each(Object.entries(MAY_USE))('%s uses nothing of ours but %o', (part, allowed) => {
  const wrong = between.filter(({ from, to }) => partOf(from) === part && !allowed.includes(partOf(to)));
  expect(wrong.map(show)).toEqual([]);
});

test('only db talks to SQLite', () => {
  const users = FILES.filter((file) =>
    /from '(better-sqlite3|kysely)'/.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  expect(users.length).toBeGreaterThan(0);
  expect([...new Set(users.map(partOf))]).toEqual(['db']);
});

test('files of db hold no clock: the time comes in', () => {
  const readers = FILES.filter(
    (file) =>
      partOf(file) === 'db' &&
      /new Date\(|Date\.now|CURRENT_TIMESTAMP/.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  expect(readers).toEqual([]);
});

test('the history is a log that nobody decides by: only what shows it, exports it or erases it reads it', () => {
  const naming = (pattern: RegExp) =>
    FILES.filter((file) => file.startsWith('src/') && pattern.test(readFileSync(join(ROOT, file), 'utf8')));
  const outside = (file: string) => partOf(file) !== 'db';
  expect(
    naming(/\b(list\w*History\w*|newestHistoryId)\b/)
      .filter(outside)
      .sort(),
  ).toEqual([
    'src/core/evidence/request-contents.ts',
    'src/core/explain/timeline.ts',
    'src/core/installation/daemon.ts',
    'src/core/personal-data/erase-user.ts',
    'src/core/personal-data/export-user.ts',
  ]);
  expect(
    naming(/(From|Join)\('history'|\b(from|join) "?history\b/i).filter((file) => !isMigration(file)),
  ).toEqual(['src/db/history/history.ts', 'src/db/users/erase.ts']);
});

const isMigration = (file: string) => file.startsWith('src/db/migrations/');

test('every import leads to a file that is there, by its .js name', () => {
  const missing = IMPORTS.filter(
    ({ to }) => to.endsWith('.js') && !FILES.includes(to.replace(/\.js$/, '.ts')),
  );
  expect(missing.map(show)).toEqual([]);
});

test('no files of the simulator import each other in a circle, types included', () => {
  const left = new Map(
    filesBelow('simulation').map((file) => [
      file,
      importsOf(file).map(({ to }) => to.replace(/\.js$/, '.ts')),
    ]),
  );
  expect([...left.values()].flat()).toContain('simulation/oracle/scene.ts');
  const outermost = () =>
    [...left].filter(([, uses]) => !uses.some((file) => left.has(file))).map(([file]) => file);
  for (let files = outermost(); files.length > 0; files = outermost())
    for (const file of files) left.delete(file);
  expect([...left.keys()]).toEqual([]);
});

test('no circle of files that import each other, types included, has more than ten', () => {
  const uses = new Map<string, string[]>();
  for (const { from, to, isLazy } of IMPORTS)
    if (!isLazy) uses.set(from, [...(uses.get(from) ?? []), to.replace(/\.js$/, '.ts')]);
  const reached = (file: string, seen = new Set<string>()): Set<string> => {
    for (const next of uses.get(file) ?? []) if (!seen.has(next)) reached(next, seen.add(next));
    return seen;
  };
  const below = new Map(FILES.map((file) => [file, reached(file)]));
  const circles = FILES.map((file) =>
    [...(below.get(file) ?? [])].filter((other) => below.get(other)?.has(file)).sort(),
  );
  expect(circles.some(({ length }) => length > 1)).toBe(true);
  expect(circles.filter(({ length }) => length > 10)).toEqual([]);
});

test('what `npm test` runs skips nothing, whatever is installed', () => {
  const files = filesBelow('tests').filter((file) => !/^tests\/(machines|package|pictures)\//.test(file));
  const skipping = files.filter((file) =>
    /\.(skip|skipIf|runIf|todo)\b/.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  expect(skipping).toEqual([]);
});
