/**
 * Signature webhooks at 32 connections, and 200 at once, beside raw `node:http` and better-sqlite3 doing the same durable work. At
 * once the daemon does all of its work; on 32 connections mails and payments stay queued, as in the baseline.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { atATime, clocked, inDirectory, inTurn, median, quantile, tell, WEBHOOK_SECRET } from './support.js';
import type { ServerKind } from './webhook-server.js';

const DELIVERIES = 4_000;
const CONNECTIONS = 32;
const WARM_UP = 500;
const AT_ONCE = 200;
const BURSTS = 10;

/** Files stay to the end: a file system that has just deleted thousands is slow to create others. */
export function run(): Promise<void> {
  return inDirectory(async (directory) => {
    const provider = await start('./webhook-provider.js', []);
    let runs = 0;
    const server = (kind: ServerKind, count: number) =>
      serve(kind, join(directory, String((runs += 1))), count + WARM_UP, provider.port);
    try {
      const stream = (kind: ServerKind) => async () => {
        const one = await server(kind, DELIVERIES);
        const first = await clocked(() => atATime(DELIVERIES, CONNECTIONS, one.deliver));
        one.end();
        return DELIVERIES / (first / 1000);
      };
      const rates = await inTurn(3, { own: stream('routes'), base: stream('raw') });
      const name = `webhook, ${CONNECTIONS} connections`;
      tell(name, { own: median(rates.own), base: median(rates.base), unit: '/s', aim: '0.6' });

      const ours = await server('daemon', AT_ONCE * (BURSTS + 1));
      const raw = await server('raw', AT_ONCE * (BURSTS + 1));
      const p99s = await inTurn(BURSTS, {
        own: async () => quantile(await ours.burst(), 0.99),
        base: async () => quantile(await raw.burst(), 0.99),
      });
      const atOnce = { own: median(p99s.own), base: median(p99s.base) };
      tell(`webhook, ${AT_ONCE} at once, p99`, { ...atOnce, unit: 'ms', aim: '1,000 ms' });
      ours.end();
      raw.end();
    } finally {
      provider.child.kill('SIGKILL');
    }
  });
}

/** With so many contracts that wait for their signature. */
async function serve(kind: ServerKind, directory: string, count: number, providerPort: number) {
  const { child, port } = await start('./webhook-server.js', [
    kind,
    directory,
    String(count),
    String(providerPort),
  ]);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let sent = 0;
  const deliver = async (with_ = agent) => {
    sent += 1;
    const status = await post(with_, port, deliveryOf(sent));
    if (status !== 200 && status !== 202) throw new Error(`${kind} answered ${status}`);
  };
  const signed = new Database(join(directory, 'esign.db'), { readonly: true })
    .prepare("SELECT count(*) FROM contracts WHERE status = 'SIGNED'")
    .pluck();
  const done = async () => {
    while ((signed.get() as number) < sent) await pause(100);
  };
  await atATime(WARM_UP, 8, () => deliver());
  return {
    deliver: () => deliver(),
    async burst(): Promise<number[]> {
      // A connection left over from the last burst may be closed at this moment.
      const fresh = new Agent({ keepAlive: false });
      const times: number[] = [];
      await atATime(AT_ONCE, AT_ONCE, async () => times.push(await clocked(() => deliver(fresh))));
      await done();
      return times;
    },
    end() {
      agent.destroy();
      child.kill('SIGKILL');
    },
  };
}

/** A measure that fails leaves none behind. */
const children: ChildProcess[] = [];
process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')));

async function start(program: string, words: string[]) {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), words);
  children.push(child);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port };
}

/** Of 2 KB, as the provider sends them. */
function deliveryOf(i: number): string {
  return JSON.stringify({
    event_id: `event-${i}`,
    event_name: 'signature_request.done',
    event_time: String(Math.floor(Date.now() / 1000)),
    data: { signature_request: { id: `sign-${i}`, status: 'done', padding: 'x'.repeat(1_700) } },
  });
}

/** Resolves with the status. */
function post(agent: Agent, port: number, body: string): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-esign-signature-256': `sha256=${createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex')}`,
  };
  return new Promise((resolve, reject) => {
    request(
      { agent, host: '127.0.0.1', port, method: 'POST', path: '/webhook/contract-signed', headers },
      (res) => {
        res.resume();
        res.on('end', () => resolve(res.statusCode ?? 0));
      },
    )
      .on('error', reject)
      .end(body);
  });
}
