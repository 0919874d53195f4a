/**
 * The daemon's log: JSON lines on stderr, from the first to the last. In the journal each line has its priority, so
 * that `journalctl -p warning` works.
 */
import { fstatSync } from 'node:fs';
import { pino, type Level, type Logger } from 'pino';
import type { Environment } from '../../core/settings/config.js';
import { LOG_FORM } from '../../core/log/form.js';

const STDERR = 2;

/** Also logs uncaught errors, after which the process ends, because its state can no longer be trusted. */
export function openProcessLog(level: Level | 'silent', environment: Environment): Logger {
  const log = pino({ level, ...LOG_FORM }, destination(environment));
  process.stdout.on('error', () => undefined);
  const die = (error: unknown) => {
    log.fatal({ err: error }, 'unexpected failure');
    process.exit(1);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  // Node's own warnings would be the only lines that are not JSON.
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => log.warn({ warning: name }, message));
  return log;
}

/** Reports why the daemon does not start, at any log level: as text on a terminal, else as a log line. */
export function tellRefusal(environment: Environment, words: string, facts: object = {}): void {
  if (process.stderr.isTTY) process.stderr.write(`esignd: ${words}\n`);
  else pino(LOG_FORM, destination(environment)).fatal(facts, onOneLine(words));
}

export function onOneLine(words: string): string {
  return words.replaceAll(/\s*\n\s*/g, ' ');
}

/** True when this descriptor is connected directly to the journal. */
export function isJournal(descriptor: number, environment: Environment): boolean {
  const stream = environment['JOURNAL_STREAM'];
  if (!stream) return false;
  const { dev, ino } = fstatSync(descriptor, { bigint: true });
  return stream === `${dev}:${ino}`;
}

/** Syslog priorities as in sd-daemon(3). */
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
  // A closed pipe or a full disk under the log is no reason to stop serving.
  stderr.on('error', () => undefined);
  if (!isJournal(STDERR, environment)) return stderr;
  const journal = {
    // Makes pino keep the level of each line in `lastLevel`.
    [pino.symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write: (line: string) => void stderr.write(`<${PRIORITIES.get(journal.lastLevel) ?? 6}>${line}`),
  };
  return journal;
}
