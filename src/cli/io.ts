/** The outside world as the command line sees it; tests pass their own. */
import type { Readable, Writable } from 'node:stream';
import type { WaysOut } from '../core/context.js';
import type { Interruption } from './run/interruption.js';
import type { Output } from './output/output.js';

export type OutStream = Writable & { isTTY?: boolean; columns?: number; rows?: number; fd?: number };
export type InStream = Readable & { isTTY?: boolean };

export interface CliIo {
  stdout: OutStream;
  stderr: OutStream;
  stdin: InStream;
  env: Record<string, string | undefined>;
  /** Aborted by Ctrl-C. */
  signal?: AbortSignal;
  /** Leaves Ctrl-C to the program that `work` runs on the terminal. */
  leaveCtrlC?: <T>(work: () => Promise<T>) => Promise<T>;
  waysOut?: WaysOut;
}

/** What every command is handed. */
export interface Shell {
  io: CliIo;
  out: Output;
  envFile: string | undefined;
  /** Only tell what would be done; false for a command that changes nothing. */
  dryRun: boolean;
  /** The caller's reason; kept in the history. */
  reason: string | undefined;
  /** Every question is answered with yes. */
  yes: boolean;
  /** Aborted by Ctrl-C: nothing new is to be begun. */
  signal: AbortSignal;
  interruption: Interruption;
}
