/** The daemon runs and has the same webhook secret as these settings. */
import { createHmac, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { runningDaemonPid } from '../../db/installation/daemon-lock.js';
import type { Config } from '../settings/config.js';
import { describeError } from '../errors.js';
import { failed, ok, warning, type Check } from './check.js';

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
