/**
 * Deliveries a second, with claim, signatures and log on disk, beside bare concurrent `fetch` calls that send as many
 * bytes to the same receiver. Then what hanging receivers cost the others: 10,000 deliveries to 100 targets of which
 * 10 never answer, beside the 90 alone.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { loadConfig } from '../src/core/settings/config.js';
import { openContext, type Context } from '../src/core/context.js';
import { createUser } from '../src/core/users/create-user.js';
import { publishEvent } from '../src/core/webhooks/events.js';
import { insertWebhook } from '../src/db/webhooks/webhooks.js';
import { alternate, atATime, inDirectory, median, perSecond, print } from './support.js';

/** With four lanes per target, this many keep every slot busy. */
const TARGETS = 16;
const SUBSCRIPTIONS = TARGETS * 4;
const EVENTS = 100;
const DELIVERIES = SUBSCRIPTIONS * EVENTS;
const WIDTH = 64;
const RUNS = 5;

const HEALTHY = 90;
const HANGING = 10;
const SICK_RUNS = 3;

const SECRET = 'a secret of my own';

export async function run(): Promise<void> {
  const receiver = fork(fileURLToPath(new URL('./deliveries-receiver.js', import.meta.url)));
  const answer = async () => ((await once(receiver, 'message')) as [unknown])[0];
  const { port } = (await answer()) as { port: number };
  const received = async () => {
    receiver.send('count');
    return (await answer()) as number;
  };
  /** Every run must deliver everything exactly once. */
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
      () =>
        counted(() =>
          inDirectory((directory) => delivered(directory, { urls: fourOfEach(port), count: DELIVERIES })),
        ),
      () => counted(() => bare(port)),
    );
    print(`deliveries, ${DELIVERIES} to ${TARGETS} targets: esignd`, perSecond(DELIVERIES, median(a)));
    print(`bare fetch, ${WIDTH} at a time`, perSecond(DELIVERIES, median(b)));
    print('ratio (1 is the baseline)', (median(b) / median(a)).toFixed(2));
    await besideHanging(port);
  } finally {
    receiver.kill();
  }
}

async function besideHanging(port: number): Promise<void> {
  const healthy = Array.from({ length: HEALTHY }, (_, i) => target(i, port));
  const hanging = Array.from({ length: HANGING }, (_, i) =>
    target(HEALTHY + i, port).replace('hook', 'hang'),
  );
  const until90 = (urls: string[]) => () =>
    inDirectory((directory) => delivered(directory, { urls, count: HEALTHY * EVENTS }));
  const { a, b } = await alternate(SICK_RUNS, until90([...hanging, ...healthy]), until90(healthy));
  const owed = (HEALTHY + HANGING) * EVENTS;
  print(`of ${owed} to 100 targets, 10 of which hang: the 90 have theirs after`, seconds(median(a)));
  print('the 90 alone', seconds(median(b)));
  print('ratio (1 is the baseline)', (median(a) / median(b)).toFixed(2));
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

const target = (i: number, port: number) => `http://127.0.0.${1 + i}:${port}/hook`;

/** Four subscriptions in a row share a target; their ids put them into its four lanes. */
function fourOfEach(port: number): string[] {
  return Array.from({ length: SUBSCRIPTIONS }, (_, i) => target(Math.floor(i / 4), port));
}

/** All jobs are in the table; the time runs from the runner's start until the last one is settled on disk. */
async function delivered(
  directory: string,
  { urls, count }: { urls: string[]; count: number },
): Promise<number> {
  const ctx = open(directory);
  await owe(ctx, urls);
  const done = ctx.db.raw.prepare("SELECT count(*) FROM deliveries WHERE state = 'delivered'").pluck();
  const started = performance.now();
  await ctx.jobs.start();
  while ((done.get() as number) < count) await pause(50);
  const ms = performance.now() - started;
  await ctx.jobs.stop(0);
  await ctx.close();
  return ms;
}

function open(directory: string): Context {
  const { config } = loadConfig({
    ESIGN_DATA_DIR: directory,
    ESIGN_BASE_URL: 'http://127.0.0.1:8080',
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

async function owe(ctx: Context, urls: string[]): Promise<void> {
  const input = { username: 'admin@example.org', password: 'a long password', role: 'ROLE_ADMIN' } as const;
  const { id: ownerId } = await createUser(ctx, input, { kind: 'cli', name: 'bench' });
  const now = new Date().toISOString();
  await ctx.writer.write((db) => {
    for (const url of urls) {
      const secret = ctx.outbound.secrets.seal(SECRET);
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
    const answer = await fetch(target(i % TARGETS, port), { method: 'POST', headers: HEADERS, body: BODY });
    await answer.arrayBuffer();
  });
  return performance.now() - started;
}
