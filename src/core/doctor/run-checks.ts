/** The work that the daemon does by the clock: whether its last run ended well, and how old the newest backup is. */
import type { Db } from '../../db/db.js';
import { findLastRun, listFailingRuns } from '../../db/runs.js';
import type { FailingRunRow } from '../../db/schema.js';
import type { Config } from '../config.js';
import { failed, ok, warning, type Check } from './check.js';

export function checkRuns(config: Config, db: Db): Check[] {
  return [checkScheduled(config, db), ...(config.backupDir === undefined ? [] : [checkBackups(db)])];
}

function checkScheduled(config: Config, db: Db): Check {
  const name = 'scheduled work';
  const failing = listFailingRuns(db);
  if (failing.length === 0) return ok(name, 'no scheduled work is failing');
  const mends = new Set(failing.map((each) => mendOf(config, each)));
  return failed(name, failing.map(messageOf).join('; '), [...mends].join(' '));
}

function messageOf({ name, since, times, error }: FailingRunRow): string {
  const often = times === 1 ? `failed at ${since}` : `has failed ${times} times since ${since}`;
  return `${name} ${often}: ${error}`;
}

function mendOf({ backupDir }: Config, { name, error }: FailingRunRow): string {
  if (name === 'backup' && /^(EROFS|EACCES|EPERM)\b/.test(error)) {
    return (
      `Let the daemon write to ${backupDir}: its user must own it, and under systemd the unit must name it ` +
      `(systemctl edit esignd: [Service], ReadWritePaths=${backupDir}, NoExecPaths=${backupDir}). Then: systemctl restart esignd`
    );
  }
  return 'Fix what the message names. It runs again at its next scheduled time, or at once after: systemctl restart esignd';
}

/** Of the daily ones two may be missing before anybody is told. */
const OLD_MS = 3 * 86_400_000;

function checkBackups(db: Db): Check {
  const name = 'scheduled backups';
  const last = findLastRun(db, 'backup');
  if (!last) return warning(name, 'none has been made yet', 'esignd makes one when it starts.');
  return Date.now() - Date.parse(last.startedAt) > OLD_MS
    ? warning(
        name,
        `the newest dates from ${last.startedAt}`,
        'Check that ESIGN_BACKUP_CRON is as you want it.',
      )
    : ok(name, `the newest dates from ${last.startedAt}`);
}
