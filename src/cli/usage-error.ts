/** The command cannot run as it was called; nothing was done. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code: string;
  readonly hint: string | undefined;

  constructor(message: string, hint?: string, code = 'wrong_usage') {
    super(message);
    this.hint = hint;
    this.code = code;
  }
}

/** The person at the terminal stopped it, by Ctrl-C or by saying no. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
