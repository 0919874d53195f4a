/** The settings, and the check that this user may use their data directory. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dataDirectory, loadConfig, type Config } from '../../core/settings/config.js';
import { unknownWords } from '../../core/settings/unknown.js';
import type { Shell } from '../io.js';
import { UsageError } from '../verb/usage-error.js';

const told = new WeakSet<Shell>();

/** Warns of unknown names once. */
export function settings(shell: Shell): Config {
  const { io, envFile, out } = shell;
  const { config, unknown } = loadConfig(io.env, envFile);
  out.zone = () => config.timeZone;
  if (!told.has(shell)) for (const each of unknown) out.note(`esignctl: warning: ${unknownWords(each)}`);
  told.add(shell);
  refuseForeignRoot(config.dataDir);
  return config;
}

/** The data directory, for what needs no other setting. */
export function settledDirectory({ io, envFile }: Shell): string {
  const dataDir = dataDirectory(io.env, envFile);
  refuseForeignRoot(dataDir);
  return dataDir;
}

/** Refuses root in another user's data directory: files owned by root would stop the daemon. */
function refuseForeignRoot(dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid ?? 0;
  if (owner === 0) return;
  const name = userName(owner);
  throw new UsageError(
    `the data directory ${dataDir} belongs to ${name}; run as root, this would leave files that ${name} cannot use`,
    `Run it as that user: sudo -u ${name} esignctl …`,
    'wrong_user',
  );
}

/** The login name, or the form that sudo accepts. */
function userName(uid: number): string {
  try {
    return execFileSync('id', ['-nu', String(uid)], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return `'#${uid}'`;
  }
}
