/** The commands of esignctl, and whether it would take an advised one; nothing is run. */
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { createProgram } from '../../src/cli/program.js';

const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
export const PROGRAM = createProgram({ ...streams, env: {} }, { isJson: false, done: () => undefined });

/** Every command and every group of commands, by its words. */
export const COMMANDS = wordsBelow(PROGRAM);

/** What can be run. */
export const LEAVES = COMMANDS.filter((words) => commandOf(words)?.commands.length === 0);

function wordsBelow({ commands }: Command): string[][] {
  return commands.flatMap((command) => [
    [command.name()],
    ...wordsBelow(command).map((words) => [command.name(), ...words]),
  ]);
}

export const takes = (words: readonly string[], option: string): boolean =>
  commandOf(words)?.options.some(({ long }) => long === option) ?? false;

/** The command that the words begin with; undefined when the first one names none, or one is missing. */
export function commandOf(words: readonly string[], command: Command = PROGRAM): Command | undefined {
  const [word = '', ...rest] = words;
  // Whatever follows is a command or a subject of the help.
  if (word === 'help') return command;
  const next = command.commands.find((each) => each.name() === word);
  if (!next)
    return command === PROGRAM || (command.commands.length > 0 && /^[a-z]/.test(word)) ? undefined : command;
  return commandOf(rest, next);
}

/** What is wrong with the words after the program's name; empty when it would run. */
export function faultsOf(words: readonly string[]): string[] {
  const command = commandOf(words);
  if (!command) return [`no command: ${words.join(' ')}`];
  const depth = command.parent === PROGRAM ? 1 : 2;
  const { operands, unknown } = command.parseOptions(words.slice(depth));
  const global = PROGRAM.options.map(({ long }) => long as string);
  const takes = command.registeredArguments;
  const least = takes.filter(({ required }) => required).length;
  const most = takes.some(({ variadic }) => variadic) ? Infinity : takes.length;
  return [
    ...unknown
      .filter((word) => word.startsWith('-') && !global.includes(word))
      .map((word) => `${word} is no option`),
    ...(operands.length < least ? ['an argument is missing'] : []),
    ...(operands.length > most ? [`${operands.at(-1)} is one too many`] : []),
  ].map((fault) => `${words.join(' ')}: ${fault}`);
}
