/** The demo as a person or a script starts it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { startProgram } from './support/processes.js';

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
