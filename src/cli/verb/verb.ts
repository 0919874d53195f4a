/** A command as a record: its help, what it takes, whether it changes something, and what it runs. */
import type { Data } from '../../core/installation/data.js';
import type { ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import type { Session } from '../run/open.js';
import { asReason, flag, param, type Given, type Params } from './params.js';

interface HelpText {
  /** One line, in the help above it too. */
  about: string;
  /** Below the options. */
  text?: string;
  /** What follows the command's name. */
  examples: readonly string[];
}

export interface CommandRecord<A extends Params, O extends Params> extends HelpText {
  args?: A;
  options?: O;
  /** It changes something: it takes --dry-run, --reason and --yes. Words describe --reason. */
  changes?: boolean | string;
  /** Throws a UsageError for what cannot be given together, before anything is opened. */
  check?: (shell: Shell, given: Given<A, O>) => void;
  /** What it does: without the data, reading them, or with all that acts. One that returns no exit code is done. */
  run?: Run<Shell, Given<A, O>>;
  read?: Run<Shell & Data, Given<A, O>>;
  act?: Run<Shell & Session, Given<A, O>>;
}

/** The record is loaded at every start, so this imports what it needs. */
type Run<S extends Shell, G> = (shell: S, given: G) => Promise<ExitCode | void>;

export interface Explained extends HelpText {
  /** Its words, below the program's name. */
  path: string;
}

export type DeclaredCommand = Explained & CommandRecord<Params, Params>;

export interface DeclaredGroup extends Explained {
  commands: readonly DeclaredCommand[];
}

/** The types of what it is given follow from its parsers. */
export function verb<A extends Params = {}, O extends Params = {}>(
  path: string,
  record: CommandRecord<A, O>,
): DeclaredCommand {
  return { path, ...(record as unknown as CommandRecord<Params, Params>) };
}

export function group(path: string, words: HelpText, commands: readonly DeclaredCommand[]): DeclaredGroup {
  return { path, ...words, commands };
}

/** The options of a command that changes something; they come with the shell. */
export function changing(reason = 'why; kept in the history') {
  return {
    dryRun: flag('tell what would be done, and change nothing'),
    reason: param(reason, asReason, { word: 'text' }),
    yes: flag('answer every question with yes'),
  };
}
