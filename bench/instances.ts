/**
 * Many installations on one machine: what an idle daemon takes. Memory is the proportional set size, in which shared pages
 * count once for all; processor time is counted by the kernel. Neither depends on what else the machine does.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inDirectory, median, print, processorMs, quantile } from './support.js';

const COUNT = Number(process.env['BENCH_INSTANCES'] ?? 50);
const IDLE_S = 60;
const ESIGND = fileURLToPath(new URL('../bin/esignd.js', import.meta.url));

interface Instance {
  process: ChildProcess;
  pid: number;
  /** Processor time until it listened. */
  startMs: number;
}

export async function run(): Promise<void> {
  await inDirectory(async (directory) => {
    const instances: Instance[] = [];
    try {
      for (let i = 0; i < COUNT; i += 1) instances.push(await start(join(directory, `firm-${i}`)));
      const pids = instances.map(({ pid }) => pid);
      // What a start leaves behind is collected in the first seconds.
      await pause(10_000);
      const before = pids.map(processorMs);
      await pause(IDLE_S * 1000);
      const idle = pids.map((pid, i) => (processorMs(pid) - (before[i] as number)) / IDLE_S);
      const memory = pids.map(pssMb);
      const starts = instances.map(({ startMs }) => startMs);
      print(`${COUNT} installations: memory of all (PSS)`, `${sum(memory).toFixed(0)} MB`);
      print('memory of one, median and largest', `${shown(memory)} MB`);
      print('processor time of an idle one, median and largest', `${shown(idle, 2)} ms a second`);
      print('processor time of all, idle', `${(sum(idle) / 10).toFixed(1)} % of a core`);
      print('processor time of a start, median and largest', `${shown(starts)} ms`);
    } finally {
      await Promise.all(instances.map(stop));
    }
  });
}

async function start(dataDir: string): Promise<Instance> {
  mkdirSync(dataDir);
  const child = spawn(process.execPath, ['--', ESIGND], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      // As in ops/systemd/esignd@.service.
      NODE_OPTIONS: '--max-semi-space-size=8',
      ESIGN_DATA_DIR: dataDir,
      ESIGN_PORT: '0',
      ESIGN_BASE_URL: 'http://127.0.0.1:8080',
      ESIGN_API_URL: 'http://127.0.0.1:9/v3',
      ESIGN_API_KEY: 'none',
      ESIGN_WEBHOOK_SECRET: 'a secret of the benchmark',
      ESIGN_PAYMENT_API_URL: 'http://127.0.0.1:9',
      ESIGN_PAYMENT_API_KEY: 'none',
      ESIGN_SMTP_URL: `file:${join(dataDir, 'mails')}`,
      ESIGN_MAIL_FROM: 'Firm <firm@example.org>',
      ESIGN_ADMIN_EMAIL: 'office@example.org',
      ESIGN_LOG_LEVEL: 'warn',
    },
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`esignd ended with ${String(code)}`);
  });
  await Promise.race([
    once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line'),
    ended,
  ]);
  ended.catch(() => undefined);
  const pid = child.pid as number;
  return { process: child, pid, startMs: processorMs(pid) };
}

async function stop({ process: child }: Instance): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

function pssMb(pid: number): number {
  const [, kb] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

function shown(numbers: readonly number[], digits = 0): string {
  return `${median(numbers).toFixed(digits)} and ${quantile(numbers, 1).toFixed(digits)}`;
}
