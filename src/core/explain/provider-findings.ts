/** What the findings about both providers share: why a webhook did not come, and why one gives no answer. */
import { command } from '../commands.js';
import type { ProviderError } from '../http/provider-error.js';
import { meaningOf } from '../http/refusal.js';
import { THIN_EVENT } from '../payment/thin-events.js';
import { bulkCheck } from '../schedule/runs.js';
import { finding, type Facts, type Finding } from './finding.js';
import { isUnproven } from './job-findings.js';

const PROVIDERS = {
  signature: {
    key: 'ESIGN_API_KEY',
    address: 'ESIGN_API_URL',
    secret: 'ESIGN_WEBHOOK_SECRET',
    check: 'check-signature',
    done: 'asked.signature.done',
    reply: 'signed',
  },
  payment: {
    key: 'ESIGN_PAYMENT_API_KEY',
    address: 'ESIGN_PAYMENT_API_URL',
    secret: 'ESIGN_PAYMENT_WEBHOOK_SECRET',
    check: 'payments check',
    done: 'asked.check_payment_success',
    reply: 'paid',
  },
} as const;

type Provider = keyof typeof PROVIDERS;

/** The customer has signed or paid; `id` is the provider's name of it. */
export function webhookMissed(facts: Facts, provider: Provider, id: string | null): Finding {
  const { done, secret, check, reply } = PROVIDERS[provider];
  const params = {
    ...named(facts, provider),
    cause: whyMissed(facts, provider, id),
    done: facts.say(done),
    secret,
    fix: fixOf(facts),
  } as const;
  return { ...finding(facts, 'webhook_missed', params, command(check, facts.file.request.id)), reply };
}

function whyMissed({ ctx, file }: Facts, provider: Provider, id: string | null) {
  if (provider === 'payment' && ctx.config.paymentWebhookSecrets.length === 0) return 'off';
  const rejected = file.rejected.filter(({ claimedId }) => claimedId === id);
  if (rejected.some(({ reason }) => reason === THIN_EVENT)) return 'thin';
  if (rejected.some(isUnproven)) return 'wrong_signature';
  return rejected.length > 0 ? 'rejected' : 'lost';
}

/** The next bulk check, if there is one, and a check at once. */
function fixOf({ ctx, say }: Facts): string {
  const { nextAt } = bulkCheck(ctx);
  return nextAt === null ? say('explain.fix') : say('explain.fix.soon', { date: nextAt });
}

export function providerUnusable(facts: Facts, provider: Provider, error: ProviderError): Finding {
  const { key, address, check } = PROVIDERS[provider];
  const meaning = meaningOf(error);
  const isMeant = meaning === 'refuses_key' || meaning === 'forbids' || meaning === 'unrecognised';
  const cause = isMeant ? meaning : 'down';
  const params = { ...named(facts, provider), cause, key, address, error: error.message } as const;
  const next = cause === 'down' ? command(check, facts.file.request.id) : command('doctor');
  return finding(facts, 'provider_unusable', params, next);
}

function named({ say }: Facts, provider: Provider) {
  return { provider: say(`timeline.source.${provider}`) };
}
