/** The sandbox's options and their defaults. */
import { z } from 'zod';
import type { FaultInput } from './faults.js';

export const webhookTargets = z.object({
  webhookUrl: z.url().optional(),
  webhookHeader: z.string().optional(),
  webhookSecret: z.string().optional(),
  paymentWebhookUrl: z.url().optional(),
  paymentWebhookSecret: z.string().optional(),
});
export type WebhookTargets = z.infer<typeof webhookTargets>;

/** One per subscribed service; only the first can be changed later. */
export type Subscriptions = readonly [WebhookTargets, ...WebhookTargets[]];

export type RateLimit = { minute: number; hour: number };

export type Settings = {
  apiKey: string;
  paymentKey: string;
  /** Waits between the attempts of a webhook that was not accepted. */
  retryDelaysMs: readonly number[];
  firstTimeoutMs: number;
  retryTimeoutMs: number;
  /** The signature events that are sent, as if the endpoint had subscribed to these only. */
  events: readonly string[];
  rateLimit: RateLimit;
  /** How long the provider takes to notice that a last day has ended; until then the request can be signed. */
  expiresLateMs: number;
  /** Base of the links in mails and answers. */
  publicUrl: string;
  log: (line: string) => void;
};

type Start = {
  host: string;
  /** 0 takes any free port. */
  port: number;
  smtpPort: number;
  /** Other services on the same account: each receives all of its events. */
  others: readonly WebhookTargets[];
  /** Listening beyond loopback lets the whole network sign and pay, so it must be asked for. */
  allowRemote: boolean;
  seed: number;
  faults: readonly (FaultInput | string)[];
  now: () => number;
};

type Given<T> = { [K in keyof T]?: T[K] | undefined };

export type SandboxOptions = WebhookTargets & Given<Settings & Start>;

/** The provider's eight waits (2 min, 6 min, 30 min, 1 h, 5 h, 18 h, 1 d, 2 d), sped up to a minute or so. */
const RETRY_DELAYS_MS = [500, 1500, 3000, 5000, 8000, 12_000, 16_000, 24_000];

const EVENTS = [
  ...['done', 'declined', 'expired', 'canceled', 'rejected', 'deleted', 'permanently_deleted'].map(
    (word) => `signature_request.${word}`,
  ),
  'signer.error',
  'signer.notification_delivery_failed',
];

/** publicUrl is filled in once the port is known. */
export function withDefaults(options: SandboxOptions): Settings {
  return {
    apiKey: options.apiKey ?? 'sandbox-api-key',
    paymentKey: options.paymentKey ?? 'sandbox-payment-key',
    retryDelaysMs: options.retryDelaysMs ?? RETRY_DELAYS_MS,
    firstTimeoutMs: options.firstTimeoutMs ?? 1000,
    retryTimeoutMs: options.retryTimeoutMs ?? 10_000,
    events: options.events ?? EVENTS,
    rateLimit: options.rateLimit ?? { minute: 6000, hour: 120_000 },
    expiresLateMs: options.expiresLateMs ?? 0,
    publicUrl: options.publicUrl?.replace(/\/+$/, '') ?? '',
    log: options.log ?? (() => undefined),
  };
}

const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/;

/** Throws for a host that other machines can reach, unless that was asked for. */
export function refuseRemoteHost(host: string, allowRemote: boolean): void {
  if (allowRemote || LOOPBACK.test(host)) return;
  throw new RangeError(`host ${host} is not a loopback address; say --allow-remote if that is meant`);
}
