/**
 * Pages of the back office with 1,000,000 requests, or as many as `BENCH_REQUESTS` says: the time of each over HTTP, with
 * session and compression, beside a bare server that sends the same bytes.
 */
import { once } from 'node:events';
import { Agent, createServer, get, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { beginSession } from '../src/core/users/sessions.js';
import { findUser } from '../src/db/users/users.js';
import { createApp } from '../src/server/app.js';
import type { Context } from '../src/core/context.js';
import { addStories, ADMIN, fill, openService } from './list-data.js';
import { inDirectory, median, print, quantile } from './support.js';

const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 1_000_000);
/** In the middle. */
const ONE = REQUESTS / 2;
const CALLS = 100;
const FAILED = 100_000;

const PAGES = {
  dashboard: '/admin',
  'what needs the office': '/admin/todo',
  'requests, the newest': '/admin/requests',
  'requests, the last page': `/admin/requests?page=${Math.ceil(REQUESTS / 25)}`,
  'requests of one status, in the middle': `/admin/requests?status=COMPLETE&page=${Math.ceil(REQUESTS / 50)}`,
  'requests, longest in their status': '/admin/requests?order=since-asc',
  'requests of one status, by its age':
    '/admin/requests?status=COMPLETE&order=since-desc&past=2025-01-01T00:00:00.000Z~1',
  'requests of one month': '/admin/requests?after=2024-02-01&before=2024-02-29',
  'found by reference': `/admin/requests?q=REQ-2024-${String(ONE).padStart(9, '0')}`,
  'found by signId': `/admin/requests?q=sign-${ONE}`,
  'found by e-mail': '/admin/requests?q=user7%40example.org',
  'found by part of a name': '/admin/requests?q=pont-77',
  'found by a word that every title has': '/admin/requests?q=maintenance',
  'one request': `/admin/requests/${ONE}`,
  'failed jobs': '/admin/failed',
  'failed jobs with a word in their error': '/admin/failed?error=503',
  'failed jobs of one group': '/admin/failed?group=1',
  inbox: '/admin/inbox',
  'inbox, the oldest of one provider': '/admin/inbox?source=signature&order=received-asc',
  deliveries: '/admin/deliveries',
  'deliveries of one webhook that failed': '/admin/deliveries?webhook=1&status=failed',
  webhooks: '/admin/webhooks',
  'one webhook': '/admin/webhooks/1',
  users: '/admin/users',
  'users by e-mail, from the end': '/admin/users?order=name-desc',
  'one customer': `/admin/users/${Math.min(77, 1 + REQUESTS / 1_000)}`,
  history: '/admin/history',
};

export async function run(): Promise<void> {
  await inDirectory(async (directory) => {
    fill(directory, REQUESTS);
    addStories(directory, { failed: FAILED });
    const ctx = openService(directory);
    // As in the daemon, so that pages need not look for one.
    await ctx.jobs.start();
    const headers = { cookie: await session(ctx), 'accept-encoding': 'gzip' };
    const ours = await serve(getListener(ctx));
    print(
      `${REQUESTS.toLocaleString('en')} requests`,
      'p50 / p99 in ms   bare p50   ratio   processor ms / bare   KB',
    );
    for (const [name, path] of Object.entries(PAGES)) {
      const page = await call(ours.port, path, headers);
      const bare = await serve((_, res) => void res.writeHead(200, plain(page.headers)).end(page.body));
      const [own, other] = await inTurn(
        () => call(ours.port, path, headers),
        () => call(bare.port, path, headers),
      );
      bare.close();
      print(`  ${name}`, row(own, other, page.body.length));
    }
    ours.close();
    await ctx.close();
  });
}

function row(own: Cost, bare: Cost, bytes: number): string {
  const times = `${median(own.ms).toFixed(1)} / ${quantile(own.ms, 0.99).toFixed(1)}`;
  const cpu = `${median(own.cpuMs).toFixed(1)} / ${median(bare.cpuMs).toFixed(1)}`;
  const ratio = (median(bare.ms) / median(own.ms)).toFixed(2);
  return `${times}   ${median(bare.ms).toFixed(1)}   ${ratio}   ${cpu}   ${(bytes / 1024).toFixed(1)}`;
}

async function session(ctx: Context): Promise<string> {
  const user = findUser(ctx.db, { id: ADMIN });
  const token = user && (await beginSession(ctx, user, { address: '127.0.0.1', agent: 'bench' }));
  if (!token) throw new Error('no session');
  return `esign_session=${token}`;
}

function getListener(ctx: Context): RequestListener {
  const listener = getRequestListener(createApp(ctx).fetch);
  return (req, res) => void listener(req, res);
}

async function serve(listener: RequestListener): Promise<{ port: number; close: () => void }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  // While one of the two works for long, the other's connection waits.
  server.keepAliveTimeout = 600_000;
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

const agent = new Agent({ keepAlive: true });

interface Answer {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

async function call(port: number, path: string, headers: Record<string, string>): Promise<Answer> {
  const [response] = (await once(get({ host: '127.0.0.1', port, path, headers, agent }), 'response')) as [
    NodeJS.ReadableStream & { statusCode: number; headers: IncomingHttpHeaders },
  ];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
  return { headers: response.headers, body: Buffer.concat(chunks) };
}

/** Without the headers that Node adds itself. */
function plain(headers: IncomingHttpHeaders): Record<string, string> {
  const own = ['date', 'connection', 'keep-alive', 'transfer-encoding'];
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (own.includes(name) ? [] : [[name, String(value)]])),
  );
}

/** Duration and CPU time of calls, server and client together, which are one process. */
interface Cost {
  ms: number[];
  cpuMs: number[];
}

/** Alternates the two after a warm-up. */
async function inTurn(one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<[Cost, Cost]> {
  const costs: [Cost, Cost] = [
    { ms: [], cpuMs: [] },
    { ms: [], cpuMs: [] },
  ];
  for (let i = -CALLS / 10; i < CALLS; i += 1) {
    for (const [{ ms, cpuMs }, each] of [
      [costs[0], one],
      [costs[1], other],
    ] as const) {
      const [began, used] = [performance.now(), process.cpuUsage()];
      await each();
      const { user, system } = process.cpuUsage(used);
      if (i < 0) continue;
      ms.push(performance.now() - began);
      cpuMs.push((user + system) / 1000);
    }
  }
  return costs;
}
