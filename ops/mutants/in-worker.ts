/**
 * Runs in the worker before each file of tests. It loads every module: what is done while a module is loaded then belongs to no
 * test, whichever needed the module first. And under a mutant it fails a test that hangs, or ends the worker if the test's clean-up
 * hangs too; both count as noticed. A clock would not do: on a busy machine a good test may take long.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { beforeEach, inject } from 'vitest';
import { PARTS } from './parts.js';

const ROOT = resolve(import.meta.dirname, '../../src');
const LOOKS_EVERY_MS = 250;
/** More than any test needs: of computing, and of looks in a row at which nothing had been going on. */
const CPU_MAX_MS = PARTS[process.env['MUTANTS_PART'] ?? '']?.cpuMaxMs ?? 5_000;
const QUIET_LOOKS_MAX = 10;
/** Of the time between two looks. */
const QUIET_SHARE = 0.1;

/** This file is run again for each file of tests. */
const worker = globalThis as {
  isPrepared?: boolean;
  cpuBefore?: Float64Array<SharedArrayBuffer>;
  /** Fails the test that is running (runner.ts). */
  fail?: ((reason: Error) => void) | undefined;
};
/** What the process had computed when the test began, in ms; 0 between tests. */
const cpuBefore = (worker.cpuBefore ??= new Float64Array(new SharedArrayBuffer(8)));

if (!worker.isPrepared) {
  worker.isPrepared = true;
  for (const part of ['core', 'db'])
    for (const file of readdirSync(join(ROOT, part), { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.ts')) await import(join(ROOT, part, file));
  // Stryker's word for a run under a mutant.
  if (inject('mode' as never) === 'mutant') watch();
}
beforeEach(({ onTestFinished }) => {
  cpuBefore[0] = cpuMs();
  // Registered first, it runs last.
  onTestFinished(() => {
    cpuBefore[0] = 0;
  });
});

function watch(): void {
  let quietLooks = 0;
  let last = { at: performance.now(), wantedMs: wantedMs() };
  const look = () => {
    const now = { at: performance.now(), wantedMs: wantedMs() };
    const isQuiet = now.wantedMs - last.wantedMs < QUIET_SHARE * (now.at - last.at);
    last = now;
    if (cpuBefore[0] === 0 || !isQuiet) quietLooks = 0;
    else quietLooks += 1;
    if (quietLooks <= QUIET_LOOKS_MAX) return;
    if (!worker.fail) process.kill(process.pid, 'SIGKILL');
    worker.fail?.(new Error('it hangs'));
    worker.fail = undefined;
    quietLooks = 0;
  };
  setInterval(look, LOOKS_EVERY_MS).unref();
  new Worker(`(${watchComputing.toString()})()`, {
    eval: true,
    workerData: { cpuBefore, LOOKS_EVERY_MS, CPU_MAX_MS },
  }).unref();
}

/** In a thread of its own, which goes on while a loop never gives up its turn. */
function watchComputing(): void {
  const { workerData } = process.getBuiltinModule('node:worker_threads');
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    const usedMs = workerData.cpuBefore[0] === 0 ? 0 : (user + system) / 1_000 - workerData.cpuBefore[0];
    if (usedMs > workerData.CPU_MAX_MS) process.kill(process.pid, 'SIGKILL');
  }, workerData.LOOKS_EVERY_MS);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** For how long threads of this process ran or waited for a processor; without Linux only the former. */
function wantedMs(): number {
  try {
    return readdirSync('/proc/self/task').reduce((sum, id) => sum + wantedByMs(id), 0);
  } catch {
    return cpuMs();
  }
}

function wantedByMs(thread: string): number {
  const [ran = 0, waited = 0] = readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8')
    .split(' ')
    .map(Number);
  return (ran + waited) / 1_000_000;
}
