/**
 * 200 signature webhooks at once, all of the daemon's work included, compared with raw `node:http` and better-sqlite3 doing the minimum
 * for the same durable work; and the memory of the daemon during 10,000 in a row. The provider hangs up after a second. Linux.
 */
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { atATime, alternate, inDirectory, median, print, quantile } from './support.js';
import { delivery } from './webhook-story.js';
import { countSigned, post, startProvider, startServer, type ServerKind } from './webhook.js';

const AT_ONCE = 200;
const WARM_UP = 500;
const BURSTS = 10;
const IN_A_ROW = 10_000;
const CONNECTIONS = 32;
/** In a row, how often memory is looked at. */
const LOOKS = 5;

interface Burst {
  times: number[];
  /** Answered 202: stored, and worked on later. */
  waiting: number;
}

export function run(): Promise<void> {
  return inDirectory(async (directory) => {
    const provider = await startProvider();
    const count = WARM_UP + AT_ONCE * (BURSTS + 1);
    const ours = await aServer('daemon', join(directory, 'ours'), count + IN_A_ROW, provider.port);
    const raw = await aServer('raw', join(directory, 'raw'), count, provider.port);
    try {
      for (const server of [ours, raw]) await atATime(WARM_UP, 8, server.deliver);
      const { a, b } = await alternate(BURSTS, ours.burst, raw.burst);
      report('esignd', a);
      report('raw node:http and better-sqlite3', b);
      const p99 = (bursts: Burst[]) => median(bursts.map(({ times }) => quantile(times, 0.99)));
      print('ratio of the p99 (1 is the baseline)', (p99(b) / p99(a)).toFixed(2));
      const sizes = [ours.megabytes()];
      for (let i = 0; i < LOOKS; i += 1) {
        await atATime(IN_A_ROW / LOOKS, CONNECTIONS, ours.deliver);
        await ours.done();
        sizes.push(ours.megabytes());
      }
      print(`memory during ${IN_A_ROW} in a row, MB`, sizes.map((size) => size.toFixed(0)).join(', '));
    } finally {
      ours.end();
      raw.end();
      provider.child.kill('SIGKILL');
    }
  });
}

function report(name: string, bursts: Burst[]): void {
  const times = bursts.flatMap((burst) => burst.times);
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)].map((ms) => ms.toFixed(0));
  print(
    `${AT_ONCE} at once, ${BURSTS} times: ${name}`,
    `p50 ${p50} ms, p99 ${p99} ms, longest ${Math.max(...times).toFixed(0)} ms`,
  );
  print(
    'answered 202: stored, and worked on later',
    String(bursts.reduce((sum, { waiting }) => sum + waiting, 0)),
  );
}

async function aServer(kind: ServerKind, directory: string, count: number, providerPort: number) {
  const { child, port } = await startServer(kind, directory, count, providerPort);
  // A connection left over from the last burst may be closed at this moment.
  const agent = new Agent({ keepAlive: false });
  let sent = 0;
  const deliver = async () => {
    sent += 1;
    const status = await post(agent, port, delivery(sent));
    if (status !== 200 && status !== 202) throw new Error(`${kind} answered ${status}`);
    return status;
  };
  const done = async () => {
    while (countSigned(directory) < sent) await pause(100);
  };
  return {
    deliver,
    done,
    burst: async (): Promise<Burst> => {
      const times: number[] = [];
      let waiting = 0;
      await atATime(AT_ONCE, AT_ONCE, async () => {
        const began = performance.now();
        if ((await deliver()) === 202) waiting += 1;
        times.push(performance.now() - began);
      });
      await done();
      return { times, waiting };
    },
    megabytes: () =>
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'latin1'))?.[1]) / 1024,
    end() {
      agent.destroy();
      child.kill('SIGKILL');
    },
  };
}
