/** What the documents tell people to type, typed as it stands there. */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createUser } from '../../src/core/users/create-user.js';
import { createApp } from '../../src/server/app.js';
import { listen } from '../../src/server/http/listen.js';
import { startApp, temporaryDirectory, TESTER } from '../support/app.js';
import { lacks } from './needs.js';

const PASSWORD = 'what nobody would guess';

/** The first lines, which readers fill in; and a curl that ends the recipe when an answer refuses. */
const GIVEN = /^base=.*\nuser=.*\npassword=.*\n/;
const STRICT = 'set -eo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n';

test.skipIf(lacks('curl'))('docs/api.md: every command with curl does what it says', async () => {
  const { ctx } = await startApp();
  const user = { username: 'office@demo.test', password: PASSWORD, firstName: 'Olga', lastName: 'Ott' };
  await createUser(ctx, { ...user, role: 'ROLE_ADMIN' }, TESTER);
  const listener = await listen(createApp(ctx), { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listener.close(100));
  const directory = temporaryDirectory();

  const given = `base=http://127.0.0.1:${listener.port}\nuser=office@demo.test\npassword='${PASSWORD}'\n`;
  const recipe = recipeIn('docs/api.md', 'base=');
  expect(recipe).toMatch(GIVEN);
  const script = STRICT + recipe.replace(GIVEN, given);
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: directory });

  const answers = stdout.split(/(?<=\})(?=\{)/).map((each) => JSON.parse(each) as Record<string, unknown>);
  expect(answers).toMatchObject([
    { '@id': '/api/requests/1', title: 'Maintenance', status: 'new' },
    { 'hydra:totalItems': 1, 'hydra:view': { '@type': 'hydra:PartialCollectionView' } },
    { '@id': '/api/requests/1', title: 'Repair' },
    { '@id': '/api/requests/1', title: 'Repair', description: 'Boiler in the attic' },
    { '@id': '/api/contracts/1', status: 'PENDING', request: '/api/requests/1' },
    { type: 'info', key: 'check_signature_info.ongoing' },
    { '@id': '/api/requests/1', status: 'WAITING_SIGNATURE' },
    { created: 1, failed: 0, dryRun: true },
    { created: 1, failed: 0, dryRun: false },
    { '@id': '/api/requests/1', status: 'CANCELED' },
    { '@id': '/api/requests/1', status: 'new' },
  ]);
  expect(readFileSync(join(directory, 'contract.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
});

test.skipIf(lacks('openssl'))(
  'docs/webhook-receivers.md: its shell lines print the three signatures of its example',
  () => {
    const guide = 'docs/webhook-receivers.md';
    const example = /```\n(webhook-id: [^`]*)```/.exec(readFileSync(guide, 'utf8'))?.[1] ?? '';
    const body = example.trim().split('\n\n')[1] ?? '';
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'body'), body);

    const printed = execFileSync('sh', ['-c', recipeIn(guide, 'secret=')], {
      cwd: directory,
      encoding: 'utf8',
    });

    const signatures = printed.trim().split('\n');
    expect(signatures.map((line) => line.replace(/^.*= /, ''))).toEqual([
      /^webhook-signature: v1,(.*)$/m.exec(example)?.[1],
      /^x-webhook-signature-256: sha256=(.*)$/im.exec(example)?.[1],
      (JSON.parse(body) as { signature: string }).signature,
    ]);
  },
);

/** The first block of shell lines that begins so. */
function recipeIn(file: string, start: string): string {
  const blocks = [...readFileSync(file, 'utf8').matchAll(/```sh\n(.*?)```/gs)];
  return blocks.map(([, lines = '']) => lines).find((lines) => lines.startsWith(start)) ?? '';
}
