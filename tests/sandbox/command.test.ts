import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listening } from '../../sandbox/listening.js';
import { startSandbox } from '../../sandbox/start.js';
import { main } from '../../sandbox/main.js';
import { PATIENCE } from '../support/patience.js';

/** The program as it is shipped: `npm test` builds it first. */
const PROGRAM = fileURLToPath(new URL('../../dist/bin/esign-sandbox.js', import.meta.url));

test('prints a ready line, answers there, and leaves with 0 on SIGTERM', async () => {
  const options = ['--port', '0', '--smtp-port', '0', '--fault', 'payment:500:3'];
  const child = spawn(process.execPath, [PROGRAM, ...options]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await expect
    .poll(() => printed, PATIENCE)
    .toMatch(/^ready http:\/\/127\.0\.0\.1:\d+ smtp:\/\/127\.0\.0\.1:\d+$/m);

  // A service that remembers an earlier run must not meet its ids again.
  expect(printed).toMatch(/^seed +\d{2,9}$/m);
  const [, url] = /^ready (\S+)/m.exec(printed) ?? [];
  expect(await (await fetch(`${url}/_sandbox/faults`)).json()).toMatchObject([
    { target: 'payment', kind: '500', times: 3 },
  ]);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

async function quietly(...argv: string[]): Promise<{ code: number; said: string }> {
  const said: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => said.push(String(chunk)) > 0);
  try {
    return { code: await main(argv, {}), said: said.join('') };
  } finally {
    spy.mockRestore();
  }
}

test.each([
  [['--port', 'x'], 'port'],
  [['--nonsense'], 'nonsense'],
  [['--fault', 'payment:nothing', '--port', '0', '--smtp-port', '0'], 'fault kind'],
  [['--host', '0.0.0.0', '--port', '0', '--smtp-port', '0'], '--allow-remote'],
  [['--rate-limit', '5'], '30/200'],
])('wrong usage %j: exit 2 and a sentence', async (argv, word) => {
  const { code, said } = await quietly(...argv);
  expect(code).toBe(2);
  expect(said).toContain(word);
});

test('a port in use: exit 1 and the port named, nothing left running', async () => {
  const other = createServer();
  const port = await listening(other, '127.0.0.1', 0);
  onTestFinished(() => void other.close());

  const http = await quietly('--port', String(port), '--smtp-port', '0');
  const smtp = await quietly('--port', '0', '--smtp-port', String(port));

  for (const { code, said } of [http, smtp]) {
    expect(code).toBe(1);
    expect(said).toContain(`port ${port} on 127.0.0.1 is in use`);
  }
});

test('only loopback is listened on unless remote is allowed', async () => {
  await expect(startSandbox({ host: '0.0.0.0', port: 0, smtpPort: 0 })).rejects.toThrow(RangeError);
  const sandbox = await startSandbox({ host: '0.0.0.0', port: 0, smtpPort: 0, allowRemote: true });
  expect(sandbox.url).toContain('http://0.0.0.0:');
  await sandbox.close();
});
