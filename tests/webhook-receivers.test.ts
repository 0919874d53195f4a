/** The test vector of docs/webhook-receivers.md: recomputed by our code and by the public verifier. (Its shell lines: tests/machines/recipes.test.ts.) */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { bodySignature, signatureHeaders, signedBody } from '../src/core/webhooks/signatures.js';
import { temporaryDirectory } from './support/app.js';

const SECRET = 'a secret of my own';
const doc = readFileSync(new URL('../docs/webhook-receivers.md', import.meta.url), 'utf8');
const [, vector = ''] = /```\n(webhook-id: [^`]*)```/.exec(doc) ?? [];
const [head = '', body = ''] = vector.trim().split('\n\n');
const headers = Object.fromEntries(
  head.split('\n').map((line) => [line.split(': ')[0]?.toLowerCase(), line.split(': ')[1]]),
) as Record<string, string>;

afterEach(() => void vi.useRealTimers());

test('our code signs it so', () => {
  const content = `${body.split(',"signature"')[0]}}`;
  expect(signedBody(content, bodySignature(SECRET, content))).toBe(body);
  const message = { messageId: headers['webhook-id'] as string, timestamp: 1_772_442_847, body };
  expect(signatureHeaders([SECRET], message)).toEqual(headers);
});

test('standardwebhooks accepts it at its time', () => {
  const verifier = new Webhook(SECRET, { format: 'raw' });
  vi.useFakeTimers({ now: 1_772_442_847_000, toFake: ['Date'] });
  expect(verifier.verify(body, headers)).toEqual(JSON.parse(body));
});

test('the receiver of the guide takes what is ours, and nothing else', async () => {
  const [, program = ''] = /```js\n(\/\/ receiver.mjs\n[^`]*)```/.exec(doc) ?? [];
  const directory = temporaryDirectory();
  symlinkSync(new URL('../node_modules', import.meta.url), join(directory, 'node_modules'));
  const file = join(directory, 'receiver.mjs');
  writeFileSync(
    file,
    program.replace(
      "listen(9000, '127.0.0.1')",
      "listen(0, '127.0.0.1', function () { console.log(this.address().port); })",
    ),
  );
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const post = async (signed: Record<string, string>) =>
    (await fetch(`http://127.0.0.1:${Number(port)}/`, { method: 'POST', headers: signed, body })).status;

  const message = { messageId: 'm1', timestamp: Math.floor(Date.now() / 1000), body };
  expect(await post(signatureHeaders([SECRET], message))).toBe(204);
  expect(await post(signatureHeaders(['another secret'], message))).toBe(401);
  // The vector is genuine, but of a time long past.
  expect(await post(headers)).toBe(401);
});
