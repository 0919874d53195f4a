/** The demo that waits for a person. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
