/**
 * `npm run deb`: builds a Debian package of the built project, its production dependencies and its Node, with
 * dpkg-deb alone. `npm run deb -- --architecture arm64` builds it for another architecture.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { SCRIPTS, SHELLS } from '../../src/cli/completion/scripts.js';
import { settingsTemplate } from './template.js';
import { architecture } from './architecture.js';
import { binaryPackages, directoryOf, installedPackages } from './packages.js';
import { strip } from './strip.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const LIB = 'usr/lib/esign';
const BINARIES = binaryPackages(ROOT);
const PROGRAMS = ['esignd', 'esignctl'];
/** Do nothing before /etc/esign/restic.env is there, or NAME.restic.env for an instance. */
const RESTIC = ['esign-restic', 'esign-restic@', 'esign-restic-check', 'esign-restic-check@'];
/** Where Debian's shells look. */
const COMPLETIONS = {
  bash: 'usr/share/bash-completion/completions/esignctl',
  zsh: 'usr/share/zsh/vendor-completions/_esignctl',
  fish: 'usr/share/fish/vendor_completions.d/esignctl.fish',
};

const { version, description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  description: string;
};

const { values } = parseArgs({
  options: {
    'out-dir': { type: 'string', default: ROOT },
    /** For dpkg-deb -Z; `none` is fast. */
    compression: { type: 'string', default: 'zstd' },
    /** Debian's name; by default this machine's. */
    architecture: { type: 'string' },
  },
});
const { name: debian, cpu } = architecture(values.architecture);
/** What `npm pack` takes. */
const PACKED = (JSON.parse(output('npm', 'pack', '--dry-run', '--json')) as { files: { path: string }[] }[])
  .flatMap(({ files }) => files)
  .map(({ path }) => path);
/** Of a package: modules, data and the binary for this architecture. The terms are in THIRD-PARTY-LICENSES. */
const RUNS = new RegExp(String.raw`^(?!/prebuilds/(?!linux-${cpu}\.)).*\.(?:[cm]?js|json|node|afm|icc)$`);
const NEVER_RUNS =
  /\/(?:\.\w+|node_modules|tests?|fixtures|examples?|docs|bench(?:marks?)?|specs)\/|\.browser\./;
/** For compilers alone. */
const TOOLS = /\/(?:@types\/\w+|undici-types|node-addon-api)$/;
const target = join(values['out-dir'], `esign_${version}_${debian}.deb`);
const scratch = mkdtempSync(join(tmpdir(), 'esign-fetched-'));
const stage = mkdtempSync(join(tmpdir(), 'esign-deb-'));
try {
  chmodSync(stage, 0o755);
  putProgram();
  putBinaries();
  putSystemFiles();
  putControlFiles();
  const options = ['--root-owner-group', `-Z${values.compression}`, '--build', stage, target];
  execFileSync('dpkg-deb', options, { stdio: ['ignore', 'ignore', 'inherit'] });
  process.stdout.write(`${target}\n`);
} finally {
  for (const directory of [stage, scratch]) rmSync(directory, { recursive: true, force: true });
}

function putProgram(): void {
  for (const path of PACKED.filter((each) => /^(?:dist\/(?:bin|assets)|src)\/|^package\.json$/.test(each)))
    copy(join(ROOT, path), `${LIB}/${path}`);
  for (const path of productionPackages()) copyPackage(path, join(LIB, relative(ROOT, path)));
  mkdirSync(join(stage, 'usr/bin'), { recursive: true });
  for (const program of PROGRAMS) {
    const file = `${LIB}/dist/bin/${program}.js`;
    const text = readFileSync(join(stage, file), 'utf8');
    // The package's own Node, independent of /usr/bin/node.
    write(file, text.replace(/^#!.*/, `#!/${LIB}/bin/node --`), 0o755);
    symlinkSync(`../lib/esign/dist/bin/${program}.js`, join(stage, 'usr/bin', program));
  }
}

/** Node and the other packages for this architecture. */
function putBinaries(): void {
  for (const each of BINARIES.filter(({ fits }) => fits(cpu))) {
    const directory = directoryOf(each, ROOT, scratch);
    if (each.name.startsWith('node-linux-')) {
      write(`${LIB}/bin/node`, strip(readFileSync(join(directory, 'bin/node'))), 0o755);
      copy(join(directory, 'LICENSE'), 'usr/share/doc/esign/LICENSE.node');
    } else copyPackage(directory, `${LIB}/node_modules/${each.name}`);
  }
}

/** The directories of the packages needed at run time, except those for one architecture. */
function productionPackages(): string[] {
  const apart = new Set(BINARIES.map(({ name }) => `node_modules/${name}`));
  return installedPackages(ROOT)
    .filter((path) => !apart.has(path))
    .map((path) => join(ROOT, path));
}

function putSystemFiles(): void {
  for (const unit of readdirSync(join(ROOT, 'ops/systemd'))) {
    copy(join(ROOT, 'ops/systemd', unit), `usr/lib/systemd/system/${unit}`);
  }
  write('usr/sbin/esign-instance', readFileSync(join(ROOT, 'ops/deb/esign-instance')), 0o755);
  write('usr/share/esign/instance.env', settingsTemplate());
  for (const unit of RESTIC.flatMap((name) => [`${name}.service`, `${name}.timer`])) {
    copy(join(ROOT, 'ops/restic', unit), `usr/lib/systemd/system/${unit}`);
  }
  copy(join(ROOT, 'ops/restic/esign-restic'), `${LIB}/esign-restic`);
  copy(join(ROOT, 'ops/restic/restic.env'), 'usr/share/doc/esign/examples/restic.env');
  // Not only in the unit, so that commands typed by an operator find the same directory.
  write('etc/esign/esign.env', settingsTemplate({ ESIGN_DATA_DIR: '/var/lib/esign' }));
  for (const example of ['cron', 'prometheus', 'grafana']) {
    copy(join(ROOT, 'ops', example), `usr/share/doc/esign/examples/${example}`);
  }
  copy(join(ROOT, 'LICENSE'), 'usr/share/doc/esign/copyright');
  for (const path of PACKED.filter((each) => /^(?:docs\/|CHANGELOG|dist\/THIRD)/.test(each)))
    copy(join(ROOT, path), `usr/share/doc/esign/${basename(path)}`);
  for (const page of ['esignctl.1', 'esignd.8']) {
    const text = readFileSync(join(ROOT, 'dist/man', page));
    // Without a timestamp, so that the same sources make the same package.
    write(`usr/share/man/man${page.at(-1)}/${page}.gz`, gzipSync(text, { level: 9 }));
  }
  for (const shell of SHELLS) write(COMPLETIONS[shell], SCRIPTS[shell]);
}

function putControlFiles(): void {
  const size = output('du', '-sk', stage).split('\t')[0];
  write(
    'DEBIAN/control',
    [
      'Package: esign',
      `Version: ${version}`,
      `Architecture: ${debian}`,
      'Maintainer: esign maintainers <root@localhost>',
      // What Node, better-sqlite3 and argon2 are linked against.
      'Depends: libc6 (>= 2.34), libgcc-s1, libstdc++6 (>= 11), adduser, systemd',
      'Recommends: bash-completion',
      'Suggests: restic',
      `Installed-Size: ${size}`,
      'Section: web',
      'Priority: optional',
      'Description: carries maintenance contracts from "please sign" to "signed and paid"',
      ` ${description}`,
      '',
    ].join('\n'),
  );
  write('DEBIAN/conffiles', '/etc/esign/esign.env\n');
  copy(join(ROOT, 'ops/deb/templates'), 'DEBIAN/templates');
  for (const script of ['postinst', 'prerm', 'postrm']) {
    copy(join(ROOT, 'ops/deb', script), `DEBIAN/${script}`);
    chmodSync(join(stage, 'DEBIAN', script), 0o755);
  }
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(join(stage, to)), { recursive: true });
  cpSync(from, join(stage, to), { recursive: true });
}

/** What runs of an npm package; those within it are listed on their own. */
function copyPackage(from: string, to: string): void {
  if (TOOLS.test(from)) return;
  for (const path of globSync('**', { cwd: from })) {
    if (RUNS.test(`/${path}`) && !NEVER_RUNS.test(`/${path}`)) copy(join(from, path), join(to, path));
  }
}

function write(to: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(join(stage, to)), { recursive: true });
  writeFileSync(join(stage, to), content);
  chmodSync(join(stage, to), mode);
}

function output(command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}
