/** The outside services answer, and take our keys; nothing is sent to anybody. */
import type { Config } from '../config.js';
import { isProviderError, type ProviderError } from '../http/provider-error.js';
import { openMailTransport } from '../mail/transport.js';
import { PaymentProvider } from '../payment/provider.js';
import { SignatureProvider } from '../signature/provider.js';
import { CLOCK_AHEAD_MAX_MS } from '../signature/provider-clock.js';
import { failed, ok, warning, type Check } from './check.js';

/** A person waits for the answer. */
export const TIMEOUTS = { callTimeoutMs: 5_000, totalTimeoutMs: 8_000 };

export async function checkSignatureProvider(
  { apiUrl, apiKey }: Config,
  cut?: AbortSignal,
): Promise<Check[]> {
  const name = 'signature provider';
  const provider = new SignatureProvider({ baseUrl: apiUrl, apiKey: () => apiKey, cut, ...TIMEOUTS });
  try {
    const saidAt = await provider.probe();
    return [ok(name, 'it answers and takes our key'), checkClock(saidAt)];
  } catch (error) {
    return [troubleWith(name, error, { key: 'ESIGN_API_KEY', url: 'ESIGN_API_URL' })];
  }
}

export async function checkPaymentProvider(
  { paymentApiUrl, paymentApiKey }: Config,
  cut?: AbortSignal,
): Promise<Check[]> {
  const name = 'payment provider';
  const provider = new PaymentProvider({
    baseUrl: paymentApiUrl,
    apiKey: () => paymentApiKey,
    cut,
    ...TIMEOUTS,
  });
  try {
    await provider.probe();
    return [ok(name, 'it answers and takes our key')];
  } catch (error) {
    return [troubleWith(name, error, { key: 'ESIGN_PAYMENT_API_KEY', url: 'ESIGN_PAYMENT_API_URL' })];
  }
}

function troubleWith(name: string, error: unknown, { key, url }: { key: string; url: string }): Check {
  if (!isProviderError(error)) throw error;
  return failed(name, error.message, mendOf(error, key, url));
}

function mendOf({ reason }: ProviderError, key: string, url: string): string {
  switch (reason) {
    case 'unauthorized':
      return `Correct ${key}.`;
    case 'not_found':
    case 'rejected':
      return `Correct ${url}.`;
    case 'rate_limited':
      return 'Wait a minute and try again.';
    case 'unavailable':
      return `Look whether the service is up, and whether ${url} is right.`;
  }
}

const CLOCK_WARNING_MS = 30_000;
/** Further away, payment webhooks would be refused as too old. */
const CLOCK_FAILED_MS = 240_000;

/** Our clock beside the provider's, as its answer bore it. */
export function checkClock(saidAt: Date | undefined): Check {
  const name = 'clock';
  const mend = 'Set the clock, preferably by time synchronisation (systemd-timesyncd, chrony).';
  if (!saidAt) return warning(name, 'there was nothing to compare it with', mend);
  const aheadMs = Date.now() - saidAt.getTime();
  const off = Math.abs(aheadMs);
  const stops =
    aheadMs > CLOCK_AHEAD_MAX_MS ? ', and ahead of it: no contract is expired until the clock is right' : '';
  const message = `${Math.round(off / 1000)} s away from the signature provider's${stops}`;
  if (off > CLOCK_FAILED_MS) return failed(name, message, mend);
  return off > CLOCK_WARNING_MS ? warning(name, message, mend) : ok(name, message);
}

export async function checkMail({ smtpUrl, mailFrom }: Config, cut?: AbortSignal): Promise<Check> {
  const mail = openMailTransport({ smtpUrl, from: mailFrom, envelopeTimeoutMs: TIMEOUTS.totalTimeoutMs });
  cut?.addEventListener('abort', () => mail.close());
  try {
    await mail.verify();
    return ok('mail server', 'it greets us');
  } catch (error) {
    return failed(
      'mail server',
      (error as Error).message,
      'Correct ESIGN_SMTP_URL, or mend the mail server.',
    );
  } finally {
    mail.close();
  }
}
