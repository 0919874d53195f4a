/** What the documents say about the code is compared with the code. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { COMMAND_NAMES } from '../src/core/commands.js';
import { REQUEST_MOVES } from '../src/core/lifecycle.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');

test('every file that CONTRIBUTING names exists, also those that it names without their folder', () => {
  const text = read('CONTRIBUTING.md');
  const paths = text.match(/(?<=`)(?:src|tests|docs|ops|bin)\/[^`]+(?=`)/g) ?? [];
  const names = text.match(/(?<=`)[\w-]+\.ts(?=`)/g) ?? [];
  expect(paths.length).toBeGreaterThan(15);
  expect(names.length).toBeGreaterThan(5);
  const ours = new Set(globSync('{src,tests,ops}/**/*.ts', { cwd: ROOT }).map((path) => basename(path)));
  expect([
    ...paths.filter((path) => !existsSync(join(ROOT, path))),
    ...names.filter((name) => !ours.has(name)),
  ]).toEqual([]);
});

test('the diagram of README shows each move of a request, and no other', () => {
  const drawn = read('README.md').split('state "Request" as R {')[1]?.split('```')[0] ?? '';
  const arrows = [...drawn.matchAll(/^ +(\w+) --> (\w+)/gm)].map(([, from, to]) => `${from} ${to}`);
  const moves = Object.values(REQUEST_MOVES).flatMap(({ from, to }) => from.map((each) => `${each} ${to}`));
  expect(arrows.toSorted()).toEqual(moves.toSorted());
});

test('each document is in the index', () => {
  const index = read('docs/README.md');
  const missing = readdirSync(join(ROOT, 'docs')).filter(
    (name) => name.endsWith('.md') && name !== 'README.md' && !index.includes(`](${name})`),
  );
  expect(missing).toEqual([]);
});

test('docs/commands.md lists each command that core advises', () => {
  const commands = read('docs/commands.md');
  expect(COMMAND_NAMES.filter((name) => !commands.includes(`| \`esignctl ${name}\` |`))).toEqual([]);
});

test('README has at most 150 lines', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

test('each section of docs/rules.md that the code cites exists', () => {
  const rules = read('docs/rules.md');
  const sections = new Set([...rules.matchAll(/^## (\d+) /gm)].map(([, number]) => number));
  const cited = ['src', 'tests', 'bench', 'ops'].flatMap(citations);
  expect(cited.length).toBeGreaterThan(100);
  expect(cited.filter(({ section }) => !sections.has(section))).toEqual([]);
});

/** Each section that a comment cites: `rules 5`, `rules 2, 5`. */
function citations(folder: string): { file: string; section: string }[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const text = readFileSync(join(ROOT, folder, name), 'utf8');
      return [...text.matchAll(/\brules (\d+(?:\.\d+)?(?:, \d+(?:\.\d+)?)*)/g)]
        .flatMap(([, numbers = '']) => numbers.split(', '))
        .map((section) => ({ file: `${folder}/${name}`, section }));
    });
}

test.each(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...docs()])(
  'the links of %s lead somewhere',
  (file) => {
    const text = read(file);
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target]) => target as string);
    expect(targets.filter((target) => !existsSync(join(ROOT, dirname(file), target)))).toEqual([]);
  },
);

function docs(): string[] {
  const files = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  return files.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
}
