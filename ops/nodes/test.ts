/**
 * `npm run test:nodes [-- VERSION…]`: runs the suite on each supported Node, fetched as an npm package, and prints
 * how each fares. Slow, so not part of `npm test`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** The oldest supported, the bundled one, and the newest. */
const VERSIONS = ['22.14.0', '24.21.0', '26.12.1'];
const SUMMARY = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m;

const asked = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'esign-nodes-'));
const rows: string[] = [];
try {
  for (const version of asked.length > 0 ? asked : VERSIONS) rows.push(await testOn(version));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
const day = new Date().toISOString().slice(0, 10);
process.stdout.write(`\n| Date | Node | Passed | Failed | Skipped |\n|---|---|---|---|---|\n`);
for (const row of rows) process.stdout.write(`| ${day} | ${row} |\n`);

/** Returns one row of the table and sets the exit code to 1 when the suite fails. */
async function testOn(version: string): Promise<string> {
  process.stderr.write(`\n== Node ${version}\n`);
  const bin = join(fetched(version), 'bin');
  const child = spawn(join(bin, 'node'), ['node_modules/vitest/vitest.mjs', 'run'], {
    cwd: ROOT,
    // Tests that start `node` by name get this one too.
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let end = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    end = (end + text).slice(-1_000);
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0) process.exitCode = 1;
  const [, passed, failed, skipped] = SUMMARY.exec(end) ?? [];
  return passed === undefined
    ? `${version} | did not end: ${signal ?? `exit code ${code}`} | | `
    : `${version} | ${passed} | ${failed} | ${skipped}`;
}

function fetched(version: string): string {
  const spec = `node-${process.platform}-${process.arch}@${version}`;
  const options = ['--silent', '--pack-destination', scratch];
  const archive = execFileSync('npm', ['pack', spec, ...options], { cwd: ROOT, encoding: 'utf8' }).trim();
  const into = mkdtempSync(join(scratch, 'node-'));
  execFileSync('tar', ['-xzf', join(scratch, archive), '-C', into]);
  return join(into, 'package');
}
