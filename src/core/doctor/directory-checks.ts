/** The data directory exists, is writable and private, and has room. */
import { accessSync, constants, readdirSync, statfsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codeOf, messageOf } from '../../db/caught.js';
import type { Config } from '../settings/config.js';
import { shellWord } from '../commands.js';
import { paths } from '../installation/paths.js';
import { failed, ok, warning, type Check } from './check.js';

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

export function chmodLine(mode: string, files: readonly string[]): string {
  return ['chmod', mode, ...files.map(shellWord)].join(' ');
}

function filesIn(directory: string): string[] {
  return stat(directory) ? readdirSync(directory).map((name) => join(directory, name)) : [];
}

/** Whether any of these bits is in its mode. */
export function allows(path: string, bits: number): boolean {
  return ((stat(path)?.mode ?? 0) & bits) !== 0;
}

function stat(path: string) {
  return statSync(path, { throwIfNoEntry: false });
}

const MEGABYTE = 1024 * 1024;
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
