/** What systemd itself says of our units. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/app.js';
import { lacks } from './needs.js';

const OPS = fileURLToPath(new URL('../../ops', import.meta.url));

test
  .skipIf(lacks('systemd-analyze'))
  .each([
    'systemd/esignd.service',
    'systemd/esign-expire.service',
    'systemd/esignd@.service',
    'systemd/esign-expire@.service',
    'restic/esign-restic.service',
    'restic/esign-restic-check.service',
    'restic/esign-restic@.service',
    'restic/esign-restic-check@.service',
  ])('%s is exposed by 1.5 at most', (unit) => {
  const report = execFileSync('systemd-analyze', ['security', '--offline=true', join(OPS, unit)], {
    encoding: 'utf8',
  });
  expect(Number(/exposure level for \S+: ([\d.]+)/.exec(report)?.[1])).toBeLessThanOrEqual(1.5);
});

test.skipIf(lacks('systemd-analyze'))('systemd finds no fault in the units', () => {
  const directory = temporaryDirectory();
  const files = ['systemd', 'restic'].flatMap((folder) =>
    readdirSync(join(OPS, folder)).map((name) => ({ name, file: `${folder}/${name}` })),
  );
  const units = files.filter(({ name }) => /\.(service|timer)$/.test(name));
  for (const { name, file } of units) {
    // The programs and their man pages are not installed where the tests run.
    const text = readFileSync(join(OPS, file), 'utf8')
      .replaceAll(/\/usr\/(?:bin|lib\/esign)\/esign[\w-]+/g, '/bin/true')
      .replaceAll(/^Documentation=.*$/gm, '');
    writeFileSync(join(directory, name), text);
  }
  const paths = units.map(({ name }) => join(directory, name.replace('@.', '@acme.')));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(units.length).toBeGreaterThan(6);
});
