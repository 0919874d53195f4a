/** Deliveries owed to subscriptions, and the log of their tries. */
import { query, sqlite, type Db } from './db.js';

export interface NewDelivery {
  webhookId: number;
  messageId: string;
  event: string;
  content: string;
  createdAt: string;
}

const insertion = query((p: NewDelivery) =>
  sqlite.insertInto('deliveries').values({
    webhookId: p.webhookId,
    messageId: p.messageId,
    event: p.event,
    content: p.content,
    state: 'pending',
    createdAt: p.createdAt,
  }),
);

export function insertDelivery(db: Db, delivery: NewDelivery): number {
  return db.insert(insertion, delivery) as number;
}
