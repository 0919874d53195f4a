/** The search among 1,000,000 requests, beside a hand-written one that reads every title and customer. */
import { ANY_TIME } from '../src/core/calls/listing.js';
import { findCustomers, findRequests } from '../src/core/requests/find-requests.js';
import { fill, openService } from './list-data.js';
import { inDirectory, median, print, quantile } from './support.js';

const REQUESTS = 1_000_000;
const CALLS = 50;
const BASELINE_CALLS = 3;

const SEARCHES = {
  'a word that every request has': 'maintenance',
  'part of a name, of 11,000 requests': 'pont-77',
  'a name without its accents, and a number': 'helene 500000',
  'part of an e-mail address': 'ser99@exam',
  'part of a serial number': 'sn-1234',
  'two letters': 'du',
  'words that nobody has together': 'maintenance xyzzy',
};

export async function run(): Promise<void> {
  await inDirectory(async (directory) => {
    fill(directory, REQUESTS);
    const ctx = openService(directory);
    const filter = { owner: null, status: null, createdAt: ANY_TIME };
    const scan = ctx.db.raw.prepare(`
      SELECT r.id FROM requests r JOIN users u ON u.id = r.ownerId JOIN equipments e ON e.id = r.equipmentId
      WHERE concat_ws(' ', r.title, u.firstName, u.lastName, u.username, e.serialNumber) LIKE '%' || ? || '%' LIMIT 25`);
    print(
      `${REQUESTS.toLocaleString('en')} requests`,
      'p50 / p99 in processor ms   every row read, p50   ratio',
    );
    for (const [name, search] of Object.entries(SEARCHES)) {
      const own = timed(CALLS, () => {
        findRequests(ctx, { search, filter, limit: 25, offset: 0 });
        findCustomers(ctx, search, 10);
      });
      // For a word that is not found, every row has to be read.
      const bare = timed(BASELINE_CALLS, () => scan.all(`${search}?`));
      const ratio = Math.round(median(bare) / median(own));
      print(
        `  ${name}`,
        `${median(own).toFixed(1)} / ${quantile(own, 0.99).toFixed(1)}   ${median(bare).toFixed(0)}   ${ratio}`,
      );
    }
    await ctx.close();
  });
}

/** Processor time, so that other work on the machine does not count. */
function timed(calls: number, work: () => unknown): number[] {
  const times: number[] = [];
  for (let i = -1; i < calls; i += 1) {
    const began = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(began);
    if (i >= 0) times.push((user + system) / 1000);
  }
  return times;
}
