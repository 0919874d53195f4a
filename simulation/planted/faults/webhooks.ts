/** Faults of outbound webhooks, and of what comes in. */
import { fault, type PlantedFault } from '../fault.js';

export const WEBHOOK_FAULTS: readonly PlantedFault[] = [
  fault('a forged "signed" is believed', {
    file: 'core/signature/webhook-event.js',
    find: 'return genuine;',
    put: "return header !== undefined && header !== '';",
  }),
  fault('a retried delivery has other bytes', {
    file: 'core/webhooks/deliver-webhook.js',
    find: 'const body = signedBody(delivery.content, signature);',
    put: 'const body = signedBody(delivery.content.replace(/"timestamp":"[^"]*"/, `"timestamp":"${iso(ctx.clock.now())}"`), signature);',
  }),
  fault('a delivery that the receiver refused counts as delivered', {
    file: 'core/webhooks/outbound.js',
    find: 'status >= 200 && status <= 299',
    put: 'status >= 200',
  }),
  fault('a receiver that answers 410 is not switched off', {
    file: 'core/webhooks/deliver-webhook.js',
    find: "disable(tx, { webhookId, cause: 'gone', error: answer.outcome });",
    put: '',
  }),
  fault('everybody hears of all requests', {
    file: 'db/webhooks/webhooks.js',
    find: ".where('id', '=', p.ownerId)",
    put: '',
  }),
  fault('each try of a delivery has an id of its own', {
    file: 'core/webhooks/deliver-webhook.js',
    find: 'messageId: delivery.messageId,',
    put: 'messageId: delivery.messageId.slice(0, -3) + String(Date.now()).slice(-3),',
  }),
  fault('an event is told twice to whoever listens first', {
    file: 'core/webhooks/events.js',
    find: 'for (const webhook of listening) {',
    put: 'for (const webhook of [...listening, ...listening.slice(0, 1)]) {',
  }),
  fault('an event is told only to whoever listens first', {
    file: 'core/webhooks/events.js',
    find: 'for (const webhook of listening) {',
    put: 'for (const webhook of listening.slice(0, 1)) {',
  }),
  fault('nobody hears of an offer', {
    file: 'core/offers/offers.js',
    find: "tx.publish('offer.created', offer);",
    put: '',
  }),
  fault('nobody hears that trouble was seen to', {
    file: 'core/troubleshootings/troubleshootings.js',
    find: "tx.publish('troubleshooting.updated', row);",
    put: '',
  }),
  fault('nobody hears that a page is over', {
    file: 'core/payment/apply.js',
    find: 'return showPage(tx, request, paymentId, null);',
    put: 'return setPaymentLink(tx.db, { id: request.id, paymentId, paymentUrl: null, now: tx.now });',
  }),
  fault('a lane in which something has failed runs backwards', {
    file: 'db/jobs/claims.js',
    find: ".orderBy('first.runAt')",
    put: ".orderBy(sql`iif(first.attempt = 0 AND EXISTS (SELECT 1 FROM jobs f WHERE f.lane = lanes.name AND f.attempt > 1), -first.id, 0)`).orderBy('first.runAt')",
  }),
  fault('the jobs of a lane run in any order', {
    file: 'db/jobs/claims.js',
    find: ".orderBy('first.runAt')",
    put: ".orderBy('first.id', 'desc')",
  }),
  fault(
    'receivers at one origin wait for each other',
    {
      file: 'core/webhooks/events.js',
      find: '${new URL(url).origin}/${ownerId}/${lane}',
      put: '${new URL(url).origin}',
    },
    { requests: 18 },
  ),
];
