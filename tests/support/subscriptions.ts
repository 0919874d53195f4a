/** Subscriptions and events in tests of outbound webhooks. */
import { publishEvent } from '../../src/core/webhooks/events.js';
import type { DeliveryAttemptRow, DeliveryRow, EventName, UserRow, WebhookRow } from '../../src/db/schema.js';
import { requireWebhook, insertWebhook } from '../../src/db/webhooks/webhooks.js';
import { deliveryJob } from '../../src/core/webhooks/delivery-job.js';
import { startApp, type AppOptions, type TestApp } from './app.js';
import { aReceiver, type Receiver } from './receiver.js';

export const SECRET = 'a secret for the receiver';

interface Wanted {
  url: string;
  event?: EventName;
  secret?: string;
  owner?: UserRow;
}

/** An active subscription; of a new administrator unless told. */
export async function subscribed(app: TestApp, wanted: Wanted): Promise<WebhookRow> {
  const { url, event = 'request.updated', secret = SECRET } = wanted;
  const owner = wanted.owner ?? (await app.addUser({ role: 'ROLE_ADMIN' }));
  const sealed = app.ctx.outbound.secrets.seal(secret);
  const now = app.clock.now().toISOString();
  return app.ctx.writer.write((db) =>
    insertWebhook(db, { ownerId: owner.id, url, event, secret: sealed, now }),
  );
}

/** Something happened to request `id`. */
export async function happened(app: TestApp, id = 1, event: EventName = 'request.updated'): Promise<void> {
  const about = { id, ownerId: 1, reference: `REQ-2026-${String(id).padStart(6, '0')}`, status: 'new' };
  await app.ctx.writer.write((db) => publishEvent(db, { event, about, now: app.clock.now().toISOString() }));
}

export function deliveries(app: TestApp): DeliveryRow[] {
  return app.ctx.db.raw.prepare('SELECT * FROM deliveries ORDER BY id').all() as DeliveryRow[];
}

export function attempts(app: TestApp): DeliveryAttemptRow[] {
  return app.ctx.db.raw.prepare('SELECT * FROM deliveryAttempts ORDER BY id').all() as DeliveryAttemptRow[];
}

export function webhook(app: TestApp, id: number): WebhookRow {
  return requireWebhook(app.ctx.db, { id });
}

export const startLocal = (options: AppOptions = {}): Promise<TestApp> =>
  startApp({ env: { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' }, ...options });

/** Somebody listens, of an administrator. */
export async function listening(answer?: Receiver['answer'], options?: AppOptions) {
  const app = await startLocal(options);
  const receiver = await aReceiver(answer);
  return { app, receiver, webhook: await subscribed(app, { url: receiver.url }) };
}

/** Of something that has happened, the first try is over. */
export async function delivered(answer?: Receiver['answer'], options?: AppOptions) {
  const world = await listening(answer, options);
  await happened(world.app);
  await world.app.drain();
  return world;
}

/** All tries of what is owed come, each at its time. */
export async function allTries(app: TestApp): Promise<void> {
  for (const wait of [0, ...deliveryJob.waitsMs]) {
    app.clock.advance(wait);
    await app.drain();
  }
}
