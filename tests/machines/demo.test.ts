/** The demo as a person or a script starts it. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi, type TestContext } from 'vitest';
import { PATIENCE } from '../support/patience.js';
import { startProgram } from '../support/processes.js';

test('without --auto it waits with a request to sign, and lets no second demo into its directory; Ctrl-C stops everything with 0', async (t) => {
  const { demo, directory, baseUrl } = await readyDemo(t);

  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
  const signingPage = /Signing page +(\S+)/.exec(demo.stdout)?.[1] as string;
  expect(await (await fetch(signingPage)).text()).toContain('Sign the document');
  const esignctl = ['--env-file', join(directory, 'var/demo/demo.env')];
  expect(demo.stdout).toContain('node -- dist/bin/esignctl.js --env-file var/demo/demo.env explain 1');
  const check = await startProgram(t, 'esignctl', {
    args: [...esignctl, 'check-signature', '1'],
    cwd: directory,
  }).ended;
  expect(check).toMatchObject({ code: 0 });

  const second = await startProgram(t, 'esign-demo', { cwd: directory }).ended;
  expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('running already') });
  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);

  const { code, stderr } = await demo.stop('SIGINT');

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  await expect(fetch(`${baseUrl}/healthz`)).rejects.toThrow();
  await expect(fetch(signingPage)).rejects.toThrow();
});

test('a daemon that dies is noticed: the demo says so, stops the rest and ends with 1', async (t) => {
  const { demo, directory } = await readyDemo(t);
  const sandbox = /Sandbox console +(\S+)/.exec(demo.stdout)?.[1] as string;

  process.kill(Number(readFileSync(join(directory, 'var/demo/esignd.pid'), 'utf8')), 'SIGKILL');

  const { code, stderr } = await demo.ended;
  expect(code).toBe(1);
  expect(stderr).toContain('esignd ended with SIGKILL');
  await expect(fetch(sandbox)).rejects.toThrow();
});

test('--auto tells the whole story, a line a step, and leaves nothing running and no file', async (t) => {
  const scratch = emptyDirectory(t);

  const { code, stdout, stderr } = await startProgram(t, 'esign-demo', {
    args: ['--auto'],
    cwd: scratch,
    env: { TMPDIR: scratch },
  }).ended;

  expect(stderr).toBe('');
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  for (const line of lines) expect(line).toMatch(/^ *\d+\.\d\d s {2}\S/);
  inOrder(stdout, ['WAITING_SIGNATURE', 'WAITING_PAYMENT', 'COMPLETE', 'everything stopped']);
  for (const word of ['request', 'contract', 'signed', 'webhook', 'PDF', 'mail', 'payment']) {
    expect(stdout).toContain(word);
  }
  expect(stdout).not.toMatch(/warn|error|password|secret|token|eyJ|cs_test|    at /i);
  const addresses = stdout.match(/http:\/\/[\w.:]+/g) ?? [];
  expect(addresses).toHaveLength(2);
  for (const address of addresses) await expect(fetch(address)).rejects.toThrow();
  expect(readdirSync(scratch)).toEqual([]);
});

test('a var/demo that no demo has made is left as it is', async (t) => {
  const directory = emptyDirectory(t);
  mkdirSync(join(directory, 'var/demo'), { recursive: true });
  writeFileSync(join(directory, 'var/demo/thesis.txt'), 'three years of work');

  const { code, stderr } = await startProgram(t, 'esign-demo', { cwd: directory }).ended;

  expect(code).toBe(1);
  expect(stderr).toContain('not made by a demo');
  expect(readFileSync(join(directory, 'var/demo/thesis.txt'), 'utf8')).toBe('three years of work');
});

test('an unknown option: exit 2 and how it is used', async (t) => {
  const { code, stderr } = await startProgram(t, 'esign-demo', { args: ['--fast'] }).ended;
  expect(code).toBe(2);
  expect(stderr).toContain('Usage');
});

async function readyDemo(t: TestContext) {
  const directory = emptyDirectory(t);
  const demo = startProgram(t, 'esign-demo', { cwd: directory });
  // Not killed hard, or its children would be left.
  t.onTestFinished(async () => void (await demo.stop('SIGTERM')));
  await vi.waitUntil(() => demo.stdout.includes('Ctrl-C') || demo.hasEnded, PATIENCE);
  const baseUrl = /API +(http:\/\/[^/]+)/.exec(demo.stdout)?.[1] as string;
  return { demo, directory, baseUrl };
}

function emptyDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'esign-demo-test-'));
  t.onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function inOrder(text: string, words: readonly string[]): void {
  const places = words.map((word) => text.indexOf(word));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
}
