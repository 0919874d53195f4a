/** Whether the files at the path of the database are those that are open: what goes into others would be lost (rules 10). */
import { daemonFiles, runningDaemonPid } from '../../db/installation/daemon-lock.js';
import type { Db } from '../../db/db.js';
import { fileIds, otherFile, type FileIds } from '../../db/own-process.js';
import { AppError } from '../errors.js';
import { paths } from './paths.js';

const DATABASE = 'esign.db';

export class DataFiles {
  readonly #db: Db;
  readonly #dataDir: string;
  readonly #isDaemon: boolean;
  /** Those of this process. */
  readonly ids: FileIds;

  constructor(db: Db, dataDir: string, { isDaemon }: { isDaemon: boolean }) {
    this.#db = db;
    this.#dataDir = dataDir;
    this.#isDaemon = isDaemon;
    this.ids = fileIds(paths.database(dataDir));
  }

  /** The name of a file that was moved or deleted since this process, or the daemon, has opened it. */
  moved(): string | undefined {
    const own = otherFile(paths.database(this.#dataDir), this.ids);
    return own ?? (this.#isDaemon ? undefined : otherThanDaemon(this.#dataDir));
  }

  /**
   * What is in a log that may have no name goes into the database before it is lost with its last process. True when all of it is there.
   * Nobody else can have written: commands look for the daemon's files first.
   */
  fold(): boolean {
    const [result] = this.#db.raw.pragma('wal_checkpoint(PASSIVE)') as {
      log: number;
      checkpointed: number;
    }[];
    return result?.log === result?.checkpointed;
  }
}

/** The name of a file that is not the one that the running daemon has open. */
export function otherThanDaemon(dataDir: string): string | undefined {
  const database = paths.database(dataDir);
  const told = daemonFiles(dataDir);
  const other = told && otherFile(database, told);
  if (other === undefined || runningDaemonPid(dataDir) === undefined) return undefined;
  // It may have begun or ended meanwhile.
  return daemonFiles(dataDir)?.join() === told?.join() ? other : undefined;
}

/** Throws `database_moved`. */
export function refuseOtherFiles(dataDir: string): void {
  const file = otherThanDaemon(dataDir);
  if (file !== undefined) throw databaseMoved(file);
}

export function databaseMoved(file: string): AppError {
  return new AppError('unavailable', 'database_moved', `${movedWords(file)}, so nothing more is stored.`, {
    hint: movedFix(file),
  });
}

export function movedWords(file: string): string {
  return `${file} was moved, deleted or replaced while esignd had it open`;
}

export function movedFix(file: string): string {
  return file === DATABASE
    ? 'Stop esignd, put the file that it had open back in its place, and start esignd.'
    : 'Restart esignd: systemctl restart esignd. Everything it has stored is in esign.db.';
}
