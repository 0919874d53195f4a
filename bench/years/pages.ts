/** The pages of the back office, the API and what monitoring asks, over HTTP with a session or a token. */
import type { Context } from '../../src/core/context.js';
import { ADMIN, tokenFor } from '../list-data.js';
import { call, getListener, pagesOf, serve, session } from '../pages-http.js';
import { compare, type Comparison } from './compare.js';
import { spelled, type Installation } from './data.js';
import { opened } from './nightly.js';

const CALLS = 30;

const MORE = {
  'requests as CSV, of one month': '/admin/requests?after=MONTH-01&before=MONTH-28&format=csv',
  'what to say to a customer': '/admin/requests/OLD/reply',
  sessions: '/admin/sessions',
};

/** `LAST`: the number of the last page. */
const CALLED = {
  'GET /api/requests': '/api/requests?order[createdAt]=desc',
  'GET /api/requests, the last page': '/api/requests?page=LAST',
  'GET /api/requests, one status': '/api/requests?status=WAITING_SIGNATURE',
  'GET /api/requests/ID': '/api/requests/OLD',
  'GET /api/contracts': '/api/contracts?order[createdAt]=desc',
  'GET /api/contracts, in the middle': '/api/contracts?page=MIDDLE',
  'GET /api/contracts, one status': '/api/contracts?status=PENDING',
  'GET /api/equipments': '/api/equipments',
  'GET /api/users': '/api/users',
  'GET /api/webhooks': '/api/webhooks',
  'GET /api/webhooks/1/deliveries': '/api/webhooks/1/deliveries',
  'GET /api/todo': '/api/todo',
  'GET /metrics': '/metrics?',
  'GET /readyz': '/readyz?',
};

interface Served {
  ctx: Context;
  port: number;
  close: () => void;
  cookie: string;
  token: string;
}

export async function pages(comparison: Comparison): Promise<void> {
  const { few, many } = comparison;
  const served = new Map<Installation, Served>();
  for (const one of [few, many]) served.set(one, await open(one));
  let calls = 0;
  const timed = (pathOf: (one: Installation) => string) => async (one: Installation) => {
    const { port, cookie, token } = served.get(one) as Served;
    const path = pathOf(one);
    // No two calls to the API are the same, because a page that is kept says nothing.
    const asked = path.startsWith('/api')
      ? `${path}${path.includes('?') ? '&' : '?'}call=${(calls += 1)}`
      : path;
    const headers: Record<string, string> = path.startsWith('/admin')
      ? { cookie, 'accept-encoding': 'gzip' }
      : { authorization: `Bearer ${token}` };
    const began = performance.now();
    await call(port, asked, headers);
    return performance.now() - began;
  };
  for (const name of Object.keys(pagesOf(1)))
    await compare(
      comparison,
      name,
      CALLS,
      timed((one) => pagesOf(one.requests)[name] as string),
    );
  for (const [name, path] of Object.entries({ ...MORE, ...CALLED }))
    await compare(
      comparison,
      name,
      CALLS,
      timed((one) => placed(path, one)),
    );
  for (const { close, ctx } of served.values()) {
    close();
    await ctx.close();
  }
}

function placed(path: string, one: Installation): string {
  const last = Math.ceil(one.requests / 30);
  const month = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 7);
  return spelled(path, {
    ...one,
    names: { ...one.names, LAST: String(last), MIDDLE: String(last >> 1), MONTH: month },
  });
}

async function open(one: Installation): Promise<Served> {
  const ctx = opened(one);
  await ctx.jobs.start();
  const { port, close } = await serve(getListener(ctx));
  return { ctx, port, close, cookie: await session(ctx), token: await tokenFor(ctx, ADMIN) };
}
