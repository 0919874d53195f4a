/**
 * ESIGN_INSTALLATION says whose data must be in the data directory (rules 10). A disk mounted by mistake holds a whole database
 * too, with another firm's customers in it.
 */
import { resolve } from 'node:path';
import type { Db } from '../../db/db.js';
import { findInstallationId } from '../../db/installation/installation.js';
import { versionOf } from '../../db/migrate.js';
import { refused } from '../errors.js';

/** The id in a database; undefined in a new one. */
export function installationOf(db: Db): string | undefined {
  return versionOf(db) > 0 ? findInstallationId(db) : undefined;
}

/** Throws `other_installation`; new data are anybody's. */
export function refuseOtherInstallation(db: Db, dataDir: string, pinned: string | undefined): void {
  const question = 'Is the right file system mounted, and ESIGN_DATA_DIR the right directory?';
  refuseOther(installationOf(db), pinned, { what: `The data in ${resolve(dataDir)}`, question });
}

/** The same of a backup that is about to take the data's place; `found` is its id. */
export function refuseOthersBackup(found: string | null, file: string, pinned: string | undefined): void {
  refuseOther(found ?? undefined, pinned, {
    what: `The backup ${resolve(file)}`,
    question: 'Is it the right one?',
  });
}

function refuseOther(
  found: string | undefined,
  pinned: string | undefined,
  { what, question }: { what: string; question: string },
): void {
  if (pinned === undefined || found === undefined || found === pinned) return;
  throw refused(
    'other_installation',
    `${what} belongs to installation ${found}, not to the one that ESIGN_INSTALLATION names.`,
    `${question} If so, set ESIGN_INSTALLATION=${found}.`,
  );
}
