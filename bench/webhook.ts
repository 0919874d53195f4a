/** Signature webhooks at 32 connections, beside raw `node:http` and better-sqlite3 doing the same durable work. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { alternate, atATime, inDirectory, median, perSecond, print, quantile } from './support.js';
import { delivery } from './webhook-story.js';

export type ServerKind = 'routes' | 'daemon' | 'raw';

const DELIVERIES = 4_000;
const CONNECTIONS = 32;
const WARM_UP = 500;

interface Result {
  first: number;
  repeats: number;
  times: number[];
  /** Deliveries that were answered 202. */
  late: number;
}

/**
 * Files of all runs are removed at the end: a file system that has just deleted thousands of files is slow to create
 * new ones, at the next run's expense.
 */
export function run(): Promise<void> {
  return inDirectory(async (directory) => {
    let runs = 0;
    const provider = await startProvider();
    const fresh = (kind: ServerKind) => () =>
      measure(kind, join(directory, String((runs += 1))), provider.port);
    try {
      report(await alternate(3, fresh('routes'), fresh('raw')));
    } finally {
      provider.child.kill('SIGKILL');
    }
  });
}

function report({ a, b }: { a: Result[]; b: Result[] }): void {
  const rate = (results: Result[], of: 'first' | 'repeats') => median(results.map((result) => result[of]));
  print(`webhook, ${CONNECTIONS} connections: esignd`, perSecond(DELIVERIES, rate(a, 'first')));
  print('raw node:http and better-sqlite3 with group commit', perSecond(DELIVERIES, rate(b, 'first')));
  print('ratio (1 is the baseline)', (rate(b, 'first') / rate(a, 'first')).toFixed(2));
  const p99 = (results: Result[]) => median(results.map(({ times }) => quantile(times, 0.99))).toFixed(1);
  print('p99 of a delivery: esignd / raw', `${p99(a)} / ${p99(b)} ms`);
  print('answered 202 instead of 200: esignd', String(a.map(({ late }) => late)));
  print('repeats: esignd', perSecond(DELIVERIES, rate(a, 'repeats')));
  print('repeats: raw', perSecond(DELIVERIES, rate(b, 'repeats')));
}

/** A server of the benchmark, with `count` contracts that wait for their signature. */
export function startServer(kind: ServerKind, directory: string, count: number, providerPort: number) {
  return start('./webhook-server.js', [kind, directory, String(count), String(providerPort)]);
}

export function startProvider() {
  return start('./webhook-provider.js', []);
}

/** How many contracts are signed and stored. */
export function countSigned(directory: string): number {
  const db = new Database(join(directory, 'esign.db'), { readonly: true });
  try {
    return db.prepare("SELECT count(*) FROM contracts WHERE status = 'SIGNED'").pluck().get() as number;
  } finally {
    db.close();
  }
}

async function start(program: string, words: string[]) {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), words);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port };
}

async function measure(kind: ServerKind, directory: string, providerPort: number): Promise<Result> {
  const { child, port } = await startServer(kind, directory, DELIVERIES + WARM_UP, providerPort);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const deliveries = Array.from({ length: DELIVERIES + WARM_UP }, (_, i) => delivery(i + 1));
  const times: number[] = [];
  /** Answered 202 after 400 ms on a busy machine; a job or the repeat completes it. */
  const late = new Set<number>();
  const all = async (expected: number) => {
    const began = performance.now();
    await atATime(DELIVERIES, CONNECTIONS, async (i) => {
      const started = performance.now();
      const status = await post(agent, port, deliveries[i] as (typeof deliveries)[number]);
      times.push(performance.now() - started);
      if (status === 202) late.add(i);
      else if (status !== expected && !late.has(i))
        throw new Error(`${kind} answered ${status} instead of ${expected}`);
    });
    return performance.now() - began;
  };
  try {
    await atATime(WARM_UP, 8, (i) =>
      post(agent, port, deliveries[DELIVERIES + i] as (typeof deliveries)[number]),
    );
    const first = await all(200);
    const firstTimes = [...times];
    const { size } = late;
    const repeats = await all(422);
    const left = DELIVERIES + WARM_UP - countSigned(directory);
    if (left > size) throw new Error(`${kind} has left ${left} contracts unsigned`);
    return { first, repeats, times: firstTimes, late: size };
  } finally {
    agent.destroy();
    child.kill('SIGKILL');
  }
}

/** Resolves with the status. */
export function post(
  agent: Agent,
  port: number,
  { body, signature }: { body: string; signature: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const req = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/webhook/contract-signed',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'x-esign-signature-256': signature,
        },
      },
      (res) => {
        res.resume();
        res.on('end', () => resolve(res.statusCode ?? 0));
      },
    );
    req.on('error', reject);
    req.end(body);
  });
}
