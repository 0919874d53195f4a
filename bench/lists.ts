/**
 * Every list of the API and the pages of the back office, through the whole application, with 120,000 requests and 1,000,000 entries of
 * the history (or as many requests as `BENCH_REQUESTS` says): the first and the last page, beside the same with 1,000 requests. What
 * looks at the requests that are not complete also with all but as many of them complete.
 */
import { pino } from 'pino';
import { openContext } from '../src/core/open-context.js';
import { loadConfig } from '../src/core/settings/config.js';
import { beginSession } from '../src/core/users/sessions.js';
import { AccessTokens } from '../src/core/users/tokens.js';
import { requireUser } from '../src/db/users/users.js';
import { createApp } from '../src/server/app.js';
import { ADMIN, fillFirm, type Firm } from './firm.js';
import { clocked, inDirectory, inTurn, median, settings, tell } from './support.js';

const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 120_000);
const HISTORY = 1_000_000;
const CALLS = 30;
const PER_PAGE = 30;
const SMALL = 1_000;
/** Milliseconds; of ten years any page 250. */
const MS_MAX = { first: 10, last: 50 };

const PATHS = [
  '/api/requests',
  '/api/requests?status[]=COMPLETE&status[]=new&status[]=in_progress',
  '/api/contracts?status=PENDING',
  '/admin',
  '/admin/todo',
  '/admin/requests',
  '/admin/requests?status=COMPLETE&order=statusSince-desc',
  '/admin/requests?search=maintenance',
  '/admin/requests/500',
  '/admin/inbox?source=signature&order=receivedAt-asc',
  '/admin/history',
];
/** Of these the work follows what waits, not what there is. */
const OPEN_PATHS = ['/admin', '/admin/todo'];

export function run(): Promise<void> {
  return inDirectory(async (directory) => {
    const large = await aFirm(`${directory}/large`, { requests: REQUESTS });
    const small = await aFirm(`${directory}/small`, { requests: SMALL });
    const settled = await aFirm(`${directory}/settled`, { requests: REQUESTS, open: SMALL });
    const beside = async (what: string, own: () => unknown, path: string, msMax: number) => {
      const times = await inTurn(CALLS, {
        own: () => clocked(own),
        base: () => clocked(() => small.get(path)),
      });
      tell(what, { own: median(times.own), base: median(times.base), unit: 'ms', aim: `${msMax} ms` });
    };
    for (const path of PATHS) {
      const last = lastPage(await large.get(path));
      await beside(path, () => large.get(path), path, MS_MAX.first);
      if (last > 1) await beside(`${path}, page ${last}`, () => large.get(path, last), path, MS_MAX.last);
    }
    for (const path of OPEN_PATHS)
      await beside(`${path}, as many waiting`, () => settled.get(path), path, MS_MAX.first);
    for (const firm of [large, small, settled]) await firm.close();
  });
}

async function aFirm(directory: string, firm: Firm) {
  fillFirm(directory, { ...firm, entries: Math.ceil(HISTORY / REQUESTS) });
  const { config } = loadConfig(settings(directory));
  const ctx = openContext(config, { log: pino({ level: 'silent' }), migrate: true });
  // As in the daemon, so that pages need not look for one.
  await ctx.jobs.start();
  const app = createApp(ctx);
  const admin = requireUser(ctx.db, { id: ADMIN });
  const session = await beginSession(ctx, admin, { address: '127.0.0.1', agent: 'bench' });
  const token = await new AccessTokens(ctx).issue(admin);
  return {
    async get(path: string, page = 1): Promise<string> {
      const headers = path.startsWith('/api/')
        ? { authorization: `Bearer ${token}` }
        : { cookie: `esign_session=${session}` };
      const answer = await app.request(`${path}${path.includes('?') ? '&' : '?'}page=${page}`, { headers });
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
      return answer.text();
    },
    close: () => ctx.close(),
  };
}

/** Of a list of the API by its total, of a page by the highest number among its links to others. */
function lastPage(body: string): number {
  const total = /"hydra:totalItems":(\d+)/.exec(body)?.[1];
  if (total !== undefined) return Math.ceil(Number(total) / PER_PAGE);
  return Math.max(1, ...[...body.matchAll(/[?&;]page=(\d+)/g)].map(([, number]) => Number(number)));
}
