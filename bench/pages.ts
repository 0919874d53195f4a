/**
 * Pages of the back office with 120,000 requests and 1,000,000 entries of the history, or as many requests as `BENCH_REQUESTS` says:
 * the time of each, and of the last page of each list, over HTTP with session and compression, beside a bare server that sends the same bytes.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { fillFirm, FIRM, MS_MAX, openService } from './list-data.js';
import { call, getListener, pagesOf, serve, session } from './pages-http.js';
import { inDirectory, marked, median, print, quantile } from './support.js';

const CALLS = 100;

export async function run(): Promise<void> {
  await inDirectory(async (directory) => {
    fillFirm(directory, FIRM);
    const ctx = openService(directory);
    // As in the daemon, so that pages need not look for one.
    await ctx.jobs.start();
    const headers = { cookie: await session(ctx), 'accept-encoding': 'gzip' };
    const ours = await serve(getListener(ctx));
    print(
      `${FIRM.requests.toLocaleString('en')} requests`,
      'p50 / p99 in ms   bare p50   ratio   processor ms / bare   KB',
    );
    for (const [name, path] of Object.entries(pagesOf(FIRM.requests))) {
      const page = await call(ours.port, path, headers);
      const bare = await serve((_, res) => void res.writeHead(200, plain(page.headers)).end(page.body));
      const [own, other] = await inTurn(
        () => call(ours.port, path, headers),
        () => call(bare.port, path, headers),
      );
      bare.close();
      print(`  ${name}`, row(own, other, page.body.length));
      const last = lastPage(gunzipSync(page.body).toString());
      if (last === 0) continue;
      const times = await timed(() =>
        call(ours.port, `${path}${path.includes('?') ? '&' : '?'}page=${last}`, headers),
      );
      print(
        `  ${name}, page ${last}`,
        `${marked(median(times), MS_MAX.other)} / ${quantile(times, 0.99).toFixed(1)}`,
      );
    }
    ours.close();
    await ctx.close();
  });
}

/** The highest number among the links to other pages; 0: there is only one page. */
function lastPage(html: string): number {
  return Math.max(0, ...[...html.matchAll(/[?&;]page=(\d+)/g)].map(([, number]) => Number(number)));
}

async function timed(work: () => Promise<unknown>): Promise<number[]> {
  const [{ ms }] = await inTurn(work, () => Promise.resolve());
  return ms;
}

function row(own: Cost, bare: Cost, bytes: number): string {
  const times = `${marked(median(own.ms), MS_MAX.first)} / ${quantile(own.ms, 0.99).toFixed(1)}`;
  const cpu = `${median(own.cpuMs).toFixed(1)} / ${median(bare.cpuMs).toFixed(1)}`;
  const ratio = (median(bare.ms) / median(own.ms)).toFixed(2);
  return `${times}   ${median(bare.ms).toFixed(1)}   ${ratio}   ${cpu}   ${(bytes / 1024).toFixed(1)}`;
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
