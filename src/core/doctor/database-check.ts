/** The database exists, has this version's schema, and is whole. */
import { statSync, accessSync, constants, readdirSync, statfsSync } from 'node:fs';
import type { Db } from '../../db/db.js';
import { missingMigrations, SchemaError } from '../../db/migrate.js';
import { openDb } from '../../db/open.js';
import { quickCheck } from '../../db/installation/snapshot.js';
import { databaseTrouble, type DatabaseTrouble } from '../../db/installation/installation.js';
import type { Config, Environment } from '../settings/config.js';
import { command, type Advice, shellWord } from '../commands.js';
import { AppError, describeError } from '../errors.js';
import { refuseOtherFiles } from '../installation/data-files.js';
import { hasDatabase, paths } from '../installation/paths.js';
import { refuseOtherInstallation } from '../installation/pinned.js';
import { failed, ok, partlyOk, warning, type Check, type Extent } from './check.js';
import { checkUpkeep } from './upkeep-checks.js';
import { join, resolve } from 'node:path';
import { codeOf, messageOf } from '../../db/caught.js';

const NAME = 'database';
const BUSY_MS = 2_000;
const MEGABYTE = 1024 * 1024;
/** So much is always read through. */
/** A large database is read for so long, unless everything is looked at. */
const READING_MS_MAX = 1_500;
const SMALL_BYTES = 64 * MEGABYTE;

/** Opens the database for `look` alone; undefined when there is none. */
export async function withDatabase<T>(
  { dataDir }: Config,
  look: (db: Db) => Promise<T>,
): Promise<T | undefined> {
  refuseOtherFiles(dataDir);
  if (!hasDatabase(dataDir)) return undefined;
  const db = openDb(paths.database(dataDir), { busyTimeoutMs: BUSY_MS });
  try {
    return await look(db);
  } finally {
    db.close();
  }
}

interface Reading extends Extent {
  readingMsMax?: number;
}

/** Includes the upkeep checks if it can be read. */
export async function checkDatabase(
  config: Config,
  isDaemonRunning: boolean,
  extent: Reading = { isFull: false },
  cut?: AbortSignal,
): Promise<Check[]> {
  const look = async (db: Db): Promise<Check[]> => {
    refuseOtherInstallation(db, config.dataDir, config.installation);
    const missing = missingMigrations(db).length;
    if (missing > 0) return [failed(NAME, `migrations missing: ${missing}`, ['Run: ', command('migrate')])];
    const read = await readThrough(config, extent, cut);
    return read.state === 'failed'
      ? [read]
      : [read, ...(await checkUpkeep(config, db, isDaemonRunning, extent, cut))];
  };
  try {
    const none = warning(NAME, 'there is no database', [
      'Is its file system mounted? In a new installation: ',
      command('init'),
    ]);
    return (await withDatabase(config, look)) ?? [none];
  } catch (error) {
    cut?.throwIfAborted();
    return [failed(NAME, describeError(error), fixOf(error))];
  }
}

async function readThrough(
  { dataDir }: Config,
  { isFull, readingMsMax = READING_MS_MAX }: Reading,
  signal: AbortSignal | undefined,
): Promise<Check> {
  const file = paths.database(dataDir);
  const { size } = statSync(file);
  const msMax = isFull || size <= SMALL_BYTES ? undefined : readingMsMax;
  const found = await quickCheck(file, { signal, msMax });
  if (found === 'ok') return ok(NAME, 'undamaged, with the schema of this version');
  if (found !== 'unfinished') return failed(NAME, `it is damaged: ${found}`, FIXES.damaged);
  const megabytes = Math.round(size / MEGABYTE).toLocaleString('en');
  return partlyOk(
    NAME,
    `it has the schema of this version; ${readingMsMax / 1000} s of reading found no damage, but are not enough for all of its ${megabytes} MB`,
  );
}

/** Advises a restore only when the data themselves are damaged. */
const FIXES: Readonly<Record<DatabaseTrouble, Advice>> = {
  damaged: ['Stop esignd and put a backup in its place: ', command('restore', 'FILE')],
  busy: 'Another process is using it. Try again in a moment.',
  read_only: 'Let the service’s user write to it and to its directory. The data is undamaged.',
  not_permitted: 'Run this as the service’s user, or give that user the directory. The data is undamaged.',
  full: 'Free some space on its disk. The data is undamaged.',
  unreadable:
    'Look at the disk (dmesg, smartctl) before anything else, then restore a backup onto a good one.',
};

function fixOf(error: unknown): Advice {
  if (error instanceof AppError && error.hint) return error.hint;
  if (error instanceof SchemaError) return 'Install the version of esignd that made it.';
  const trouble = databaseTrouble(error);
  return trouble ? FIXES[trouble] : 'See the log of esignd.';
}

// The data directory exists, is writable and private, and has room; no secret can be guessed, or read by others.

export function checkDirectory({ dataDir }: Config): Check[] {
  const shown = resolve(dataDir);
  const missing = [dataDir, paths.contracts(dataDir), paths.keys(dataDir)].find((path) => !stat(path));
  if (missing === dataDir) {
    return [warning('data directory', `${shown} is not there yet`, 'esignd creates it when it starts.')];
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    accessSync(missing ? dataDir : paths.contracts(dataDir), constants.W_OK | constants.X_OK);
  } catch (error) {
    return [notWritable(shown, codeOf(error))];
  }
  return [ok('data directory', `${shown} is writable`), modes(dataDir)];
}

function notWritable(directory: string, code: string | undefined): Check {
  const name = 'data directory';
  if (code === 'EROFS') {
    const fix = 'Mount it for writing; under systemd ReadWritePaths= must name it (systemctl edit esignd).';
    return failed(name, `${directory} is on a file system that is mounted read-only`, fix);
  }
  const fix = 'Run this as the user that the daemon runs as, or give that user the directory.';
  return failed(name, `${directory} is not writable by this user`, fix);
}

/** Contracts and keys must be private. */
function modes(dataDir: string): Check {
  const keys = paths.keys(dataDir);
  const database = paths.database(dataDir);
  const data = [dataDir, database, `${database}-wal`, `${database}-shm`, paths.contracts(dataDir)];
  const toOthers = data.filter((path) => allows(path, 0o007));
  const toGroup = [keys, ...filesIn(keys)].filter((path) => allows(path, 0o077));
  const open = [...toOthers, ...toGroup];
  if (open.length === 0) return ok('file modes', 'other users cannot read contracts, database or keys');
  const commands = [
    ...(toOthers.length > 0 ? [chmodLine('o-rwx', toOthers)] : []),
    ...(toGroup.length > 0 ? [chmodLine('go-rwx', toGroup)] : []),
  ];
  return failed('file modes', `readable by other users: ${open.join(', ')}`, `Run: ${commands.join(' && ')}`);
}

function chmodLine(mode: string, files: readonly string[]): string {
  return ['chmod', mode, ...files.map(shellWord)].join(' ');
}

function filesIn(directory: string): string[] {
  return stat(directory) ? readdirSync(directory).map((name) => join(directory, name)) : [];
}

/** Whether any of these bits is in its mode. */
function allows(path: string, bits: number): boolean {
  return ((stat(path)?.mode ?? 0) & bits) !== 0;
}

function stat(path: string) {
  return statSync(path, { throwIfNoEntry: false });
}

const LOW_BYTES = 1024 * MEGABYTE;
const FULL_BYTES = 100 * MEGABYTE;

export function checkDisk({ dataDir }: Config): Check {
  const fix = 'Free some space: nothing more can be stored without it.';
  try {
    const { bavail, bsize } = statfsSync(stat(dataDir) ? dataDir : '.');
    const free = bavail * bsize;
    const message = `${Math.floor(free / MEGABYTE)} MB are free`;
    if (free < FULL_BYTES) return failed('disk', message, fix);
    return free < LOW_BYTES ? warning('disk', message, fix) : ok('disk', message);
  } catch (error) {
    return failed('disk', messageOf(error), fix);
  }
}

const DIFFERENT_MIN = 10;
const PLACEHOLDER = /change.?me|replace.?me|your.?secret|example|password|0123456789/i;

/** Names variables, never their values. */
export function checkSecrets(config: Config): Check {
  const held = Object.entries({
    ESIGN_WEBHOOK_SECRET: config.webhookSecrets,
    ESIGN_PAYMENT_WEBHOOK_SECRET: config.paymentWebhookSecrets,
    ESIGN_JWT_SECRET: config.jwtSecret ? [config.jwtSecret] : [],
    ESIGN_METRICS_TOKEN: config.metricsToken ? [config.metricsToken] : [],
  });
  const holding = (isBad: (value: string, variable: string) => boolean) =>
    held.filter(([variable, values]) => values.some((value) => isBad(value, variable))).map(([name]) => name);
  const name = 'secrets';
  const fix = 'Create a new one: openssl rand -base64 32';
  const weak = holding((value) => new Set(value).size < DIFFERENT_MIN || PLACEHOLDER.test(value));
  if (weak.length > 0) return warning(name, `easy to guess: ${weak.join(', ')}`, fix);
  const twice = holding((value, variable) =>
    held.some(([other, values]) => other !== variable && values.includes(value)),
  );
  if (twice.length > 0) return warning(name, `the same in ${twice.join(' and ')}`, fix);
  return ok(name, 'all are strong, and none is used twice');
}

/** Checks the files with settings or secrets, if there are any. */
export function checkSettingFiles(environment: Environment, read: readonly string[]): Check[] {
  const named = Object.entries(environment).flatMap(([name, value]) =>
    /^ESIGN_\w+_FILE$/.test(name) && name !== 'ESIGN_ENV_FILE' && value ? [value] : [],
  );
  const files = [...new Set([...read, ...named])];
  if (files.length === 0) return [];
  const open = files.filter((file) => allows(file, 0o007));
  const name = 'settings files';
  return open.length === 0
    ? [ok(name, 'other users cannot read them')]
    : [warning(name, `readable by other users: ${open.join(', ')}`, `Run: ${chmodLine('o-rwx', open)}`)];
}
