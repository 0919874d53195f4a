/**
 * Makes a snapshot, again and again in the same directory, while the service runs: nobody waits for it. The database is
 * copied before the PDFs, so every PDF that a copied contract mentions is already on disk.
 *
 * The manifest is written last. A run that is cut off leaves the previous snapshot, perhaps with newer PDFs; between the
 * last two renames the database does not match the manifest, and is refused as unfinished.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { lockedSideDatabase } from '../../db/installation/daemon-lock.js';
import { messageOf } from '../../db/caught.js';
import { copyPages, signedAmong, type Contents } from '../../db/installation/snapshot.js';
import { databaseTrouble } from '../../db/installation/installation.js';
import { iso, type Clock } from '../clock.js';
import { command } from '../commands.js';
import { contractOfFile } from '../contracts/contract-files.js';
import { AppError, refused } from '../errors.js';
import { refuseNoData, paths } from '../installation/paths.js';
import { syncDirectory } from '../installation/sync-directory.js';
import { packageVersion } from '../installation/version.js';
import {
  DATABASE,
  findManifest,
  isKey,
  MANIFEST,
  manifestText,
  measureFile,
  placeOf,
  type Manifest,
  type MeasuredFile,
} from './manifest.js';
import { mirror, type Mirrored } from './mirror.js';

export interface SnapshotOptions {
  dataDir: string;
  directory: string;
  clock: Clock;
  /** Compare the files of all contracts, even if nothing seems to have changed. */
  isThorough?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export interface Snapshot {
  directory: string;
  madeAt: string;
  installation: string;
  schema: number;
  counts: Record<string, number>;
  /** Bytes of the database. */
  size: number;
  /** Files of contracts in it, and how many this run added and removed. */
  files: number;
  added: number;
  removed: number;
}

const LOCK = 'snapshot.lock';
const DRAFT = `${DATABASE}.new`;

/**
 * Throws `no_data`; `not_a_snapshot` for a directory that holds something else, or a snapshot of another installation;
 * `in_progress` while another run works in it; `database_damaged`. In all these cases the directory stays as it was.
 */
export async function writeSnapshot(options: SnapshotOptions): Promise<Snapshot> {
  const [dataDir, directory] = [resolve(options.dataDir), resolve(options.directory)];
  refuseNoData(dataDir);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  mustBeOurs(directory);
  const lock = lockedSideDatabase(join(directory, LOCK), 0);
  if (!lock)
    throw new AppError('busy', 'in_progress', `Another run makes the snapshot in ${directory} just now.`);
  try {
    return await write({ ...options, dataDir, directory });
  } finally {
    rmSync(join(directory, DRAFT), { force: true });
    lock.close();
  }
}

/** Throws `database_damaged` where SQLite finds the database damaged. */
export async function copied<T>(copy: () => Promise<T>): Promise<T> {
  try {
    return await copy();
  } catch (error) {
    throw databaseTrouble(error) === 'damaged' ? sick([messageOf(error)]) : error;
  }
}

export function sick([fault]: readonly string[]): AppError {
  return refused(
    'database_damaged',
    `The database itself is damaged, so no backup of it was written: ${fault}`,
    ['Keep the earlier backups. Stop esignd and restore the newest of them: ', command('restore', 'FILE')],
  );
}

/** A wrong name must not cost somebody's files. */
function mustBeOurs(directory: string): void {
  const names = readdirSync(directory);
  if (names.length === 0 || names.includes(LOCK)) return;
  throw refused(
    'not_a_snapshot',
    `${directory} holds other files.`,
    'Name a directory that is empty or does not exist, or one in which a snapshot was made.',
  );
}

async function write({ dataDir, directory, clock, isThorough, signal }: SnapshotOptions): Promise<Snapshot> {
  const before = findManifest(directory);
  const madeAt = iso(clock.now());
  const draft = join(directory, DRAFT);
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(draft + suffix, { force: true });
  const contents = await copied(() => copyPages(paths.database(dataDir), draft, signal));
  chmodSync(draft, 0o600);
  mustBeSame(directory, before, contents);
  const database = await measureFile(DATABASE, draft, signal);
  const keys = await mirrorKeys(dataDir, directory, signal);
  const parts = { dataDir, directory, isThorough, signal, before, draft };
  const { seen, files, added, removed } = await mirrorContracts(parts);
  const { schema, installation, counts } = contents;
  const told = { version: packageVersion(), madeAt, ...contents, database, keys };
  const text = manifestText({ ...told, contractFiles: files, contractsSeen: seen });
  writeFileSync(join(directory, `${MANIFEST}.new`), text, { mode: 0o600, flush: true });
  await syncDirectory(directory);
  renameSync(draft, join(directory, DATABASE));
  renameSync(join(directory, `${MANIFEST}.new`), join(directory, MANIFEST));
  await syncDirectory(directory);
  return { directory, madeAt, installation, schema, counts, size: database.size, files, added, removed };
}

function mustBeSame(directory: string, before: Manifest | undefined, { installation }: Contents): void {
  if (!before || before.installation === installation) return;
  throw refused(
    'not_a_snapshot',
    `${directory} holds a snapshot of installation ${before.installation}; this one is ${installation}.`,
    'Is this the right data directory? If so, name another directory for its snapshot.',
  );
}

async function mirrorKeys(
  dataDir: string,
  directory: string,
  signal: AbortSignal | undefined,
): Promise<MeasuredFile[]> {
  const to = paths.keys(directory);
  const isOne = (name: string) => isKey(`keys/${name}`);
  const placeOf = (name: string) => (isOne(name) ? name : undefined);
  await mirror({ from: paths.keys(dataDir), to, placeOf, signal });
  const names = existsSync(to) ? readdirSync(to).filter(isOne).toSorted() : [];
  return Promise.all(names.map((name) => measureFile(`keys/${name}`, join(to, name), signal)));
}

interface ContractFiles extends Omit<SnapshotOptions, 'clock'> {
  before: Manifest | undefined;
  draft: string;
}

/** A signed PDF that the disk has lost stays in the snapshot. */
async function mirrorContracts(parts: ContractFiles): Promise<Mirrored & { seen: string | null }> {
  const { dataDir, directory, before, draft, isThorough, signal } = parts;
  const from = paths.contracts(dataDir);
  const seen = stateOf(from);
  if (before && seen !== null && seen === before.contractsSeen && !isThorough)
    return { seen, files: before.contractFiles, added: 0, removed: 0 };
  const keep = (places: readonly string[]) => {
    const contractOf = (place: string) =>
      /\/\d+\.pdf$/.test(place) ? contractOfFile(basename(place)) : undefined;
    const signed = signedAmong(
      draft,
      places.flatMap((place) => contractOf(place) ?? []),
    );
    return new Set(places.filter((place) => signed.has(contractOf(place) ?? 0)));
  };
  return { seen, ...(await mirror({ from, to: paths.contracts(directory), placeOf, keep, signal })) };
}

/** A directory changed so lately may change once more within the same tick of its clock. */
const SETTLED_MS = 2_000;

/** Differs after a file was added, replaced or removed; null: too early to say, or there is no directory. */
function stateOf(directory: string): string | null {
  const stat = statSync(directory, { throwIfNoEntry: false, bigint: true });
  if (!stat) return null;
  const age = Date.now() - Number(stat.mtimeMs);
  return age > SETTLED_MS ? `${stat.dev}:${stat.ino}:${stat.mtimeNs}` : null;
}
