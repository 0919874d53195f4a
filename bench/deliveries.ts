/**
 * Deliveries a second, with claim, signatures and log on disk, beside bare concurrent calls of `fetch` that send as many
 * bytes to the same receiver.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { loadConfig } from '../src/core/config.js';
import { openContext, type Context } from '../src/core/context.js';
import { createUser } from '../src/core/users/create-user.js';
import { publishEvent } from '../src/core/events.js';
import { insertWebhook } from '../src/db/webhooks.js';
import { alternate, atATime, inDirectory, median, perSecond, print } from './support.js';

/** A target is served by four lanes: so many addresses of this machine keep every slot busy. */
const TARGETS = 16;
const SUBSCRIPTIONS = TARGETS * 4;
const EVENTS = 100;
const DELIVERIES = SUBSCRIPTIONS * EVENTS;
const WIDTH = 64;
const RUNS = 5;
const SECRET = 'a secret of my own';

export async function run(): Promise<void> {
  const receiver = fork(fileURLToPath(new URL('./deliveries-receiver.js', import.meta.url)));
  const answer = async () => ((await once(receiver, 'message')) as [unknown])[0];
  const { port } = (await answer()) as { port: number };
  const received = async () => {
    receiver.send('count');
    return (await answer()) as number;
  };
  /** Every run must bring exactly what it owes. */
  const counted = async (work: () => Promise<number>) => {
    const before = await received();
    const ms = await work();
    const got = (await received()) - before;
    if (got !== DELIVERIES) throw new Error(`${got} of ${DELIVERIES} came`);
    return ms;
  };
  try {
    const { a, b } = await alternate(
      RUNS,
      () => counted(() => inDirectory((directory) => ours(directory, port))),
      () => counted(() => bare(port)),
    );
    print(`deliveries, ${DELIVERIES} to ${TARGETS} targets: esignd`, perSecond(DELIVERIES, median(a)));
    print(`bare fetch, ${WIDTH} at a time`, perSecond(DELIVERIES, median(b)));
    print('ratio (1 is the baseline)', (median(b) / median(a)).toFixed(2));
  } finally {
    receiver.kill();
  }
}

const target = (i: number, port: number) => `http://127.0.0.${1 + (i % TARGETS)}:${port}/hook`;

/** What is owed lies in the table; the time runs from the start of the runner until the last one is settled on disk. */
async function ours(directory: string, port: number): Promise<number> {
  const ctx = open(directory);
  await owe(ctx, port);
  const started = performance.now();
  await ctx.jobs.start();
  const unfinished = ctx.db.raw.prepare("SELECT 1 FROM jobs WHERE state <> 'completed' LIMIT 1");
  while (unfinished.get() !== undefined) await pause(5);
  const ms = performance.now() - started;
  await ctx.jobs.stop();
  await ctx.close();
  return ms;
}

function open(directory: string): Context {
  const { config } = loadConfig({
    ESIGN_DATA_DIR: directory,
    ESIGN_API_URL: 'http://127.0.0.1:9/v3',
    ESIGN_API_KEY: 'key',
    ESIGN_WEBHOOK_SECRET: 'bench-webhook-secret',
    ESIGN_PAYMENT_API_URL: 'http://127.0.0.1:9',
    ESIGN_PAYMENT_API_KEY: 'key',
    ESIGN_SMTP_URL: 'smtp://127.0.0.1:9',
    ESIGN_MAIL_FROM: 'a@example.org',
    ESIGN_ADMIN_EMAIL: 'a@example.org',
    ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
  });
  return openContext(config, { log: pino({ level: 'silent' }), migrate: true });
}

async function owe(ctx: Context, port: number): Promise<void> {
  const input = { username: 'admin@example.org', password: 'a long password', role: 'ROLE_ADMIN' } as const;
  const { id: ownerId } = await createUser(ctx, input, { kind: 'cli', name: 'bench' });
  const now = new Date().toISOString();
  await ctx.writer.write((db) => {
    for (let i = 0; i < SUBSCRIPTIONS; i += 1) {
      const secret = ctx.outbound.secrets.seal(SECRET);
      // Four in a row have the same target: their ids put them into its four lanes.
      const url = target(Math.floor(i / 4), port);
      insertWebhook(db, { ownerId, url, event: 'request.updated', secret, now });
    }
    for (let id = 1; id <= EVENTS; id += 1) {
      const about = { id, ownerId, reference: `REQ-2026-${String(id).padStart(6, '0')}`, status: 'new' };
      publishEvent(db, { event: 'request.updated', about, now });
    }
  });
}

const BODY = JSON.stringify({
  event: 'request.updated',
  data: { id: 1, reference: 'REQ-2026-000001', status: 'new' },
  timestamp: '2026-03-02T09:14:07+00:00',
  signature: 'a'.repeat(64),
});
const HEADERS = {
  'content-type': 'application/json',
  'webhook-id': '019cade8-1f52-7e3a-9c4b-6d1f0a7b9d11',
  'webhook-timestamp': '1772442847',
  'webhook-signature': `v1,${'a'.repeat(44)}`,
  'x-webhook-signature-256': `sha256=${'a'.repeat(64)}`,
  'x-webhook-event': 'request.updated',
};

async function bare(port: number): Promise<number> {
  const started = performance.now();
  await atATime(DELIVERIES, WIDTH, async (i) => {
    const answer = await fetch(target(i, port), { method: 'POST', headers: HEADERS, body: BODY });
    await answer.arrayBuffer();
  });
  return performance.now() - started;
}
