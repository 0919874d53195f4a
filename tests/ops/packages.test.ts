/** What npm installs: nothing is compiled, nothing comes from a fixed address, a Node only where one is needed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Entry {
  version: string;
  resolved?: string;
  hasInstallScript?: boolean;
  engines?: { node?: string };
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  engines: { node: string };
  allowScripts: Record<string, boolean>;
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
