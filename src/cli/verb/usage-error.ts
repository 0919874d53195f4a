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

/** Stopped by the person at the terminal, by Ctrl-C or by saying no. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** The reason that was given; `why` says that it is needed. */
export function reasonOf({ reason }: { reason?: string | undefined }, why: string): string {
  if (!reason) throw new UsageError(`Why? ${why}`, 'Add --reason "…".');
  return reason;
}
