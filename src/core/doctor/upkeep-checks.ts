/** What a database that is whole can still tell: work that lies about, counters that lie, PDFs that are gone. */
import { statSync } from 'node:fs';
import { areRequestCountsRight } from '../../db/count-check.js';
import type { Db } from '../../db/db.js';
import { countOpenJobs } from '../../db/depths.js';
import type { Config } from '../config.js';
import { firstDueAt } from '../jobs/due.js';
import { paths } from '../paths.js';
import { failed, ok, warning, type Check } from './check.js';
import { checkPdfs } from './pdf-check.js';
import { checkRuns } from './run-checks.js';

export function checkUpkeep(config: Config, db: Db, isDaemonRunning: boolean): Check[] {
  return [
    checkLog(config),
    checkCounters(db),
    checkPdfs(config, db),
    checkJobs(db, isDaemonRunning),
    ...checkRuns(config, db),
  ];
}

const MEGABYTE = 1024 * 1024;
const LOG_BYTES_MAX = 256 * MEGABYTE;

/** It is folded into the database again and again; one that grows tells of a reader who never ends. */
function checkLog({ dataDir }: Config): Check {
  const bytes = statSync(`${paths.database(dataDir)}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const message = `${Math.ceil(bytes / MEGABYTE)} MB of changes are not in the database file yet`;
  return bytes > LOG_BYTES_MAX
    ? warning('write-ahead log', message, 'Run: esignctl prune')
    : ok('write-ahead log', message);
}

function checkCounters(db: Db): Check {
  return areRequestCountsRight(db)
    ? ok('counters', 'they agree with the requests')
    : failed('counters', 'they differ from the requests: totals of lists are wrong', 'Run: esignctl prune');
}

/** The daemon looks for work many times a second. */
const OVERDUE_MS = 300_000;

function checkJobs(db: Db, isDaemonRunning: boolean): Check {
  const name = 'work';
  const due = firstDueAt(db);
  const lateMs = due === undefined ? 0 : Date.now() - Date.parse(due);
  if (lateMs > OVERDUE_MS && isDaemonRunning) {
    const message = `some has been due for ${Math.round(lateMs / 60_000)} minutes, although esignd runs`;
    return failed(name, message, 'Look into its log, then: systemctl restart esignd');
  }
  if (lateMs > OVERDUE_MS) {
    const message = `some has been due for ${Math.round(lateMs / 60_000)} minutes`;
    return failed(name, message, 'Start the daemon: systemctl start esignd');
  }
  const lost = countOpenJobs(db)
    .filter(({ state }) => state === 'failed')
    .reduce((sum, { count }) => sum + count, 0);
  if (lost === 0) return ok(name, 'nothing is late, nothing has failed for good');
  return warning(name, `${lost} job(s) have failed for good`, 'Look: esignctl failed list --stats');
}
