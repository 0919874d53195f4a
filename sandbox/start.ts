/**
 * Starts the stand-ins for both providers and for a mail server: one HTTP port, one SMTP port, everything in memory.
 * It speaks their wire formats and knows nothing of the service that it is used against.
 */
import { setMaxListeners } from 'node:events';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { controlApi } from './control-api.js';
import { consolePage } from './pages/console.js';
import { mailPages } from './pages/mail.js';
import { payPages } from './pages/pay.js';
import { signPages } from './pages/sign.js';
import { styleSheet } from './pages/style.js';
import { paymentApi } from './payment/api.js';
import { signatureApi } from './signature/api.js';
import { isLost } from './fault-gate.js';
import { FaultList } from './faults.js';
import { actionsOn, type SandboxActions } from './handle.js';
import { Mailbox, type Mail } from './mailbox.js';
import { refuseRemoteHost, withDefaults, type SandboxOptions, type WebhookTargets } from './options.js';
import { seededIds, seededRandom } from './seeded.js';
import { listenHttp } from './listening.js';
import { listenSmtp } from './smtp-listener.js';
import { stateOf, type SandboxState } from './state.js';
import { WebhooksOut } from './webhooks-out.js';
import type { World } from './world.js';

export type Sandbox = SandboxActions & {
  port: number;
  smtpPort: number;
  /** `http://host:port`: console, control API, links. */
  url: string;
  /** Base of the signature provider, ends in `/v3`. */
  apiUrl: string;
  /** Base of the payment provider; the client appends `/v1/checkout/sessions`. */
  paymentUrl: string;
  smtpUrl: string;
  world: World;
  faults: FaultList;
  /** A copy of everything, as JSON. */
  state(): SandboxState;
  /** Mails with the bytes of their attachments. */
  mails(): readonly Mail[];
  setWebhookTargets(targets: WebhookTargets): void;
  /** Resolves when no webhook is being sent and, with `retries`, none waits for another attempt. */
  settled(options?: { retries?: boolean }): Promise<void>;
  /** In-process calls. A cut connection rejects as the global fetch does. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
};

/** The stand-ins without ports, for a simulation: calls go to `fetch`, time and webhooks' ways out are the caller's. */
export function openSandbox(options: SandboxOptions = {}): SandboxActions & {
  world: World;
  fetch: (request: Request) => Response | Promise<Response>;
} {
  const world = createWorld(options, new AbortController().signal);
  const app = createApp(world);
  return { ...actionsOn(world), world, fetch: (request) => app.fetch(request) };
}

/** Rejects with RangeError for senseless options, and with the system's error when a port is taken. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const host = options.host ?? '127.0.0.1';
  refuseRemoteHost(host, options.allowRemote ?? false);
  const stop = new AbortController();
  // Every webhook being sent listens; many listeners are no leak.
  setMaxListeners(0, stop.signal);
  const world = createWorld(options, stop.signal);

  const app = createApp(world);
  const http = await listenHttp(app, host, options.port ?? 8090);
  const smtp = await listenSmtp(world, host, options.smtpPort ?? 8025).catch(async (error: unknown) => {
    await http.close();
    throw error;
  });
  const shownHost = host.includes(':') ? `[${host}]` : host;
  const url = `http://${shownHost}:${http.port}`;
  world.settings.publicUrl ||= url;

  return {
    ...actionsOn(world),
    port: http.port,
    smtpPort: smtp.port,
    url,
    apiUrl: `${url}/v3`,
    paymentUrl: url,
    smtpUrl: `smtp://${shownHost}:${smtp.port}`,
    world,
    faults: world.faults,
    state: () => stateOf(world),
    mails: () => world.mailbox.list(),
    setWebhookTargets: (targets) => world.webhooks.setTargets(targets),
    settled: (which) => world.webhooks.settled(which),
    fetch: async (input, init) => {
      const answer = await app.fetch(new Request(input, init));
      if (isLost(answer)) throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
      return answer;
    },
    close: async () => {
      stop.abort();
      await Promise.all([http.close(), smtp.close(), world.webhooks.settled({ retries: true })]);
    },
  };
}

/** All routes on one port: two providers, a control API and pages. */
function createApp(world: World): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.route('/v3', signatureApi(world));
  app.route('/v1/checkout/sessions', paymentApi(world));
  app.route('/_sandbox', controlApi(world));
  app.route('/sign', signPages(world));
  app.route('/pay', payPages(world));
  app.route('/mail', mailPages(world));
  app.route('/', styleSheet());
  app.route('/', consolePage(world));
  app.notFound((c) => c.json({ type: 'not_found', detail: 'The sandbox has nothing here.' }, 404));
  app.onError((error, c) => {
    world.settings.log(`error: ${error.message}`);
    return c.json({ type: 'internal_error', detail: 'The sandbox has a bug here; see its log.' }, 500);
  });
  return app;
}

function createWorld(options: SandboxOptions, closing: AbortSignal): World {
  const settings = withDefaults(options);
  const now = options.now ?? Date.now;
  const seed = options.seed ?? 1;
  // Faults have their own generator, so that switching one on does not change the ids.
  const faults = new FaultList(seededRandom(seed + 1));
  for (const fault of options.faults ?? []) faults.add(fault);
  const { webhookUrl, webhookHeader, webhookSecret, paymentWebhookUrl, paymentWebhookSecret } = options;
  const targets = { webhookUrl, webhookHeader, webhookSecret, paymentWebhookUrl, paymentWebhookSecret };
  return {
    settings,
    now,
    ids: seededIds(seededRandom(seed)),
    faults,
    signatureRequests: new Map(),
    sessions: new Map(),
    mailbox: new Mailbox(),
    webhooks: new WebhooksOut({ settings, faults, now, closing }, [targets, ...(options.others ?? [])]),
    counters: { calls: {}, sessionsByKey: {}, mailsById: {} },
    closing,
  };
}

export type { Mail } from './mailbox.js';
export type { SandboxOptions, WebhookTargets } from './options.js';
export type { SandboxState } from './state.js';
