/** Opens the database for a command that only reads: quick, since nothing that acts on the world is loaded. */
import { systemClock } from '../core/clock.js';
import { loadConfig, type Config } from '../core/config.js';
import { openData, type Data } from '../core/data.js';
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

/** The settings, after the check that this user may work on the data directory. */
export function settings({ io, envFile }: Shell): Config {
  const { config } = loadConfig(io.env, envFile);
  refuseForeignRoot(config.dataDir);
  return config;
}
