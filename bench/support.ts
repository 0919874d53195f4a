/** Shared by the measures: fresh directories, alternating runs, and the table in which each figure stands beside its baseline. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';

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
export async function inTurn<R extends Record<string, () => unknown>>(
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

export async function clocked(call: () => unknown): Promise<number> {
  const began = performance.now();
  await call();
  return performance.now() - began;
}

/** The baselines' writer: all writes of a turn share one commit. Where each is to be alone, one that fails would undo no other. */
export function groupCommit(db: Database.Database, isEachAlone = false) {
  const savepoint = db.prepare('SAVEPOINT unit');
  const release = db.prepare('RELEASE unit');
  const alone = (work: () => unknown) => {
    savepoint.run();
    const value = work();
    release.run();
    return value;
  };
  let waiting: { work: () => unknown; resolve: (value: unknown) => void }[] = [];
  const flush = () => {
    const batch = waiting;
    waiting = [];
    db.exec('BEGIN IMMEDIATE');
    const values = batch.map(({ work }) => (isEachAlone ? alone(work) : work()));
    db.exec('COMMIT');
    for (const [i, { resolve }] of batch.entries()) resolve(values[i]);
  };
  return <T>(work: () => T): Promise<T> =>
    new Promise<T>((resolve) => {
      waiting.push({ work, resolve: resolve as (value: unknown) => void });
      if (waiting.length === 1) setImmediate(flush);
    });
}

export interface Figure {
  own: number;
  /** The same by hand, in the same run. */
  base?: number;
  unit: 'ms' | 'MB' | '/s' | '%' | '';
  /** What is wanted, in words. */
  aim?: string;
}

/** A row of the table. */
export function tell(what: string, { own, base, unit, aim = '' }: Figure): void {
  const shown = (n: number) => (n >= 100 ? Math.round(n).toLocaleString('en') : n.toFixed(n < 10 ? 2 : 1));
  const cells = [`${shown(own)} ${unit}`, base === undefined ? '–' : `${shown(base)} ${unit}`];
  const ratio = base === undefined ? '' : (own / base).toFixed(2);
  console.log(`| ${what} | ${cells.join(' | ')} | ${ratio} | ${aim} |`);
}

export function heading(): void {
  console.log('| Measure | esign | Baseline | Ratio | Aim |\n|---|--:|--:|--:|---|');
}

/** One number of a file below /proc. */
export function numberIn(file: string, what: RegExp): number {
  return Number(what.exec(readFileSync(file, 'latin1'))?.[1] ?? NaN);
}

/** Settings of a program on `dataDir`; without providers, their addresses are never called. */
export function settings(dataDir: string, providers = 'http://127.0.0.1:9'): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    ESIGN_DATA_DIR: dataDir,
    ESIGN_BASE_URL: 'http://127.0.0.1:8080',
    ESIGN_API_URL: `${providers}/v3`,
    ESIGN_API_KEY: 'key',
    ESIGN_WEBHOOK_SECRET: WEBHOOK_SECRET,
    ESIGN_PAYMENT_API_URL: providers,
    ESIGN_PAYMENT_API_KEY: 'key',
    ESIGN_SMTP_URL: `file:${join(dataDir, 'mails')}`,
    ESIGN_MAIL_FROM: 'Bench <bench@bench.test>',
    ESIGN_ADMIN_EMAIL: 'office@bench.test',
    ESIGN_RATE_LIMIT_IP: '0',
    ESIGN_RATE_LIMIT_USER: '0',
  };
}

export const WEBHOOK_SECRET = 'bench-webhook-secret';
