/** What can be tried where no container can be booted: dpkg unpacks the package into a directory. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';

const HAS_DPKG = spawnSync('dpkg', ['--help']).error === undefined;

test.skipIf(!HAS_DPKG)(
  'dpkg unpacks the package, finds each file as it was packed, and its programs run',
  () => {
    const root = mkdtempSync(join(tmpdir(), 'esign-root-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    for (const path of ['info', 'updates', 'triggers'])
      mkdirSync(join(root, 'var/lib/dpkg', path), { recursive: true });
    const dpkg = (...words: string[]) =>
      execFileSync('dpkg', [`--root=${root}`, '--force-depends', '--force-not-root', ...words], {
        encoding: 'utf8',
      });

    dpkg('--unpack', inject('deb'));

    // The settings get their name only when the package is configured.
    expect(dpkg('--verify', 'esign')).toBe('missing   c /etc/esign/esign.env\n');
    for (const program of ['esignd', 'esignctl'])
      expect(
        execFileSync(join(root, 'usr/lib/esign/bin/node'), ['--', join(root, 'usr/bin', program), '--help'], {
          encoding: 'utf8',
        }),
      ).toContain(program);
    // What only terminals need is there as well.
    const program = `${join(root, 'usr/lib/esign/bin/node')} -- ${join(root, 'usr/bin/esignctl')}`;
    const { stdout } = spawnSync(
      'script',
      ['--quiet', '--return', '--command', `${program} doctr`, '/dev/null'],
      {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], TERM: 'xterm' },
      },
    );
    expect(stdout).toContain('Did you mean doctor?');
  },
);
