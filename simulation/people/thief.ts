/** Somebody who forges webhooks and has got hold of a used refresh token. */
import { createHmac } from 'node:crypto';
import type { Scene } from '../oracle/scene.js';

const sealed = (text: string) => createHmac('sha256', 'a guess').update(text).digest('hex');

/** Tells the service that a contract was signed, or paid, which it was not. */
export async function forge(world: Scene): Promise<void> {
  const { signatureRequests, sessions } = world.providers.world;
  const open = [...signatureRequests.values()].findLast(({ status }) => status === 'ongoing');
  const unpaid = [...sessions.values()].findLast(({ payment_status: status }) => status === 'unpaid');
  const at = () => Math.floor(world.scheduler.now / 1000);
  if (open) {
    const body = JSON.stringify({
      event_id: `forged-${world.scheduler.steps}`,
      event_name: 'signature_request.done',
      event_time: String(at()),
      data: { signature_request: { id: open.id, status: 'done', external_id: open.externalId } },
    });
    const header = { 'X-Esign-Signature-256': `sha256=${sealed(body)}` };
    await post(world, { path: '/webhook/contract-signed', body, header, refusals: [401, 429] });
  }
  if (unpaid) {
    const { id, client_reference_id } = unpaid;
    const said = { payment_status: 'paid', status: 'complete', client_reference_id };
    const body = JSON.stringify({
      id: `evt_forged_${world.scheduler.steps}`,
      object: 'event',
      type: 'checkout.session.completed',
      data: { object: { id, object: 'checkout.session', ...said } },
    });
    const header = { 'Stripe-Signature': `t=${at()},v1=${sealed(`${at()}.${body}`)}` };
    await post(world, { path: '/webhook/payment', body, header, refusals: [400, 401, 429] });
  }
}

interface Forged {
  path: string;
  body: string;
  header: Record<string, string>;
  refusals: number[];
}

async function post(world: Scene, { path, body, header, refusals }: Forged): Promise<void> {
  const answer = await world.network
    .call({
      method: 'POST',
      url: `${world.url}${path}`,
      from: '192.0.2.66',
      headers: { 'content-type': 'application/json', ...header },
      body: Buffer.from(body),
    })
    .catch(() => undefined);
  if (answer && answer.status < 500 && !refusals.includes(answer.status))
    world.trace.broken(`a forged webhook to ${path} was answered ${answer.status}`);
}
