/** The test vector of docs/webhook-receivers.md and of README: recomputed by our code, by the public verifiers, and by its own shell lines. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterEach, expect, test, vi } from 'vitest';
import { bodySignature, signatureHeaders, signedBody } from '../src/core/webhooks/signatures.js';
import { temporaryDirectory } from './support/app.js';

const SECRET = 'a secret of my own';
const doc = readFileSync(new URL('../docs/webhook-receivers.md', import.meta.url), 'utf8');
const [, vector = ''] = /```\n(webhook-id: [^`]*)```/.exec(doc) ?? [];
const [head = '', body = ''] = vector.trim().split('\n\n');
const headers = Object.fromEntries(
  head.split('\n').map((line) => [line.split(': ')[0]?.toLowerCase(), line.split(': ')[1]]),
) as Record<string, string>;
const inBody = (JSON.parse(body) as { signature: string }).signature;

afterEach(() => void vi.useRealTimers());

test('our code signs it so', () => {
  const content = `${body.split(',"signature"')[0]}}`;
  expect(signedBody(content, bodySignature(SECRET, content))).toBe(body);
  const message = { messageId: headers['webhook-id'] as string, timestamp: 1_772_442_847, body };
  expect(signatureHeaders([SECRET], message)).toEqual(headers);
});

test.each([
  ['standardwebhooks', new StandardWebhook(SECRET, { format: 'raw' })],
  ['svix', new SvixWebhook(SECRET, { format: 'raw' })],
])('%s accepts it at its time', (_, verifier) => {
  vi.useFakeTimers({ now: 1_772_442_847_000, toFake: ['Date'] });
  expect(verifier.verify(body, headers)).toEqual(JSON.parse(body));
});

test('the shell line of README prints the signature that it names, the one of the vector', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, named, line = ''] =
    /this prints `([^`]+)`[^`]*`webhook-signature`[^`]*`v1,`:\n\n```sh\n([^`]+)```/.exec(readme) ?? [];
  const printed = execFileSync('sh', ['-c', line], { encoding: 'utf8' }).trim();
  expect([printed, `v1,${printed}`]).toEqual([named, headers['webhook-signature']]);
  expect(line).toContain(`'${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}'`);
});

test('the shell lines print its three signatures', () => {
  const [, lines = ''] = /```sh\n(secret=[^`]*)```/.exec(doc) ?? [];
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'body'), body);
  const printed = execFileSync('sh', ['-c', lines], { cwd: directory, encoding: 'utf8' });
  const signatures = printed
    .trim()
    .split('\n')
    .map((line) => line.replace(/^.*= /, ''));
  expect(signatures).toEqual([
    headers['webhook-signature']?.slice('v1,'.length),
    headers['x-webhook-signature-256']?.slice('sha256='.length),
    inBody,
  ]);
});
