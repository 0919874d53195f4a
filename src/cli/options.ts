/** Arguments and options that several commands share, and the foot of their help. Loaded at every start: nothing heavy here. */
import { InvalidArgumentError, type Command } from 'commander';
import { isBlank } from '../core/texts/plain.js';
import { EXIT_CODES_HELP } from './exit-codes.js';

/** A request as it was typed. */
export interface RequestArgument {
  id: number;
  /** Present when a reference was typed: the year must fit too. */
  year?: string;
}

const REFERENCE = /^REQ-(\d{4})-(\d{1,15})$/i;

/** `123` or `REQ-2026-000123`, in any letter case. */
export function requestArgument(text: string): RequestArgument {
  const [, year, number = text] = REFERENCE.exec(text) ?? [];
  const id = numberOf(number, 'Give the number of a request, or its reference such as REQ-2026-000123.');
  return year === undefined ? { id } : { id, year };
}

export const REQUEST_ARGUMENT = 'number of the request, or its reference such as REQ-2026-000123';

/** For variadic ids: each once, in the order they were typed. */
export function idList(text: string, before: number[] = []): number[] {
  const id = idArgument(text);
  return before.includes(id) ? before : [...before, id];
}

export function idArgument(text: string): number {
  return numberOf(text, 'Give a number, as the list shows it.');
}

export function limitOption(text: string): number {
  return numberOf(text, 'Give a whole number, 1 or more.');
}

export function textOption(text: string): string {
  if (isBlank(text)) throw new InvalidArgumentError('It must not be empty.');
  return text.trim();
}

/** The options of a command that changes something. `reason` tells what becomes of the reason. */
export function changing(command: Command, reason = 'why; kept in the history'): Command {
  return command
    .option('--dry-run', 'tell what would be done, and change nothing')
    .option('--reason <text>', reason, textOption)
    .option('--yes', 'answer every question with yes');
}

/** Examples and exit codes below a command's help. */
export function examples(command: Command, ...lines: string[]): Command {
  const shown = lines.map((line) => `  $ esignctl ${line}`).join('\n');
  return command.addHelpText('after', `\nExamples:\n${shown}\n\n${EXIT_CODES_HELP}`);
}

function numberOf(text: string, complaint: string): number {
  const number = Number(text);
  if (!/^\d{1,15}$/.test(text) || number < 1) throw new InvalidArgumentError(complaint);
  return number;
}
