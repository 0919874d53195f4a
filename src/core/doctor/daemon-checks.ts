/** The daemon: it runs, and goes by the same webhook secret as these settings. */
import { createHmac, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { runningDaemonPid } from '../../db/daemon-lock.js';
import type { Config } from '../config.js';
import { describeError } from '../errors.js';
import { failed, ok, warning, type Check } from './check.js';

function daemonPid({ dataDir }: Config): number | undefined {
  return existsSync(dataDir) ? runningDaemonPid(dataDir) : undefined;
}

export function checkDaemon(config: Config): Check {
  const pid = daemonPid(config);
  if (pid === undefined)
    return warning('daemon', 'esignd is not running', 'Start it: systemctl start esignd');
  return ok('daemon', `esignd runs, process ${pid || 'unknown'}`);
}

const NAME = 'webhook secret';
const ANSWER_MS = 5_000;

/** A signed delivery about a signId that nobody knows: 404 says that the signature was believed. */
export async function checkWebhookSecret(config: Config, cut?: AbortSignal): Promise<Check> {
  if (daemonPid(config) === undefined) {
    return warning(NAME, 'it could not be tried: esignd is not running', 'Start esignd and try again.');
  }
  if (config.port === 0) {
    return warning(NAME, 'it could not be tried: the port is chosen at each start', 'Set ESIGN_PORT.');
  }
  try {
    return judge(await deliver(config, cut));
  } catch (error) {
    const mend = 'Look whether esignd listens where ESIGN_HOST and ESIGN_PORT say.';
    return failed(NAME, `esignd did not answer: ${describeError(error)}`, mend);
  }
}

async function deliver(
  { host, port, webhookHeader, webhookSecrets }: Config,
  cut: AbortSignal | undefined,
): Promise<number> {
  const signature_request = { id: `doctor-${randomUUID()}` };
  const body = JSON.stringify({ event_name: 'signature_request.done', data: { signature_request } });
  const digest = createHmac('sha256', webhookSecrets[0] as string)
    .update(body)
    .digest('hex');
  const response = await fetch(`http://${reachable(host)}:${port}/webhook/contract-signed`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [webhookHeader]: `sha256=${digest}` },
    body,
    signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS), ...(cut ? [cut] : [])]),
  });
  return response.status;
}

function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function judge(status: number): Check {
  if (status === 404) return ok(NAME, 'the daemon believes what this secret signs');
  if (status === 401) {
    const mend = 'Give the daemon the same ESIGN_WEBHOOK_SECRET and ESIGN_WEBHOOK_HEADER, and restart it.';
    return failed(NAME, 'the daemon goes by another secret', mend);
  }
  return failed(NAME, `the daemon answered ${status}`, 'Look into its log.');
}
