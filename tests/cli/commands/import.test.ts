import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCli } from '../support.js';
import { temporaryDirectory } from '../../support/app.js';

test('a row with a fault is named with its line and what to write instead; programs get the fault of the API', async () => {
  const cli = await startCli();
  const file = join(temporaryDirectory(), 'customers.csv');
  writeFileSync(file, 'username,phone\nben@example.org,\nanna@example.org,06 12 34 56 78\n');
  expect(await cli.run(`import ${file} --dry-run`)).toMatchObject({
    code: 1,
    stdout:
      'line 2: would create customer ben@example.org\n' +
      'line 3: failed anna@example.org: phone: Enter a complete phone number with its country code, such as +33 6 12 34 56 78.\n' +
      'created 1, unchanged 0, failed 1\n',
  });
  const { stdout } = await cli.run(`import ${file} --json`);
  expect(JSON.parse(stdout).rows[1].error).toBe('phone: This value is not a valid phone number.');
});
