/** The outside services answer and accept our keys; nothing is sent. */
import { messageOf } from '../../db/caught.js';
import type { WaysOut } from '../context.js';
import type { Config } from '../settings/config.js';
import { isProviderError, type ProviderError } from '../http/provider-error.js';
import { meaningOf, secondsToWait } from '../http/refusal.js';
import { hearersInWords } from '../settings/hearers.js';
import { openMailTransport } from '../mail/transport.js';
import { PaymentProvider } from '../payment/provider.js';
import { SignatureProvider } from '../signature/provider.js';
import { CLOCK_AHEAD_MAX_MS } from '../contracts/expire-contracts.js';
import { failed, ok, warning, type Check, someOf } from './check.js';
import { createHmac, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { runningDaemonPid } from '../../db/installation/daemon-lock.js';
import { describeError } from '../errors.js';
import type { Db } from '../../db/db.js';
import { missingMigrations } from '../../db/migrate.js';
import { command } from '../commands.js';
import { Round } from '../calls/round.js';
import { listedSignatures } from '../signature/listed-signatures.js';
import { unknownAmong, type UnknownSignature } from '../signature/unknown-signatures.js';
import { formatMoment } from '../texts/format.js';
import { withDatabase } from './database-check.js';

/** Through what the services are reached; what is left out is the real network. Aborting `cut` ends the checks. */
export interface Ways extends Pick<WaysOut, 'send' | 'openMail'> {
  cut?: AbortSignal | undefined;
}

/** Short, because a person is waiting. */
const TIMEOUTS = { callTimeoutMs: 5_000, totalTimeoutMs: 8_000 };

function signatureProviderOf({ apiUrl: baseUrl, apiKey }: Config, { cut, send }: Ways) {
  return new SignatureProvider({ baseUrl, apiKey: () => apiKey, cut, send, ...TIMEOUTS });
}

export async function checkSignatureProvider(config: Config, ways: Ways): Promise<Check[]> {
  const provider = signatureProviderOf(config, ways);
  return probed('signature provider', 'ESIGN_API', async () => [checkClock(await provider.probe())]);
}

export async function checkPaymentProvider(config: Config, { cut, send }: Ways): Promise<Check[]> {
  const { paymentApiUrl: baseUrl, paymentApiKey } = config;
  const provider = new PaymentProvider({ baseUrl, apiKey: () => paymentApiKey, cut, send, ...TIMEOUTS });
  return probed('payment provider', 'ESIGN_PAYMENT_API', async () => {
    await provider.probe();
    return [];
  });
}

/** With the probe's other findings. The settings of a provider share the first part of their names. */
async function probed(name: string, settings: string, probe: () => Promise<Check[]>): Promise<Check[]> {
  try {
    const more = await probe();
    return [ok(name, 'it answers and accepts our key'), ...more];
  } catch (error) {
    if (!isProviderError(error)) throw error;
    return [failed(name, error.message, fixOf(error, `${settings}_KEY`, `${settings}_URL`))];
  }
}

function fixOf(error: ProviderError, key: string, url: string): string {
  switch (error.reason) {
    case 'unauthorized':
      return meaningOf(error) === 'forbids'
        ? `Correct ${key}, or add the missing feature to the account.`
        : `Correct ${key}.`;
    case 'not_found':
    case 'rejected':
      return `Correct ${url}.`;
    case 'rate_limited':
      return `Try again in ${secondsToWait(error)} s.`;
    case 'unavailable':
      return `Check that the service is up and that ${url} is right.`;
  }
}

const CLOCK_WARNING_MS = 30_000;
/** Beyond this, payment webhooks would be refused as too old. */
const CLOCK_FAILED_MS = 240_000;

/** Compares our clock with the provider's, from its answer. */
export function checkClock(saidAt: Date | undefined): Check {
  const name = 'clock';
  const fix = 'Set the clock, preferably by time synchronisation (systemd-timesyncd, chrony).';
  if (!saidAt) return warning(name, 'could not be compared with anything', fix);
  const aheadMs = Date.now() - saidAt.getTime();
  const off = Math.abs(aheadMs);
  const stops =
    aheadMs > CLOCK_AHEAD_MAX_MS ? ', and ahead of it: no contract expires until the clock is right' : '';
  const message = `${Math.round(off / 1000)} s off the signature provider’s${stops}`;
  if (off > CLOCK_FAILED_MS) return failed(name, message, fix);
  return off > CLOCK_WARNING_MS ? warning(name, message, fix) : ok(name, message);
}

export async function checkMail(
  { smtpUrl, mailFrom, adminEmail }: Config,
  { cut, openMail = openMailTransport }: Ways,
): Promise<Check> {
  const mail = openMail({ smtpUrl, from: mailFrom, envelopeTimeoutMs: TIMEOUTS.totalTimeoutMs });
  cut?.addEventListener('abort', () => mail.close());
  try {
    await mail.verify();
    return ok('mail server', `it answers; notices go to ${hearersInWords(adminEmail)}`);
  } catch (error) {
    const fix = 'Correct ESIGN_SMTP_URL, or repair the mail server.';
    return failed('mail server', messageOf(error), fix);
  } finally {
    mail.close();
  }
}

// The daemon runs and has the same webhook secret as these settings.

export function checkDaemon({ dataDir }: Config): Check {
  const pid = existsSync(dataDir) ? runningDaemonPid(dataDir) : undefined;
  return pid === undefined
    ? warning('daemon', 'esignd is not running', 'Start it: systemctl start esignd')
    : ok('daemon', `esignd runs, process ${pid || 'unknown'}`);
}

const NAME = 'webhook secret';
const ANSWER_MS = 5_000;

/** Sends a signed delivery with an unknown signId: 404 proves that the secret is right. */
export async function checkWebhookSecret(
  config: Config,
  isDaemonRunning: boolean,
  cut?: AbortSignal,
): Promise<Check> {
  if (!isDaemonRunning) {
    return warning(NAME, 'not tested: esignd is not running', 'Start esignd and try again.');
  }
  if (config.port === 0) {
    return warning(NAME, 'not tested: the port is chosen at each start', 'Set ESIGN_PORT.');
  }
  try {
    return judge(await deliver(config, cut));
  } catch (error) {
    const fix = 'Check that esignd listens on ESIGN_HOST and ESIGN_PORT.';
    return failed(NAME, `esignd did not answer: ${describeError(error)}`, fix);
  }
}

async function deliver(
  { host, port, webhookHeader, webhookSecrets: [secret = ''] }: Config,
  cut: AbortSignal | undefined,
): Promise<number> {
  const signature_request = { id: `doctor-${randomUUID()}` };
  const body = JSON.stringify({ event_name: 'signature_request.done', data: { signature_request } });
  const digest = createHmac('sha256', secret).update(body).digest('hex');
  const { FetchError, ofetch } = await import('ofetch');
  const { status } = await ofetch
    .raw(`http://${reachable(host)}:${port}/webhook/contract-signed`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [webhookHeader]: `sha256=${digest}` },
      body,
      retry: false,
      ignoreResponseError: true,
      signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS), ...(cut ? [cut] : [])]),
    })
    .catch((error: unknown) => {
      throw error instanceof FetchError ? error.cause : error;
    });
  return status;
}

function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function judge(status: number): Check {
  if (status === 404) return ok(NAME, 'the daemon accepts what this secret signs');
  if (status === 401) {
    const fix = 'Give the daemon the same ESIGN_WEBHOOK_SECRET and ESIGN_WEBHOOK_HEADER, and restart it.';
    return failed(NAME, 'the daemon uses a different secret', fix);
  }
  return failed(NAME, `the daemon answered ${status}`, 'See its log.');
}

// Signature requests of this installation that are unknown here; reported only if there are any.

/** Few, because a person is waiting and calls are limited; `check-signature --all` reads every page. */
const PAGES_MAX = 3;

export async function checkUnknownSignatures(config: Config, ways: Ways): Promise<Check[]> {
  const provider = signatureProviderOf(config, ways);
  try {
    return (await withDatabase(config, (db) => look(config, db, provider))) ?? [];
  } catch {
    // The checks of database and provider report the reason.
    return [];
  }
}

async function look(config: Config, db: Db, provider: SignatureProvider): Promise<Check[]> {
  if (missingMigrations(db).length > 0) return [];
  const unknown: UnknownSignature[] = [];
  // A person is waiting: it reads what can be had at once.
  const round = new Round({ pauseMsMax: 0 });
  for await (const state of listedSignatures({ provider }, round, {
    isWanted: (pages) => pages < PAGES_MAX,
  })) {
    // Nobody has received a draft; the bulk check lists it.
    if (state.status !== 'draft') unknown.push(...unknownAmong(db, [state]));
  }
  return unknown.length > 0 ? [told(config, unknown)] : [];
}

function told({ timeZone }: Config, unknown: readonly UnknownSignature[]): Check {
  const named = someOf(
    unknown.map((one) => inWords(timeZone, one)),
    '; ',
  );
  return warning(
    'signatures unknown here',
    `${unknown.length} at the provider, probably lost in a restore: ${named}`,
    ['See what can be done about each: ', { ...command('check-signature'), options: ['--all'] }],
  );
}

function inWords(timeZone: string, found: UnknownSignature): string {
  const { signId, externalId, status, createdAt, name } = found;
  const made =
    createdAt === null ? 'at an unknown time' : formatMoment({ locale: 'en', timeZone }, createdAt);
  return `${signId} ${status}, made ${made}, “${name ?? ''}” (${externalId})`;
}
