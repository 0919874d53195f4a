/** `GET /api/requests`: what a page costs wherever it lies and however it is filtered, and calls a second beside servers written by hand. */
import { join } from 'node:path';
import { createApp } from '../src/server/app.js';
import { ADMIN, CUSTOMER, fill, openService, tokenFor } from './list-data.js';
import { besideOthers } from './list-rate.js';
import { inDirectory, print, quantile } from './support.js';

const SIZES = [1_000, 100_000, 1_000_000];
const CALLS = 300;
const PER_PAGE = 30;

const QUERIES = {
  plain: '',
  newest: 'order[createdAt]=desc',
  'one status': 'status=WAITING_PAYMENT',
  'three statuses': 'status[]=COMPLETE&status[]=new&status[]=in_progress',
  'a year': 'createdAt[after]=2024-02-03&createdAt[before]=2025-02-02T10:11:12Z',
  'status and year': 'status=COMPLETE,new&createdAt[after]=2024-02-03',
  equipment: 'equipment=1',
};

export async function run(): Promise<void> {
  await inDirectory(async (directory) => {
    for (const size of SIZES) {
      fill(join(directory, String(size)), size);
      await pages(join(directory, String(size)), size);
    }
    await besideOthers(join(directory, '100000'));
  });
}

/** Through the whole application except the socket. */
async function pages(directory: string, size: number): Promise<void> {
  const ctx = openService(directory);
  const app = createApp(ctx);
  print(`${size.toLocaleString('en')} requests`, 'p50 / p99 in ms: first, middle, last page; total alone');
  for (const [who, id] of Object.entries({ customer: CUSTOMER, administrator: ADMIN })) {
    const headers = { authorization: `Bearer ${await tokenFor(ctx, id)}` };
    let calls = 0;
    // No two calls are the same, because a cached page would say nothing about its position.
    const get = async (query: string) =>
      (await app.request(`/api/requests?${query}&call=${(calls += 1)}`, { headers })).text();
    for (const [name, query] of Object.entries(QUERIES)) {
      const { 'hydra:totalItems': total } = JSON.parse(await get(query)) as { 'hydra:totalItems': number };
      const last = Math.max(1, Math.ceil(total / PER_PAGE));
      const times = [];
      for (const page of [1, Math.ceil(last / 2), last])
        times.push(await timed(() => get(`${query}&page=${page}`)));
      times.push(await timed(() => get(`${query}&itemsPerPage=0`)));
      print(`  ${who}, ${name}: ${total.toLocaleString('en')}`, times.join('   '));
    }
  }
  await ctx.close();
}

async function timed(call: () => Promise<unknown>): Promise<string> {
  for (let i = 0; i < CALLS / 10; i += 1) await call();
  const times: number[] = [];
  for (let i = 0; i < CALLS; i += 1) {
    const began = performance.now();
    await call();
    times.push(performance.now() - began);
  }
  return `${quantile(times, 0.5).toFixed(2)} / ${quantile(times, 0.99).toFixed(2)}`;
}
