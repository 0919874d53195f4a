/** `npm run deb`: a Debian package of the built project and its production dependencies, made by dpkg-deb alone. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { SCRIPTS, SHELLS } from '../../src/cli/completion/scripts.js';
import { settingsTemplate } from '../../src/core/settings-template.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PROGRAMS = ['esignd', 'esignctl', 'esign-sandbox'];
/** Where Debian's shells look. */
const COMPLETIONS = {
  bash: 'usr/share/bash-completion/completions/esignctl',
  zsh: 'usr/share/zsh/vendor-completions/_esignctl',
  fish: 'usr/share/fish/vendor_completions.d/esignctl.fish',
};

/** Types, source maps, and what better-sqlite3 was compiled from: half of all bytes. */
const NEVER_RUN = /\.(?:map|[cm]?ts)$|\/better-sqlite3\/(?:deps|src|build\/Release\/obj)(?:\/|$)/;

const { version, description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  description: string;
};

const { values } = parseArgs({
  options: {
    'out-dir': { type: 'string', default: ROOT },
    /** Of dpkg-deb -Z; `none` is quick. */
    compression: { type: 'string', default: 'gzip' },
  },
});
const architecture = output('dpkg', '--print-architecture').trim();
const target = join(values['out-dir'], `esign_${version}_${architecture}.deb`);
const stage = mkdtempSync(join(tmpdir(), 'esign-deb-'));
try {
  chmodSync(stage, 0o755);
  putProgram();
  putSystemFiles();
  putControlFiles();
  const options = ['--root-owner-group', `-Z${values.compression}`, '--build', stage, target];
  execFileSync('dpkg-deb', options, { stdio: ['ignore', 'ignore', 'inherit'] });
  process.stdout.write(`${target}\n`);
} finally {
  rmSync(stage, { recursive: true, force: true });
}

function putProgram(): void {
  const lib = 'usr/lib/esign';
  for (const part of ['dist/bin', 'dist/src', 'package.json', 'LICENSE', 'README.md', 'CHANGELOG.md']) {
    copy(join(ROOT, part), `${lib}/${part}`);
  }
  for (const path of productionPackages()) copy(path, join(lib, relative(ROOT, path)));
  mkdirSync(join(stage, 'usr/bin'), { recursive: true });
  for (const program of PROGRAMS) {
    chmodSync(join(stage, lib, `dist/bin/${program}.js`), 0o755);
    symlinkSync(`../lib/esign/dist/bin/${program}.js`, join(stage, 'usr/bin', program));
  }
}

/** The directories of the packages that the programs need when they run, and of no other. */
function productionPackages(): string[] {
  const listed = output('npm', 'ls', '--omit=dev', '--all', '--parseable').trim().split('\n');
  return listed.filter(
    (path) => path.startsWith(join(ROOT, 'node_modules')) && !/node-linux-\w+$/.test(path),
  );
}

function putSystemFiles(): void {
  for (const unit of ['esignd.service', 'esign-expire.service', 'esign-expire.timer']) {
    copy(join(ROOT, 'ops/systemd', unit), `usr/lib/systemd/system/${unit}`);
  }
  // Here too, not in the unit alone: commands that an operator types look in the same place.
  write('etc/esign/esign.env', settingsTemplate({ ESIGN_DATA_DIR: '/var/lib/esign' }));
  for (const example of ['cron', 'prometheus', 'grafana', 'litestream']) {
    copy(join(ROOT, 'ops', example), `usr/share/doc/esign/examples/${example}`);
  }
  copy(join(ROOT, 'LICENSE'), 'usr/share/doc/esign/copyright');
  for (const document of readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))) {
    copy(join(ROOT, 'docs', document), `usr/share/doc/esign/${document}`);
  }
  for (const page of ['esignctl.1', 'esignd.8']) {
    const text = readFileSync(join(ROOT, 'dist/man', page));
    // Without the time of day, so that the same sources make the same package.
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
      `Architecture: ${architecture}`,
      'Maintainer: esign maintainers <root@localhost>',
      'Depends: nodejs (>= 22.14), adduser, systemd',
      'Recommends: bash-completion',
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
  // What a nested package needs is listed by itself.
  const isOwn = (path: string) => !relative(from, path).split('/').includes('node_modules');
  cpSync(from, join(stage, to), { recursive: true, filter: (path) => isOwn(path) && !NEVER_RUN.test(path) });
}

function write(to: string, text: string | Buffer): void {
  mkdirSync(dirname(join(stage, to)), { recursive: true });
  writeFileSync(join(stage, to), text, { mode: 0o644 });
}

function output(command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}
