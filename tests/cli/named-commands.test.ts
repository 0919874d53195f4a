/** Commands are data (src/core/commands.ts), and no help, hint or comment names one that does not exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.js';
import { Verb } from '../../src/cli/verb.js';

const ROOT = resolve(import.meta.dirname, '../..');
const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
const PROGRAM = createProgram({ ...streams, env: {} }, { isJson: false, done: () => undefined });

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

/** The command that the words begin with; undefined when the first one names none, or one is missing. */
function commandOf(words: readonly string[], command: Command = PROGRAM): Command | undefined {
  const [word = '', ...rest] = words;
  // Whatever follows is a command or a subject of the help.
  if (word === 'help') return command;
  const next = command.commands.find((each) => each.name() === word);
  if (!next)
    return command === PROGRAM || (command.commands.length > 0 && /^[a-z]/.test(word)) ? undefined : command;
  return commandOf(rest, next);
}

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
  const examples = verbsBelow(PROGRAM).flatMap(({ exampleText }) => [
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

function verbsBelow(command: Verb): Verb[] {
  return [command, ...command.commands.flatMap((each) => (each instanceof Verb ? verbsBelow(each) : []))];
}
