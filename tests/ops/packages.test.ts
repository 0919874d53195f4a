/**
 * What npm installs: nothing is compiled, nothing comes from a fixed address, a Node only where one is needed. And what it packs:
 * what runs, with the terms of all that it holds.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Entry {
  version: string;
  resolved?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  optional?: boolean;
  engines?: { node?: string };
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  engines: { node: string };
  allowScripts: Record<string, boolean>;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
};
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> };
const ENTRIES = Object.entries(lock.packages);

test('the lock names no address, so that every registry will do', () => {
  expect(ENTRIES.length).toBeGreaterThan(150);
  expect(ENTRIES.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});

test('no script of a package runs at its installation: nothing is compiled', () => {
  expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
  expect(Object.values(manifest.allowScripts)).not.toContain(true);
  const withScripts = ENTRIES.filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = withScripts.map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(Object.keys(manifest.allowScripts)).toEqual(expect.arrayContaining(names));
});

test('the floor is the same for npm, the launcher and the reader', () => {
  expect(manifest.engines.node).toBe('>=22.14');
  expect(read('bin/launch.cjs')).toContain('needs Node 22.14 or newer');
  expect(read('README.md')).toContain('You need Node 22.14 or newer');
});

test('npm brings a Node along where the one that runs it is too old, and nowhere else', () => {
  for (const architecture of ['x64', 'arm64']) {
    const name = `node-linux-${architecture}`;
    const entry = lock.packages[`node_modules/${name}`];
    expect(entry?.version).toBe(manifest.optionalDependencies[name]);
    // Written by hand: the package itself says nothing. npm leaves out an optional package whose engines do not fit.
    expect(entry?.engines).toEqual({ node: '<22.14.0 || >=23.0.0 <23.6.0' });
  }
});

const PROGRAMS = globSync('dist/bin/{esignctl,esignd}{.js,/*}', { cwd: ROOT });

/** `@a/b` of `@a/b/c`. */
const packageOf = (path: string) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? '';

test('npm packs what runs, its manual and its documents, and nothing else', () => {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: ROOT, encoding: 'utf8' }),
  ) as { files: { path: string }[] }[];
  const paths = (packed?.files ?? []).map(({ path }) => path);
  const files = ['LICENSE', 'README.md', 'CHANGELOG.md', 'package.json', 'src/db/schema.sql'];
  const built = ['dist/THIRD-PARTY-LICENSES', 'dist/assets/', 'dist/bin/', 'dist/man/'];
  const places = [...files, ...built, 'docs/', 'ops/'];
  expect(places.filter((place) => !paths.some((path) => path.startsWith(place)))).toEqual([]);
  expect(paths.filter((path) => !places.some((place) => path.startsWith(place)))).toEqual([]);
  expect(paths.filter((path) => /sandbox|demo|\.tsx?$|\.map$|\/ops\//.test(path))).toEqual([]);
});

test('what runs while it is replaced loads no file of the next version: a name holds the digest of its content', () => {
  const chunks = PROGRAMS.filter((file) => !/\/(?:esignctl|esignd|start)\.c?js$/.test(file));
  expect(chunks.filter((file) => !/-[\w-]{8}\.c?js$/.test(file))).toEqual([]);
});

test('the programs load no module of ours beside their bundles, and exactly the packages that npm installs', () => {
  const texts = PROGRAMS.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
  // A name that is no literal would be none of those found below.
  expect(texts.match(/(?:\.href|\.url)\)\([^"'][^)]*\)/g) ?? []).toEqual([]);
  // Also the package that a process of its own loads.
  const named = texts.matchAll(
    /(?:^(?:import|export) (?:[^"'\n;]* from )?|\b(?:import|require)\(|(?:\.href|\.url)\)\(|library: )["']((?:\.\.\/|@?[a-z])[\w@./-]*)["']/gm,
  );
  const loaded = [...named].map(([, name]) => name as string).filter((name) => !isBuiltin(name));
  expect(loaded.filter((name) => name.startsWith('..'))).toEqual([]);
  expect([...new Set(loaded.map(packageOf))].toSorted()).toEqual(Object.keys(manifest.dependencies));
});

test('the terms of all that is bundled, copied or installed are told', () => {
  const told = read('dist/THIRD-PARTY-LICENSES');
  const bundled = PROGRAMS.flatMap(
    (file) => readFileSync(join(ROOT, file), 'utf8').match(/(?<=^\/\/ node_modules\/).*/gm) ?? [],
  ).map(packageOf);
  const copied = globSync(['dist/assets/@*/*', 'dist/assets/[!@]*'], { cwd: ROOT })
    .map((path) => path.replace('dist/assets/', ''))
    .filter((name) => name !== 'esign');
  const installed = ENTRIES.filter(([path, { dev, optional }]) => path !== '' && !dev && !optional).map(
    ([path]) => path.replace(/^.*node_modules\//, ''),
  );
  for (const names of [bundled, copied, installed]) expect(names.length).toBeGreaterThan(8);
  const missing = [...bundled, ...copied, ...installed].filter((name) => !told.includes(`\n\n${name} `));
  expect([...new Set(missing)]).toEqual([]);
});
