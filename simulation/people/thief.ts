/** Somebody who forges webhooks and has got hold of a used refresh token. */
import { createHmac } from 'node:crypto';
import type { Answer } from '../network.js';
import type { World } from '../world.js';

/** Tells the service that a contract was signed, or paid, which it was not. */
export async function forge(world: World): Promise<void> {
  const { signatureRequests, sessions } = world.providers.world;
  const open = [...signatureRequests.values()].findLast(({ status }) => status === 'ongoing');
  const unpaid = [...sessions.values()].findLast(({ payment_status: status }) => status === 'unpaid');
  if (open) {
    const body = JSON.stringify({
      event_id: `forged-${world.scheduler.steps}`,
      event_name: 'signature_request.done',
      event_time: String(Math.floor(world.scheduler.now / 1000)),
      data: { signature_request: { id: open.id, status: 'done', external_id: open.externalId } },
    });
    const hmac = createHmac('sha256', 'a guess').update(body).digest('hex');
    await post(
      world,
      '/webhook/contract-signed',
      body,
      { 'X-Esign-Signature-256': `sha256=${hmac}` },
      [401, 429],
    );
  }
  if (unpaid) {
    const at = Math.floor(world.scheduler.now / 1000);
    const body = JSON.stringify({
      id: `evt_forged_${world.scheduler.steps}`,
      object: 'event',
      type: 'checkout.session.completed',
      data: {
        object: {
          id: unpaid.id,
          object: 'checkout.session',
          payment_status: 'paid',
          status: 'complete',
          client_reference_id: unpaid.client_reference_id,
        },
      },
    });
    const hmac = createHmac('sha256', 'a guess').update(`${at}.${body}`).digest('hex');
    await post(
      world,
      '/webhook/payment',
      body,
      { 'Stripe-Signature': `t=${at},v1=${hmac}` },
      [400, 401, 429],
    );
  }
}

async function post(
  world: World,
  path: string,
  body: string,
  headers: Record<string, string>,
  refusals: number[],
): Promise<void> {
  const call = {
    method: 'POST',
    url: `${world.url}${path}`,
    from: '192.0.2.66',
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(body),
  };
  const answer: Answer | undefined = await world.network.call(call).catch(() => undefined);
  if (answer && answer.status < 500 && !refusals.includes(answer.status))
    world.trace.broken(`a forged webhook to ${path} was answered ${answer.status}`);
}
