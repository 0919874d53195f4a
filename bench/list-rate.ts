/** Calls per second of `GET /api/requests` with a token, beside hand-written servers that send the same bytes. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Answer, Kind } from './list-server.js';
import { inTurn, median, perSecond, print } from './support.js';

const CONNECTIONS = 16;
/** The same for both servers, and for whole pages and those not changed. */
const CALLS = { bare: 8_000, raw: 3_200 };
const RUNS = 5;

interface Started {
  port: number;
  token: string;
}

interface Asked {
  path: string;
  token: string;
  /** Of the answer that the caller knows. */
  etag?: string;
}

interface Result {
  ms: number;
  /** The server's CPU time per call. */
  cpuUs: number;
}

export async function besideOthers(directory: string): Promise<void> {
  const ours = start('ours', directory);
  const { port, token } = await message<Started>(ours);
  try {
    for (const page of [3, 3_000]) {
      const path = `/api/requests?page=${page}`;
      const asked = await withEtag(port, { path, token });
      for (const kind of ['bare', 'raw'] as const) {
        const other = start(kind, directory);
        other.send(asked.answer);
        const { port: otherPort } = await message<Started>(other);
        const { known } = await withEtag(otherPort, { path, token });
        const results = await inTurn(RUNS, {
          own: () => calls(ours, port, { path, token }, CALLS[kind]),
          ownKnown: () => calls(ours, port, asked.known, CALLS[kind]),
          other: () => calls(other, otherPort, { path, token }, CALLS[kind]),
          otherKnown: () => calls(other, otherPort, known, CALLS[kind]),
        });
        report(`page ${page} of 100,000 requests`, kind, results.own, results.other);
        report(`page ${page}, not changed (304)`, kind, results.ownKnown, results.otherKnown);
        compareOwn(page, results.own, results.ownKnown);
        other.kill();
      }
    }
  } finally {
    ours.kill();
  }
}

/** What a server sends, and the same call by a caller that knows this answer. */
async function withEtag(port: number, asked: Asked): Promise<{ answer: Answer; known: Asked }> {
  const headers = { authorization: `Bearer ${asked.token}` };
  const answer = await fetch(`http://127.0.0.1:${port}${asked.path}`, { headers });
  const etag = answer.headers.get('etag') as string;
  return { answer: { headers: sent(answer), body: await answer.text() }, known: { ...asked, etag } };
}

const OTHERS = {
  bare: 'a bare node:http server that sends the same bytes, unasked',
  raw: 'node:http by hand: token, page, total, JSON, ETag',
};

/** Our own two answers. */
function compareOwn(page: number, whole: Result[], notChanged: Result[]): void {
  const faster = median(whole.map(({ ms }) => ms)) / median(notChanged.map(({ ms }) => ms));
  const cheaper = median(whole.map(({ cpuUs }) => cpuUs)) / median(notChanged.map(({ cpuUs }) => cpuUs));
  print(
    `page ${page}, esignd: not changed, beside the whole page`,
    `${faster.toFixed(2)} times as many calls; ${cheaper.toFixed(2)} by processor time`,
  );
}

function report(what: string, kind: keyof typeof OTHERS, ours: Result[], others: Result[]): void {
  const ms = (results: Result[]) => median(results.map((result) => result.ms));
  const cpu = (results: Result[]) => median(results.map((result) => result.cpuUs));
  print(`${what}: esignd`, perSecond(CALLS[kind], ms(ours)));
  print(OTHERS[kind], perSecond(CALLS[kind], ms(others)));
  print('ratio (1 is the baseline)', (ms(others) / ms(ours)).toFixed(2));
  print(
    'processor time a call: esignd / the other',
    `${cpu(ours).toFixed(0)} / ${cpu(others).toFixed(0)} µs`,
  );
}

/** Without the headers that Node adds itself. */
function sent({ headers }: Response): Answer['headers'] {
  return [...headers].filter(
    ([name]) => !['content-length', 'date', 'connection', 'keep-alive'].includes(name),
  );
}

function start(kind: Kind, directory: string): ChildProcess {
  return fork(fileURLToPath(new URL('./list-server.js', import.meta.url)), [kind, directory]);
}

async function message<T>(child: ChildProcess): Promise<T> {
  const [told] = (await once(child, 'message')) as [T];
  return told;
}

async function calls(server: ChildProcess, port: number, asked: Asked, count: number): Promise<Result> {
  const cpu = async () => {
    server.send('cpu');
    const { user, system } = await message<NodeJS.CpuUsage>(server);
    return user + system;
  };
  const before = await cpu();
  const began = performance.now();
  const each = count / CONNECTIONS;
  await Promise.all(Array.from({ length: CONNECTIONS }, () => caller(port, asked, each)));
  const ms = performance.now() - began;
  return { ms, cpuUs: ((await cpu()) - before) / count };
}

/**
 * One connection that asks again as soon as it has an answer. It only counts bytes; a parsing client would be the
 * bottleneck.
 */
function caller(port: number, { path, token, etag }: Asked, count: number): Promise<void> {
  const known = etag === undefined ? '' : `If-None-Match: ${etag}\r\n`;
  const call = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${known}\r\n`;
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
      size = 0;
      left -= 1;
      if (left > 0) socket.write(call);
      else {
        socket.destroy();
        resolve();
      }
    });
  });
}

/** The size of an answer from its head. */
function sizeOf(answer: string): number {
  const end = answer.indexOf('\r\n\r\n') + 4;
  if (answer.startsWith('HTTP/1.1 304')) return end;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, end))?.[1];
  if (!answer.startsWith('HTTP/1.1 200') || length === undefined) throw new Error(answer.slice(0, end));
  return end + Number(length);
}
