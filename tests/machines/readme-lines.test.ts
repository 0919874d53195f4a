/** The lines that README prints for starting the programs are run as they stand there. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Program } from '../support/processes.js';
import { aWorld } from '../support/world.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ENV_FILE = '/etc/esign/esign.env';
const LINES = readFileSync(join(ROOT, 'README.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('node '));

test('README starts the daemon and the command line with a file of settings', () => {
  expect(LINES.map((line) => /bin\/(\w+)\.js .*--env-file /.exec(line)?.[1])).toEqual(['esignd', 'esignctl']);
});

test.concurrent.for(LINES)('%s', async (line, t) => {
  const world = await aWorld(t);
  const file = join(world.dataDir, '..', 'esign.env');
  const settings = Object.entries(world.env).map(([name, value]) => `${name}="${value}"`);
  writeFileSync(file, settings.join('\n'));
  const isOurs = (name: string) => name.startsWith('ESIGN_');
  const others = Object.entries(process.env).filter(([name]) => !isOurs(name));

  const started = new Program(
    'sh',
    spawn('sh', ['-c', `exec ${line.replace(ENV_FILE, file)}`], {
      cwd: ROOT,
      env: Object.fromEntries(others),
    }),
  );
  t.onTestFinished(async () => void (await started.killHard()));

  await started.said(line.includes('esignd.js') ? /esignd listening on/ : /^settings\tok\t/m);
});
