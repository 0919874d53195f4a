/** The Debian package as `npm run deb` makes it, unpacked and run. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { SCRIPTS } from '../../src/cli/completion/scripts.js';
import { temporaryDirectory } from '../support/app.js';

const BUILD = fileURLToPath(new URL('../../dist/ops/deb/build.js', import.meta.url));

const HAS_DPKG = spawnSync('dpkg-deb', ['--version']).error === undefined;

test.skipIf(!HAS_DPKG)(
  'the package holds programs that run, their packages and no tools, and settings that only root may write',
  () => {
    const directory = temporaryDirectory();
    const run = (command: string, ...args: string[]) =>
      execFileSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

    const deb = run(process.execPath, BUILD, '--out-dir', directory, '--compression', 'none').trim();

    const files = run('dpkg-deb', '--contents', deb)
      .split('\n')
      .map((line) => line.split(/\s+/));
    const modeAndOwnerOf = (path: string) => files.find(([, , , , , name]) => name === path)?.slice(0, 2);
    expect(modeAndOwnerOf('./')).toEqual(['drwxr-xr-x', 'root/root']);
    expect(modeAndOwnerOf('./usr/lib/systemd/system/esignd.service')).toEqual(['-rw-r--r--', 'root/root']);
    for (const document of ['operations', 'upgrade', 'security', 'api', 'webhook-receivers', 'cli-json']) {
      expect(modeAndOwnerOf(`./usr/share/doc/esign/${document}.md`)).toEqual(['-rw-r--r--', 'root/root']);
    }
    expect(run('dpkg-deb', '--field', deb, 'Depends')).toContain('nodejs (>= ');
    expect(run('dpkg-deb', '--info', deb, 'conffiles')).toBe('/etc/esign/esign.env\n');

    const root = join(directory, 'root');
    run('dpkg-deb', '--extract', deb, root);
    expect(run(process.execPath, '--', join(root, 'usr/bin/esignctl'), '--version')).toMatch(
      /^\d+\.\d+\.\d+\n$/,
    );
    expect(run(process.execPath, '--', join(root, 'usr/bin/esignd'), '--version')).toMatch(
      /^\d+\.\d+\.\d+\n$/,
    );
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
    const packages = readdirSync(join(root, 'usr/lib/esign/node_modules'));
    expect(packages).toContain('better-sqlite3');
    expect(packages).not.toContain('vitest');
    expect(packages).not.toContain('typescript');
  },
  120_000,
);
