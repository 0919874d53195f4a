/** Commands are data (src/core/commands.ts), and no help, hint or comment names one that does not exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { BuiltCommand } from '../../../src/cli/verb/build.js';
import { commandOf, PROGRAM } from '../../support/command-line.js';

const ROOT = resolve(import.meta.dirname, '../../..');
interface Line {
  file: string;
  text: string;
}

const LINES: Line[] = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) =>
    readFileSync(join(ROOT, 'src', file), 'utf8')
      .split('\n')
      .map((text) => ({ file, text })),
  );
const isComment = ({ text }: Line) => /^\s*(?:\/\*\*|\*|\/\/)/.test(text);

test('what stands in backticks or after a colon after `esignctl` is a command or a group', () => {
  const named = LINES.flatMap(({ file, text }) =>
    [...text.matchAll(/(?:[`|]|: |-r )esignctl ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)].map(([, words = '']) => ({
      file,
      words,
    })),
  );
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter(({ words }) => !commandOf(words.split(' ')))).toEqual([]);
});

test('no text of core writes a command out', () => {
  const written = LINES.filter((line) => line.file.startsWith('core/') && !isComment(line)).filter(
    ({ text }) => /esignctl [a-z]/.test(text),
  );
  expect(written).toEqual([]);
});

test('every example in the help is a command with options that it has', () => {
  const examples = commandsBelow(PROGRAM).flatMap(({ exampleText }) => [
    ...exampleText.matchAll(/\$ esignctl (.*)/g),
  ]);
  expect(examples.length).toBeGreaterThan(60);
  const wrong = examples.flatMap(([, line = '']) => {
    const own = line.replace(/ [|>] .*/, '');
    const command = commandOf(own.split(' '));
    const known = [PROGRAM, command].flatMap((each) => each?.options.map(({ long }) => long) ?? []);
    const options = [...own.matchAll(/ (--[a-z-]+)/g)].map(([, option = '']) => option);
    return command && options.every((option) => option === '--help' || known.includes(option)) ? [] : [line];
  });
  expect(wrong).toEqual([]);
});

test('every option that goes with an advised command is one that it has', () => {
  const advised = LINES.map(({ text }) => text)
    .join('\n')
    .matchAll(/command\('([a-z -]+)'(?:(?!command\()[^;]){0,80}?options: \[([^\]]*)\]/g);
  const given = [...advised].flatMap(([, name = '', options = '']) =>
    [...options.matchAll(/'(--[a-z-]+)'/g)].map(([, option = '']) => ({ name, option })),
  );
  expect(given.length).toBeGreaterThan(12);
  const has = (name: string) => commandOf(name.split(' '))?.options.map(({ long }) => long) ?? [];
  const shared = PROGRAM.options.map(({ long }) => long);
  expect(given.filter(({ name, option }) => ![...has(name), ...shared].includes(option))).toEqual([]);
});

function commandsBelow(command: BuiltCommand): BuiltCommand[] {
  return [
    command,
    ...command.commands.flatMap((each) => (each instanceof BuiltCommand ? commandsBelow(each) : [])),
  ];
}
