/** The log of the daemon: JSON lines on stderr. */
import { pino, type Logger } from 'pino';
import type { Config } from '../core/config.js';
import { LOG_FORM } from '../core/log-form.js';

/** Also takes what nobody caught: it is written down and the process ends, for its state can no longer be trusted. */
export function openProcessLog(config: Config): Logger {
  const destination = pino.destination({ fd: 2, sync: true });
  // A log that nobody reads, or a full disk under it, is no reason to stop serving.
  destination.on('error', () => undefined);
  process.stdout.on('error', () => undefined);
  const log = pino({ level: config.logLevel, ...LOG_FORM }, destination);
  const die = (error: unknown) => {
    log.fatal({ err: error }, 'unexpected failure');
    process.exit(1);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  return log;
}
