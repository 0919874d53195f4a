/**
 * The log of the daemon: JSON lines on stderr, the first and the last ones too. In the journal each line carries its
 * priority, so that `journalctl -p warning` finds those that somebody should read.
 */
import { fstatSync } from 'node:fs';
import { pino, type Level, type Logger } from 'pino';
import type { Environment } from '../core/config.js';
import { LOG_FORM } from '../core/log-form.js';

const STDERR = 2;

/** Also takes what nobody caught: it is written down and the process ends, for its state can no longer be trusted. */
export function openProcessLog(level: Level | 'silent', environment: Environment): Logger {
  const log = pino({ level, ...LOG_FORM }, destination(environment));
  process.stdout.on('error', () => undefined);
  const die = (error: unknown) => {
    log.fatal({ err: error }, 'unexpected failure');
    process.exit(1);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  // Node's own words about itself would be the only lines that are not JSON.
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => log.warn({ warning: name }, message));
  return log;
}

/** Why the daemon does not start, whatever the level of the log is: in words on a terminal, else as a line of the log. */
export function tellRefusal(environment: Environment, words: string, facts: object = {}): void {
  if (process.stderr.isTTY) process.stderr.write(`esignd: ${words}\n`);
  else pino(LOG_FORM, destination(environment)).fatal(facts, onOneLine(words));
}

export function onOneLine(words: string): string {
  return words.replaceAll(/\s*\n\s*/g, ' ');
}

/** True when what is written to this descriptor goes straight to the journal. */
export function isJournal(descriptor: number, environment: Environment): boolean {
  const stream = environment['JOURNAL_STREAM'];
  if (!stream) return false;
  const { dev, ino } = fstatSync(descriptor, { bigint: true });
  return stream === `${dev}:${ino}`;
}

/** Of syslog, as sd-daemon(3) numbers them. */
const PRIORITIES = new Map([
  [pino.levels.values['trace'], 7],
  [pino.levels.values['debug'], 7],
  [pino.levels.values['info'], 6],
  [pino.levels.values['warn'], 4],
  [pino.levels.values['error'], 3],
  [pino.levels.values['fatal'], 2],
]);

function destination(environment: Environment): pino.DestinationStream {
  const stderr = pino.destination({ fd: STDERR, sync: true });
  // A log that nobody reads, or a full disk under it, is no reason to stop serving.
  stderr.on('error', () => undefined);
  if (!isJournal(STDERR, environment)) return stderr;
  const journal = {
    // Has pino leave the level of each line in `lastLevel`.
    [pino.symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write: (line: string) => void stderr.write(`<${PRIORITIES.get(journal.lastLevel) ?? 6}>${line}`),
  };
  return journal;
}
