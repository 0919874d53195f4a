/**
 * The npm packages that the programs need, as package-lock.json names them. Of those with a binary for one platform, the
 * building machine's are in node_modules; others are fetched and compared with the lock file.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface BinaryPackage {
  name: string;
  version: string;
  integrity: string;
  /** Whether it runs on this Debian architecture. */
  fits: (cpu: string) => boolean;
}

interface Entry {
  version: string;
  integrity: string;
  dev?: boolean;
  os?: string | string[];
  cpu?: string | string[];
  libc?: string | string[];
}

const PREFIX = 'node_modules/';

/** The directories below `root` of all that are installed, those within others too. */
export function installedPackages(root: string): string[] {
  return neededPackages(root)
    .map(([path]) => path)
    .filter((path) => existsSync(join(root, path)));
}

/** Those for one platform, for every platform. */
export function binaryPackages(root: string): BinaryPackage[] {
  return neededPackages(root)
    .filter(([, entry]) => entry.cpu !== undefined)
    .map(([path, { version, integrity, os = 'linux', cpu: cpus, libc = 'glibc' }]) => ({
      name: path.slice(PREFIX.length),
      version,
      integrity,
      fits: (cpu) => holds(os, 'linux') && holds(cpus, cpu) && holds(libc, 'glibc'),
    }));
}

function neededPackages(root: string): [path: string, entry: Entry][] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Entry>;
  };
  // The first is the project itself.
  return Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
}

function holds(values: string | string[] | undefined, wanted: string): boolean {
  return [values].flat().includes(wanted);
}

/** The package's directory: the installed one, else one below `scratch`. */
export function directoryOf(
  { name, version, integrity }: BinaryPackage,
  root: string,
  scratch: string,
): string {
  const installed = join(root, PREFIX, name);
  if (existsSync(installed)) return installed;
  const into = mkdtempSync(join(scratch, 'fetched-'));
  const spec = `${name}@${version}`;
  const [file = ''] = npm(root, 'pack', spec, '--silent', '--pack-destination', into).trim().split('\n');
  const archive = join(into, file);
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (found !== integrity) throw new Error(`${spec} is not what package-lock.json names: ${found}`);
  execFileSync('tar', ['-xzf', archive, '-C', into]);
  return join(into, 'package');
}

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
