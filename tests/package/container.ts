/**
 * A Debian with a systemd of its own, booted by systemd-nspawn from a tree that debootstrap makes once. It has a network of
 * its own that leads nowhere, and everything that is changed in it is gone with it.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hasEnded, holderName } from '../../src/core/installation/process.js';

const SUITE = 'trixie';
const MIRROR = 'http://deb.debian.org/debian';
/** Beside the smallest Debian: what the package needs of it, what the documents use, and both ends of a copy by SFTP. */
const PACKAGES = [
  'systemd',
  'systemd-sysv',
  'dbus',
  'adduser',
  'sudo',
  'jq',
  'curl',
  'bash-completion',
  'restic',
  'openssh-client',
  'openssh-server',
];
const NAME = 'esign-test';
const FILES: Readonly<Record<string, string>> = {
  '/etc/hostname': `${NAME}\n`,
  '/etc/hosts': `127.0.0.1 localhost ${NAME}\n`,
  // It is thrown away: nothing in it has to outlive a power cut.
  '/etc/dpkg/dpkg.cfg.d/quick': 'force-unsafe-io\n',
};

const CACHE = process.env['ESIGN_TEST_CACHE'] ?? '/var/cache/esign-test';
const RECIPE = createHash('sha256')
  .update(JSON.stringify([PACKAGES, FILES]))
  .digest('hex')
  .slice(0, 8);
const TREE = join(CACHE, `${SUITE}-${RECIPE}`);

/** A first run fetches and unpacks 130 packages. */
const DEBOOTSTRAP_MS_MAX = 240_000;
const BOOT_MS_MAX = 60_000;
const SCRIPT_MS_MAX = 90_000;

/** Why no container can be booted here, in words; undefined: one can. Makes the tree where it is missing. */
export function whyNoContainer(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can boot a container';
  const missing = ['systemd-nspawn', 'debootstrap', 'nsenter'].filter((program) => !isThere(program));
  if (missing.length > 0) return `${missing.join(' and ')} must be installed`;
  return existsSync(TREE) ? undefined : makeTree();
}

function isThere(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}

function makeTree(): string | undefined {
  const draft = `${TREE}.${holderName('command')}`;
  mkdirSync(CACHE, { recursive: true });
  removeOldTrees();
  const options = ['--variant=minbase', `--include=${PACKAGES.join()}`, SUITE, draft, MIRROR];
  const { status, stdout } = spawnSync('debootstrap', options, {
    encoding: 'utf8',
    timeout: DEBOOTSTRAP_MS_MAX,
  });
  if (status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    return `debootstrap could not make a Debian (${stdout.trim().split('\n').at(-1)})`;
  }
  for (const [path, text] of Object.entries(FILES)) writeFileSync(draft + path, text);
  try {
    renameSync(draft, TREE);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another run has made it meanwhile.
    if (!existsSync(TREE)) throw error;
  }
  return undefined;
}

/** Those of other recipes, and what a run that was killed has left: the cache holds one tree. */
function removeOldTrees(): void {
  for (const name of readdirSync(CACHE)) {
    const [, draftOf] = new RegExp(`^${SUITE}-[0-9a-f]{8}(?:\\.([\\w-]+))?$`).exec(name) ?? ['', 'not ours'];
    const isUsed = draftOf !== undefined && !hasEnded(draftOf, holderName('command'));
    if (!isUsed) rmSync(join(CACHE, name), { recursive: true, force: true });
  }
}

export interface Ran {
  code: number | null;
  /** What came on both outputs. */
  said: string;
}

export interface Container {
  /** Runs a script of sh as root; throws with all that it said when it fails. */
  run(script: string): string;
  /** The same, where failing is an answer. */
  attempt(script: string): Ran;
  /** Copies a file to /root. What was built is at /checkout. */
  bring(file: string): void;
  put(path: string, text: string): void;
  /** Runs the script until it succeeds. */
  until(script: string, withinMs?: number): Promise<string>;
  stop(): Promise<void>;
}

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

export async function bootContainer(): Promise<Container> {
  const host = existsSync('/run/systemd/system') ? [] : ['--keep-unit'];
  const nspawn = spawn(
    // It ends with the tests, however they end.
    'setpriv',
    [
      '--pdeathsig',
      'TERM',
      'systemd-nspawn',
      '--quiet',
      '--register=no',
      ...host,
      `--machine=${NAME}-${process.pid}`,
      `--directory=${TREE}`,
      `--bind-ro=${CHECKOUT}:/checkout`,
      '--ephemeral',
      '--private-network',
      '--boot',
      '--console=pipe',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' } },
  );
  let complaints = '';
  nspawn.stderr.on('data', (text: Buffer) => (complaints += text.toString()));
  try {
    const leader = await within(BOOT_MS_MAX, () => {
      if (nspawn.exitCode !== null) throw new Error(`systemd-nspawn ended: ${complaints}`);
      return leaderOf(nspawn);
    });
    const container = inside(leader, nspawn);
    await container.until('systemctl is-system-running --wait', BOOT_MS_MAX);
    return container;
  } catch (error) {
    nspawn.kill('SIGKILL');
    throw error;
  }
}

/** The container's own first process. */
function leaderOf({ pid }: ChildProcess): number | undefined {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const isSystemd = child && readFileSync(`/proc/${child}/comm`, 'utf8').trim() === 'systemd';
  return isSystemd ? Number(child) : undefined;
}

const ENVIRONMENT = [
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'HOME=/root',
  'LANG=C.UTF-8',
  'DEBIAN_FRONTEND=noninteractive',
  'SYSTEMD_PAGER=',
  'SYSTEMD_COLORS=0',
  'SYSTEMD_URLIFY=0',
];

function inside(leader: number, nspawn: ChildProcess): Container {
  const root = `/proc/${leader}/root`;
  const attempt = (script: string): Ran => {
    const shell = ['env', '-i', '-C', '/root', ...ENVIRONMENT, 'sh', '-euc', `exec 2>&1\n${script}`];
    const { status, stdout, error } = spawnSync('nsenter', [`--target=${leader}`, '--all', ...shell], {
      encoding: 'utf8',
      timeout: SCRIPT_MS_MAX,
      maxBuffer: 64 * 1024 * 1024,
    });
    return { code: status, said: error ? `${stdout}\n${error.message}` : stdout };
  };
  const run = (script: string) => {
    const { code, said } = attempt(script);
    if (code !== 0) throw new Error(`exit ${code} of:\n${script}\n\n${said}\n\n${journal(attempt)}`);
    return said;
  };
  return {
    run,
    attempt,
    bring: (file) => cpSync(file, join(root, 'root', basename(file))),
    put: (path, text) => writeFileSync(root + path, text),
    async until(script, withinMs = 20_000) {
      let last: Ran | undefined;
      return within(withinMs, () => {
        last = attempt(script);
        return last.code === 0 ? last.said : undefined;
      }).catch(() => {
        throw new Error(`never came true:\n${script}\n\n${last?.said}\n\n${journal(attempt)}`);
      });
    },
    async stop() {
      attempt('systemctl poweroff --no-block');
      await within(20_000, () => nspawn.exitCode ?? nspawn.signalCode ?? undefined).catch(() =>
        nspawn.kill('SIGKILL'),
      );
    },
  };
}

const journal = (attempt: Container['attempt']) =>
  attempt('journalctl --unit=esignd --unit=esign-expire --no-pager --lines=20 --output=cat').said;

async function within<T>(ms: number, look: () => T | undefined): Promise<T> {
  const deadline = performance.now() + ms;
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms`);
    await pause(100);
  }
}
