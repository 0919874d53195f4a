/** What the daemon's metrics say, by name and labels. */
import { DaemonMetrics } from '../../src/server/operations/metrics.js';
import type { TestApp } from './app.js';

export async function metric({ ctx }: TestApp, name: string): Promise<number | undefined> {
  const metrics = new DaemonMetrics();
  metrics.watch(ctx);
  const line = (await metrics.page()).text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.split(' ')[1]);
}
