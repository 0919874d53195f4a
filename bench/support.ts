/** Shared by the benchmarks: fresh directories, medians, alternating runs. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

export function quantile(numbers: readonly number[], q: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? NaN;
}

/** Runs `work` in a directory that is removed afterwards. */
export async function inDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'esign-bench-'));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Alternates all of them, A B C A B C …, after a warm-up of each, so that a machine that slows down slows them all. */
export async function inTurn<R extends Record<string, () => Promise<unknown>>>(
  runs: number,
  works: R,
): Promise<{ [K in keyof R]: Awaited<ReturnType<R[K]>>[] }> {
  const results: Record<string, unknown[]> = {};
  for (let i = 0; i <= runs; i += 1) {
    for (const [name, work] of Object.entries(works)) {
      const result = await work();
      if (i > 0) (results[name] ??= []).push(result);
    }
  }
  return results as { [K in keyof R]: Awaited<ReturnType<R[K]>>[] };
}

/** Of two. */
export function alternate<T>(
  runs: number,
  a: () => Promise<T>,
  b: () => Promise<T>,
): Promise<{ a: T[]; b: T[] }> {
  return inTurn(runs, { a, b });
}

/** Runs `count` tasks, `width` at a time. */
export async function atATime(
  count: number,
  width: number,
  work: (i: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const i = next;
      next += 1;
      await work(i);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** User and system time of all its threads. */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program, in brackets, may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

export async function clocked(call: () => unknown): Promise<number> {
  const began = performance.now();
  await call();
  return performance.now() - began;
}

/** In milliseconds; says when it is more than it may be. */
export function marked(ms: number, msMax: number): string {
  return ms > msMax ? `${ms.toFixed(2)} (over ${msMax})` : ms.toFixed(2);
}

export function print(label: string, value: string): void {
  console.log(`${label.padEnd(58)} ${value}`);
}

export function perSecond(count: number, ms: number): string {
  return `${Math.round((count / ms) * 1000).toLocaleString('en')}/s`;
}

/** Settings of a program on `dataDir`; the addresses are never called. */
export function settings(dataDir: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    ESIGN_DATA_DIR: dataDir,
    ESIGN_BASE_URL: 'http://127.0.0.1:8080',
    ESIGN_API_URL: 'https://signature.test/v3',
    ESIGN_API_KEY: 'bench',
    ESIGN_WEBHOOK_SECRET: 'bench-webhook-secret',
    ESIGN_PAYMENT_API_URL: 'https://payment.test',
    ESIGN_PAYMENT_API_KEY: 'bench',
    ESIGN_SMTP_URL: 'smtp://mail.test',
    ESIGN_MAIL_FROM: 'Bench <bench@bench.test>',
    ESIGN_ADMIN_EMAIL: 'office@bench.test',
  };
}
