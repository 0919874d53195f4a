/**
 * Runs in the worker before each file of tests. It loads every module: what is done while a module is loaded then belongs to no
 * test, whichever needed the module first. And it ends the worker when a test hangs under a mutant, which counts as noticed. A clock
 * would not do: on a busy machine a good test may take long.
 */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, inject } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../src');
/** More than any test needs: of waiting with nothing to do, and of computing. */
const IDLE_MAX_MS = 4_000;
const CPU_MAX_MS = 8_000;
const LOOKS_EVERY_MS = 250;

interface Spent {
  idleMs: number;
  cpuMs: number;
}

/** This file is run again for each file of tests. */
const worker = globalThis as { isPrepared?: boolean; testBegan?: Spent | undefined };

if (!worker.isPrepared) {
  worker.isPrepared = true;
  for (const part of ['core', 'db'])
    for (const file of readdirSync(join(ROOT, part), { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.ts')) await import(join(ROOT, part, file));
  // Stryker's word for a run under a mutant.
  if (inject('mode' as never) === 'mutant') setInterval(endWhenHung, LOOKS_EVERY_MS).unref();
}
beforeEach(() => void (worker.testBegan = spent()));
afterEach(() => void (worker.testBegan = undefined));

function spent(): Spent {
  const { user, system } = process.cpuUsage();
  return { idleMs: performance.eventLoopUtilization().idle, cpuMs: (user + system) / 1_000 };
}

function endWhenHung(): void {
  if (worker.testBegan === undefined) return;
  const { idleMs, cpuMs } = spent();
  const isHung =
    idleMs - worker.testBegan.idleMs > IDLE_MAX_MS || cpuMs - worker.testBegan.cpuMs > CPU_MAX_MS;
  if (isHung) process.kill(process.pid, 'SIGKILL');
}
