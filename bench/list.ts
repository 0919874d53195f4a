/**
 * Every list of the API through the whole application, and every list of the command line as a process, with 120,000 requests and
 * 1,000,000 entries of the history (or as many requests as `BENCH_REQUESTS` says), beside 1,000 requests; and the page of requests
 * beside its two statements alone.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createApp, type App } from '../src/server/app.js';
import type { Context } from '../src/core/context.js';
import { ADMIN, CUSTOMER, fillFirm, FIRM, MS_MAX, openService, SMALL_FIRM, tokenFor } from './list-data.js';
import { programFile } from '../demo/program.js';
import { clocked, inDirectory, inTurn, marked, median, print, quantile, settings } from './support.js';

const CALLS = 40;
const RUNS = 7;
const PER_PAGE = 30;

const LISTS = {
  [ADMIN]: [
    '/api/requests',
    '/api/requests?order[createdAt]=desc',
    '/api/requests?status=WAITING_PAYMENT',
    '/api/requests?status[]=COMPLETE&status[]=new&status[]=in_progress',
    '/api/requests?createdAt[after]=2024-02-03&createdAt[before]=2025-02-02T10:11:12Z',
    '/api/requests?status=COMPLETE,new&createdAt[after]=2024-02-03',
    '/api/requests?equipment=1',
    '/api/contracts',
    '/api/contracts?order[createdAt]=desc',
    '/api/contracts?status=PENDING',
    '/api/equipments',
    '/api/users',
    '/api/webhooks',
    '/api/webhooks/1/deliveries',
  ],
  [CUSTOMER]: ['/api/requests', '/api/requests?status=COMPLETE', '/api/contracts', '/api/equipments'],
};

const COMMANDS = [
  'requests list',
  'requests list --status WAITING_SIGNATURE',
  'contracts list',
  'contracts list --status PENDING',
  'inbox list',
  'history',
  'history --what request.created',
  'jobs list',
  'failed list',
  'failed list --stats',
  'users list',
  'webhooks list',
  'webhooks deliveries',
  'webhooks deliveries 1 --failed',
  'todo',
];

export async function run(): Promise<void> {
  await inDirectory(async (directory) => {
    const [large, small] = [join(directory, 'large'), join(directory, 'small')];
    fillFirm(large, FIRM);
    fillFirm(small, SMALL_FIRM);
    await api(large, small);
    await commands(large, small);
  });
}

async function api(large: string, small: string): Promise<void> {
  const firms = [openService(large), openService(small)] as const;
  const apps = firms.map((ctx) => createApp(ctx)) as [App, App];
  print(
    `API, ${FIRM.requests.toLocaleString('en')} requests`,
    'p50 / p99 in ms: first, middle, last page   1,000 requests',
  );
  for (const [who, paths] of Object.entries(LISTS))
    for (const path of paths) {
      const [get, getSmall] = [await getter(firms[0], apps[0], who), await getter(firms[1], apps[1], who)];
      const { 'hydra:totalItems': total } = JSON.parse(await get(path)) as { 'hydra:totalItems': number };
      const last = Math.max(1, Math.ceil(total / PER_PAGE));
      const times = [];
      for (const page of [1, Math.ceil(last / 2), last])
        times.push(await timed(() => get(path, page), page === 1 ? MS_MAX.first : MS_MAX.other));
      const reader = Number(who) === ADMIN ? 'administrator' : 'customer';
      print(
        `  ${reader} ${path}: ${total.toLocaleString('en')}`,
        [...times, await timed(() => getSmall(path))].join('   '),
      );
    }
  await byHand(firms[0], await getter(firms[0], apps[0], String(ADMIN)));
  for (const ctx of firms) await ctx.close();
}

async function getter(ctx: Context, app: App, user: string) {
  const headers = { authorization: `Bearer ${await tokenFor(ctx, Number(user))}` };
  return async (path: string, page = 1) => {
    const answer = await app.request(`${path}${path.includes('?') ? '&' : '?'}page=${page}`, { headers });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    return answer.text();
  };
}

/** The baseline: the page and the count alone. */
async function byHand({ db }: Context, get: (path: string, page: number) => Promise<string>): Promise<void> {
  const rows = db.raw.prepare('SELECT * FROM requests ORDER BY createdAt, id LIMIT 30 OFFSET +?');
  const count = db.raw.prepare('SELECT count(*) FROM requests');
  for (const page of [1, Math.ceil(FIRM.requests / PER_PAGE)]) {
    const times = await inTurn(CALLS, {
      own: () => clocked(() => get('/api/requests', page)),
      hand: () => clocked(() => [count.get(), rows.all((page - 1) * PER_PAGE)]),
    });
    const [own, hand] = [median(times.own), median(times.hand)];
    print(
      `  page ${page}: esignd / its two statements by hand`,
      `${own.toFixed(2)} / ${hand.toFixed(2)} ms, ${(own / hand).toFixed(1)}`,
    );
  }
}

async function commands(large: string, small: string): Promise<void> {
  print(
    'Command line',
    `median of ${RUNS} in ms: ${FIRM.requests.toLocaleString('en')} and 1,000 requests; the difference`,
  );
  for (const command of COMMANDS) {
    const spawned = (dataDir: string) => () =>
      clocked(() =>
        promisify(execFile)(process.execPath, [programFile('esignctl'), ...command.split(' ')], {
          env: settings(dataDir),
        }),
      );
    const times = await inTurn(RUNS, { large: spawned(large), small: spawned(small) });
    const [ms, smallMs] = [median(times.large), median(times.small)];
    print(`  ${command}`, `${ms.toFixed(0)}   ${smallMs.toFixed(0)}   ${marked(ms - smallMs, MS_MAX.first)}`);
  }
}

async function timed(call: () => Promise<unknown>, msMax = Infinity): Promise<string> {
  const times: number[] = [];
  for (let i = -CALLS / 10; i < CALLS; i += 1) {
    const ms = await clocked(call);
    if (i >= 0) times.push(ms);
  }
  return `${marked(median(times), msMax)} / ${quantile(times, 0.99).toFixed(2)}`;
}
