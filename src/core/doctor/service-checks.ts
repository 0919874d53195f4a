/** The outside services answer and accept our keys; nothing is sent. */
import { messageOf } from '../../db/caught.js';
import type { WaysOut } from '../context.js';
import type { Config } from '../settings/config.js';
import { isProviderError, type ProviderError } from '../http/provider-error.js';
import { meaningOf, secondsToWait } from '../http/refusal.js';
import { openMailTransport } from '../mail/transport.js';
import { PaymentProvider } from '../payment/provider.js';
import { SignatureProvider } from '../signature/provider.js';
import { CLOCK_AHEAD_MAX_MS } from '../contracts/expire-contracts.js';
import { failed, ok, warning, type Check } from './check.js';

/** Through what the services are reached; what is left out is the real network. Aborting `cut` ends the checks. */
export interface Ways extends Pick<WaysOut, 'send' | 'openMail'> {
  cut?: AbortSignal | undefined;
}

/** Short, because a person is waiting. */
const TIMEOUTS = { callTimeoutMs: 5_000, totalTimeoutMs: 8_000 };

export function signatureProviderOf({ apiUrl: baseUrl, apiKey }: Config, { cut, send }: Ways) {
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
  { smtpUrl, mailFrom }: Config,
  { cut, openMail = openMailTransport }: Ways,
): Promise<Check> {
  const mail = openMail({ smtpUrl, from: mailFrom, envelopeTimeoutMs: TIMEOUTS.totalTimeoutMs });
  cut?.addEventListener('abort', () => mail.close());
  try {
    await mail.verify();
    return ok('mail server', 'it answers');
  } catch (error) {
    const fix = 'Correct ESIGN_SMTP_URL, or repair the mail server.';
    return failed('mail server', messageOf(error), fix);
  } finally {
    mail.close();
  }
}
