/** Both providers of the sandbox, in this process, with the sandbox's own faults. */
import type { Scheduler } from './machine/scheduler.js';
import type { Host } from './network.js';
import { openSandbox } from '../src/sandbox/start.js';
import type { SandboxOptions } from '../src/sandbox/start.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The signature provider's own. */
const RETRIES_MS = [2 * MINUTE, 6 * MINUTE, 30 * MINUTE, HOUR, 5 * HOUR, 18 * HOUR, 24 * HOUR, 48 * HOUR];

export const SECRETS = {
  ESIGN_WEBHOOK_SECRET: 'a simulated webhook secret',
  ESIGN_PAYMENT_WEBHOOK_SECRET: 'a simulated payment secret',
};

export type Providers = ReturnType<typeof openProviders>;

export function openProviders(scheduler: Scheduler, seed: number) {
  const process = scheduler.begin('providers', { aheadMs: 0 });
  const options: SandboxOptions = {
    seed,
    now: () => Math.floor(scheduler.now),
    publicUrl: 'http://providers.sim',
    webhookUrl: 'http://office.sim/webhook/contract-signed',
    webhookSecret: SECRETS.ESIGN_WEBHOOK_SECRET,
    paymentWebhookUrl: 'http://office.sim/webhook/payment',
    paymentWebhookSecret: SECRETS.ESIGN_PAYMENT_WEBHOOK_SECRET,
    retryDelaysMs: RETRIES_MS,
  };
  const sandbox = scheduler.in(process, () => openSandbox(options));
  /** What happens there happens in its process. */
  const there =
    <A extends unknown[], R>(act: (...given: A) => R) =>
    (...given: A) => {
      scheduler.happened();
      return scheduler.in(process, () => act(...given));
    };
  const host: Host = { process, answer: (request) => sandbox.fetch(request) };
  return {
    host,
    world: sandbox.world,
    sign: there(sandbox.sign),
    decline: there(sandbox.decline),
    expire: there(sandbox.expire),
    delete: there(sandbox.delete),
    pay: there(sandbox.pay),
    settlePayment: there(sandbox.settlePayment),
  };
}
