/** What the core needs of a log; pino's has it. */
import type { Logger } from 'pino';

export type Log = Pick<
  Logger,
  'level' | 'isLevelEnabled' | 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'
>;

const nothing = (): void => undefined;

/** Writes nothing. Loading pino takes longer than many a command. */
export const SILENT: Log = {
  level: 'silent',
  isLevelEnabled: () => false,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};
