/** Calls a second of `GET /api/requests` with a token, beside a bare `node:http` server that sends the same bytes. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Answer } from './list-server.js';
import { alternate, median, perSecond, print } from './support.js';

const CONNECTIONS = 16;
const CALLS = 8_000;
const RUNS = 5;

interface Result {
  ms: number;
  /** Of the server's processor time, a call. */
  cpuUs: number;
}

export async function besideBare(directory: string): Promise<void> {
  const ours = start('ours', directory);
  const { port, token } = await message<{ port: number; token: string }>(ours);
  try {
    for (const page of [3, 3_000]) {
      const path = `/api/requests?page=${page}`;
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const bare = start('bare', directory);
      bare.send({ headers: sent(answer), body: await answer.text() } satisfies Answer);
      const { port: barePort } = await message<{ port: number }>(bare);
      const { a, b } = await alternate(
        RUNS,
        () => calls(ours, port, path, token),
        () => calls(bare, barePort, path, token),
      );
      bare.kill();
      report(page, a, b);
    }
  } finally {
    ours.kill();
  }
}

function report(page: number, ours: Result[], bare: Result[]): void {
  const ms = (results: Result[]) => median(results.map((result) => result.ms));
  const cpu = (results: Result[]) => median(results.map((result) => result.cpuUs));
  print(`page ${page} of 100,000 requests: esignd`, perSecond(CALLS, ms(ours)));
  print('bare node:http with the same bytes', perSecond(CALLS, ms(bare)));
  print('ratio (1 is the baseline)', (ms(bare) / ms(ours)).toFixed(2));
  print('processor time a call: esignd / bare', `${cpu(ours).toFixed(0)} / ${cpu(bare).toFixed(0)} µs`);
}

/** What Node adds by itself is left to it. */
function sent({ headers }: Response): Answer['headers'] {
  return [...headers].filter(
    ([name]) => !['content-length', 'date', 'connection', 'keep-alive'].includes(name),
  );
}

function start(kind: 'ours' | 'bare', directory: string): ChildProcess {
  return fork(fileURLToPath(new URL('./list-server.js', import.meta.url)), [kind, directory]);
}

async function message<T>(child: ChildProcess): Promise<T> {
  const [told] = (await once(child, 'message')) as [T];
  return told;
}

async function calls(server: ChildProcess, port: number, path: string, token: string): Promise<Result> {
  const cpu = async () => {
    server.send('cpu');
    const { user, system } = await message<NodeJS.CpuUsage>(server);
    return user + system;
  };
  const before = await cpu();
  const began = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, () => caller(port, path, token, CALLS / CONNECTIONS)),
  );
  const ms = performance.now() - began;
  return { ms, cpuUs: ((await cpu()) - before) / CALLS };
}

/** One connection that asks again as soon as it has an answer. It counts bytes: a client that parses would be the slower side. */
function caller(port: number, path: string, token: string, count: number): Promise<void> {
  const call = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(call));
    let size = 0;
    let got = 0;
    let left = count;
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      if (size === 0) size = sizeOf(chunk.toString('latin1'));
      got += chunk.length;
      if (got < size) return;
      got = 0;
      left -= 1;
      if (left > 0) socket.write(call);
      else {
        socket.destroy();
        resolve();
      }
    });
  });
}

/** Of an answer whose head has come; those of one page are all as long. */
function sizeOf(answer: string): number {
  const end = answer.indexOf('\r\n\r\n') + 4;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, end))?.[1];
  if (!answer.startsWith('HTTP/1.1 200') || length === undefined) throw new Error(answer.slice(0, end));
  return end + Number(length);
}
