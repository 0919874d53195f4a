/** What the documents say about the code is compared with the code. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { EXIT } from '../src/cli/exit-codes.js';
import { createProgram } from '../src/cli/program.js';
import { COMMAND_NAMES } from '../src/core/commands.js';
import { REQUEST_MOVES } from '../src/core/lifecycle.js';
import { SETTINGS, type Setting } from '../src/core/settings/settings.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const COMMANDS = read('docs/commands.md');

test('the table of settings is the one in src/core/settings/settings.ts', () => {
  const table = /<!-- settings:[^\n]*-->\n\n([\s\S]*?)\n\n<!-- \/settings -->/.exec(
    read('docs/settings.md'),
  )?.[1];
  const rows = Object.entries<Setting>(SETTINGS).map(
    ([name, setting]) => `| \`${name}\` | ${shownDefault(setting)} | ${setting.about} |`,
  );
  expect(table).toBe(['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n'));
});

function shownDefault({ required, byDefault, found }: Setting): string {
  if (required) return 'required';
  if (found) return found.words;
  if (byDefault === undefined || (Array.isArray(byDefault) && byDefault.length === 0)) return 'none';
  return `\`${typeof byDefault === 'boolean' ? Number(byDefault) : (byDefault as string | number)}\``;
}

test('docs/commands.md lists each command of esignctl, those that core advises too, and none that does not exist', () => {
  const listed = [...COMMANDS.matchAll(/^\| `(esignctl [^`]+)` \|/gm)].map(
    ([, command]) => command as string,
  );
  for (const name of COMMAND_NAMES) expect(listed).toContain(`esignctl ${name}`);
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const program = createProgram({ ...streams, env: {} }, { isJson: false, done: () => undefined });
  expect(listed.toSorted()).toEqual(commandsBelow(program, 'esignctl').toSorted());
});

function commandsBelow(command: Command, name: string): string[] {
  if (command.commands.length === 0) return [name];
  return command.commands.flatMap((each) => commandsBelow(each, `${name} ${each.name()}`));
}

test('docs/commands.md lists each exit code', () => {
  const listed = [...COMMANDS.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  expect(listed).toEqual(Object.values(EXIT));
});

test('every file that CONTRIBUTING names exists', () => {
  const named = [...read('CONTRIBUTING.md').matchAll(/`((?:src|tests|docs)\/[^`]+)`/g)].map(
    ([, path]) => path as string,
  );
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('the diagram of README shows each move of a request, and no other', () => {
  const drawn = read('README.md').split('state "Request" as R {')[1]?.split('state "Contract"')[0] ?? '';
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
