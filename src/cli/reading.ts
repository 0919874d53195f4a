/** Opens the database for a command that only reads: quick, since nothing that acts on the world is loaded. */
import { systemClock } from '../core/clock.js';
import { loadConfig, type Config } from '../core/config.js';
import { openData, type Data } from '../core/data.js';
import { unknownWords } from '../core/unknown-settings.js';
import type { ExitCode } from './exit-codes.js';
import type { Shell } from './io.js';
import { refuseForeignRoot } from './owner-guard.js';

/** Reads the settings, opens the database, and closes it whatever becomes of the work. */
export function withData(shell: Shell, work: (data: Data) => ExitCode): ExitCode {
  const config = settings(shell);
  shell.signal.throwIfAborted();
  const db = openData(config.dataDir, { mustExist: true });
  try {
    return work({ config, clock: systemClock, db });
  } finally {
    db.close();
  }
}

const told = new WeakSet<Shell>();

/** The settings, after the check that this user may work on the data directory. Names that are no settings are told once. */
export function settings(shell: Shell): Config {
  const { io, envFile, out } = shell;
  const { config, unknown } = loadConfig(io.env, envFile);
  out.timeZone = config.timeZone;
  if (!told.has(shell)) for (const each of unknown) out.note(`esignctl: warning: ${unknownWords(each)}`);
  told.add(shell);
  refuseForeignRoot(config.dataDir);
  return config;
}
