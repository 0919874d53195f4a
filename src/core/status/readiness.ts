/**
 * Whether the daemon can do its work, for load balancers and monitoring. When asked, and at most every few seconds, it
 * tries a durable write to the database and one to the contracts' directory. A failed write in between counts too, so
 * that nobody gets "ready" while others get 500.
 *
 * Nothing is written to a damaged database: a backup has to replace it, and everything acknowledged since would be
 * lost. Reads are still answered; providers are asked to retry.
 */
import { rm, writeFile } from 'node:fs/promises';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../log/log.js';
import { isWholeOnDisk, probeSpace, databaseTrouble } from '../../db/installation/installation.js';
import { findDamage } from '../../db/installation/snapshot.js';
import { DatabaseBusyError, type Writer } from '../../db/writer.js';
import { command } from '../commands.js';
import type { Clock } from '../clock.js';
import type { Config } from '../settings/config.js';
import { AppError, describeError } from '../errors.js';
import { databaseMoved, movedFix, movedWords, type DataFiles } from '../installation/data-files.js';
import { paths } from '../installation/paths.js';
import { codeOf } from '../../db/caught.js';

export const READINESS_PARTS = ['database', 'contracts', 'jobs'] as const;
export type ReadinessPart = (typeof READINESS_PARTS)[number];

export interface ReadinessParts {
  config: Config;
  clock: Clock;
  log: Log;
  writer: Writer;
  jobs: { readonly isRunning: boolean };
  files: DataFiles;
}

const TRIED_EVERY_MS = 2_000;
/** A hanging disk must not hang the caller. */
const ANSWER_WITHIN_MS = 1_000;
const FILE_BYTES = 16 * 1024;
/** Larger databases are not read through; damage found there counts until the daemon is restarted. */
const READ_THROUGH_BYTES_MAX = 16 * 1024 * 1024;
/** Reading through blocks everything else, so it may take no more than this share of the time. */
const READING_SHARE = 0.01;

type Tried = Exclude<ReadinessPart, 'jobs'>;

export class Readiness {
  readonly #parts: ReadinessParts;
  #failed: ReadonlySet<Tried> = new Set();
  #triedAt: number | undefined;
  #trying: Promise<void> | undefined;
  #isDamaged = false;
  #moved: string | undefined;
  #isFolded = false;
  #readThroughAgainAt = 0;

  constructor(parts: ReadinessParts) {
    this.#parts = parts;
    parts.writer.onFailure((error) => this.saw(error));
    parts.writer.refuseWhile(() => this.#refusal());
  }

  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** What to do, where a part that is not ready does not say it. */
  get fix(): string | undefined {
    return this.#moved && `${movedWords(this.#moved)}. ${movedFix(this.#moved)}`;
  }

  #refusal(): AppError | undefined {
    if (this.#isDamaged) return notStored();
    const moved = this.#parts.files.moved();
    this.#noteMoved(moved);
    return moved === undefined ? undefined : databaseMoved(moved);
  }

  #noteMoved(moved: string | undefined): void {
    // What is stored after the files were put back is folded again when they go again.
    this.#isFolded = moved !== undefined && (this.#isFolded || this.#parts.files.fold());
    if (moved === this.#moved) return;
    this.#moved = moved;
    if (moved === undefined) return;
    const { fix } = this;
    this.#parts.log.fatal(
      { file: moved, fix },
      'a database file was moved, deleted or replaced: nothing more is stored',
    );
    this.#judge(new Set([...this.#failed, 'database']));
  }

  /** Reads the database through before anything runs; a large one in its own process while the daemon starts. */
  examine(signal?: AbortSignal): void {
    const file = paths.database(this.#parts.config.dataDir);
    if (statSync(file).size <= READ_THROUGH_BYTES_MAX) {
      if (!isWholeOnDisk(file)) this.#damaged('it was found when the database was read through at the start');
      return;
    }
    findDamage(file, signal).then(
      (fault) => {
        if (fault !== undefined) this.#damaged(fault);
      },
      (error: unknown) => {
        if (!signal?.aborted) this.#parts.log.warn({ err: error }, 'the database could not be read through');
      },
    );
  }

  /** Reports an error from anywhere; one that says the database is unusable counts at once. */
  saw(error: unknown): void {
    const trouble = databaseTrouble(error);
    if (!trouble || trouble === 'busy') return;
    if (trouble === 'damaged') this.#damaged(describeError(error));
    else this.#judge(new Set([...this.#failed, 'database']));
  }

  #damaged(fault: string): void {
    if (!this.#isDamaged) {
      const file = paths.database(this.#parts.config.dataDir);
      this.#parts.log.fatal({ file, fault }, 'the database is damaged: stop esignd and restore a backup');
    }
    this.#isDamaged = true;
    this.#judge(new Set([...this.#failed, 'database']));
  }

  /** What was not ready at the last trial. */
  async listUnready(): Promise<ReadinessPart[]> {
    if (this.#isDue()) {
      this.#trying ??= this.#try().finally(() => (this.#trying = undefined));
      await within(this.#trying, ANSWER_WITHIN_MS);
    }
    return [...this.#failed, ...(this.#parts.jobs.isRunning ? [] : ['jobs' as const])];
  }

  #isDue(): boolean {
    const sinceMs = this.#parts.clock.now().getTime() - (this.#triedAt ?? 0);
    // A clock that was set back says nothing about the last probe.
    return this.#triedAt === undefined || sinceMs >= TRIED_EVERY_MS || sinceMs < 0;
  }

  async #try(): Promise<void> {
    const { dataDir } = this.#parts.config;
    const [database, home, contracts] = await Promise.all([
      this.#tryDatabase(),
      canWrite(dataDir),
      canWrite(paths.contracts(dataDir)),
    ]);
    this.#triedAt = this.#parts.clock.now().getTime();
    const failed = new Set<Tried>();
    if (!database || !home) failed.add('database');
    if (!contracts) failed.add('contracts');
    this.#judge(failed);
  }

  async #tryDatabase(): Promise<boolean> {
    try {
      if (!this.#isDamaged) await this.#parts.writer.write(probeSpace);
      return this.#isWhole();
    } catch (error) {
      // Another process is writing; that passes.
      return error instanceof DatabaseBusyError;
    }
  }

  /** Damage is local: a write elsewhere succeeds and proves nothing. */
  #isWhole(): boolean {
    const file = paths.database(this.#parts.config.dataDir);
    const begun = performance.now();
    if (statSync(file).size <= READ_THROUGH_BYTES_MAX && begun >= this.#readThroughAgainAt) {
      if (isWholeOnDisk(file)) this.#isDamaged = false;
      else this.#damaged('it was found when the database was read through');
      const tookMs = performance.now() - begun;
      this.#readThroughAgainAt = begun + tookMs / READING_SHARE;
    }
    return !this.#isDamaged;
  }

  #judge(failed: ReadonlySet<Tried>): void {
    const was = [...this.#failed].join();
    this.#failed = failed;
    const notReady = [...failed];
    if (notReady.join() === was) return;
    if (notReady.length > 0) this.#parts.log.error({ notReady }, 'not ready: nothing can be stored');
    else this.#parts.log.info('ready again');
  }
}

function notStored(): AppError {
  return new AppError('unavailable', 'database_damaged', 'The database is damaged: nothing is stored.', {
    hint: ['Stop esignd and restore a backup: ', command('restore', 'FILE')],
  });
}

function canWrite(directory: string): Promise<boolean> {
  return probe(directory).then(
    () => true,
    () => false,
  );
}

/** Writes and removes a little file there; throws the system's error. */
async function probe(directory: string): Promise<void> {
  const file = join(directory, `.probe.${process.pid}.0.tmp`);
  try {
    await writeFile(file, Buffer.alloc(FILE_BYTES), { mode: 0o600, flush: true });
  } finally {
    await rm(file, { force: true }).catch(() => undefined);
  }
}

async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}

/** Before the daemon starts; throws the system's error. */
export function probeContractsDirectory(dataDir: string): Promise<void> {
  return probe(paths.contracts(dataDir));
}

// Passing trouble of the machine: nothing was changed, and the same call may succeed a moment later.

const PASSING = ['SQLITE_BUSY', 'SQLITE_FULL', 'ENOSPC', 'EDQUOT', 'EMFILE'];

export function isPassingOutage(error: unknown): boolean {
  if (error instanceof DatabaseBusyError) return true;
  const code = codeOf(error);
  return PASSING.some((name) => code.startsWith(name));
}
