/** The manual pages as a reader sees them: groff has nothing to complain about. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { esignctlPage } from '../../ops/man/esignctl.js';
import { esigndPage } from '../../ops/man/esignd.js';
import { PROGRAM } from '../support/command-line.js';
import { lacks } from './needs.js';

test.skipIf(lacks('groff')).each([
  ['esignctl(1)', () => esignctlPage(PROGRAM), '$ esignctl failed replay 12'],
  ['esignd(8)', esigndPage, 'ESIGN_CONTRACT_VALID_DAYS'],
])('%s', (_, page, words) => {
  const { status, stdout, stderr } = spawnSync('groff', ['-man', '-ww', '-Tutf8', '-P-cbou'], {
    input: page(),
    encoding: 'utf8',
  });

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain(words);
});
