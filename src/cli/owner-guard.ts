/** Files that root leaves in another user's data directory would stop the daemon, so root is sent to that user. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { UsageError } from './usage-error.js';

/** Throws when root works on a data directory that belongs to somebody else. */
export function refuseForeignRoot(dataDir: string): void {
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

/** The login name; for a user without one the form that sudo takes. */
function userName(uid: number): string {
  try {
    return execFileSync('id', ['-nu', String(uid)], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return `'#${uid}'`;
  }
}
