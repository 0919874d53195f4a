/** Why a command does not run, or not to its end: it was called wrongly, lacks a reason or a change, or was stopped. */
import type { Advice } from '../../core/commands.js';

/** Wrong usage; nothing was done. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code: string;
  readonly hint: Advice | undefined;

  constructor(message: string, hint?: Advice, code = 'wrong_usage') {
    super(message);
    this.hint = hint;
    this.code = code;
  }
}

/** `names`: the options that say what is to change; without any, nothing would. */
export function mustChange(given: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  if (names.some((name) => given[name] !== undefined)) return;
  const flags = names.map(longOption);
  const last = flags.pop();
  throw new UsageError('Nothing to change was given.', `Add ${flags.join(', ')} or ${last}.`);
}

/** `--first-name` for `firstName`. */
export function longOption(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Stopped by the person at the terminal, by Ctrl-C or by saying no. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** The reason that was given; `why` says that it is needed. */
export function reasonOf({ reason }: { reason?: string | undefined }, why: string): string {
  if (!reason) throw new UsageError(`Why? ${why}`, 'Add --reason "…".');
  return reason;
}
