/** Both providers of the sandbox, in this process, with the sandbox's own faults. */
import type { Scheduler } from './machine/scheduler.js';
import type { Host } from './network.js';
import { openSandbox } from '../sandbox/start.js';
import type { SandboxOptions, WebhookTargets } from '../sandbox/start.js';
import type { Plan } from './plan.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The signature provider's own. */
const RETRIES_MS = [2 * MINUTE, 6 * MINUTE, 30 * MINUTE, HOUR, 5 * HOUR, 18 * HOUR, 24 * HOUR, 48 * HOUR];

export type FirmName = 'office' | 'branch';

/** Each firm has subscribed to the webhooks of both accounts, and so hears of everything in them. */
export const SECRETS: Readonly<Record<FirmName, Secrets>> = {
  office: secretsOf('office'),
  branch: secretsOf('branch'),
};

interface Secrets extends Record<string, string> {
  ESIGN_WEBHOOK_SECRET: string;
  ESIGN_PAYMENT_WEBHOOK_SECRET: string;
}

function secretsOf(firm: FirmName): Secrets {
  return {
    ESIGN_WEBHOOK_SECRET: `a simulated webhook secret of the ${firm}`,
    ESIGN_PAYMENT_WEBHOOK_SECRET: `a simulated payment secret of the ${firm}`,
  };
}

function subscriptionOf(firm: FirmName): WebhookTargets {
  return {
    webhookUrl: `http://${firm}.sim/webhook/contract-signed`,
    webhookSecret: SECRETS[firm].ESIGN_WEBHOOK_SECRET,
    paymentWebhookUrl: `http://${firm}.sim/webhook/payment`,
    paymentWebhookSecret: SECRETS[firm].ESIGN_PAYMENT_WEBHOOK_SECRET,
  };
}

export type Providers = ReturnType<typeof openProviders>;

export function openProviders(scheduler: Scheduler, seed: number, { hasBranch, expiresLateMs }: Plan) {
  const process = scheduler.begin('providers', { aheadMs: 0 });
  const options: SandboxOptions = {
    seed,
    now: () => Math.floor(scheduler.now),
    publicUrl: 'http://providers.sim',
    ...subscriptionOf('office'),
    others: hasBranch ? [subscriptionOf('branch')] : [],
    retryDelaysMs: RETRIES_MS,
    expiresLateMs,
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
    /** The webhooks about it get lost. */
    signUnheard: there((id: string) => {
      const { faults } = sandbox.world;
      const lost = faults.add({ target: 'webhook', kind: 'lost' });
      sandbox.sign(id);
      faults.remove(lost.id);
    }),
    decline: there(sandbox.decline),
    expire: there(sandbox.expire),
    delete: there(sandbox.delete),
    pay: there(sandbox.pay),
    settlePayment: there(sandbox.settlePayment),
  };
}
