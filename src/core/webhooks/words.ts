/** The words of webhooks: events, states of a delivery, and what came of an attempt. */
import type { Say } from '../texts/index.js';
import { storedErrorWords } from '../texts/stored-errors.js';
import type { DeliveryState, EventName } from '../../db/schema.js';
import { codeOf } from '../../db/caught.js';

export const EVENT_NAMES = [
  'request.created',
  'request.updated',
  'offer.created',
  'troubleshooting.updated',
] as const satisfies readonly EventName[];

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const satisfies readonly DeliveryState[];

/** So long a receiver has for its answer. */
export const ANSWER_WITHIN_MS = 10_000;

/** The complete list, besides `http_` with a status. */
export type Trouble =
  | 'timeout'
  | 'address_refused'
  | 'host_not_found'
  | 'connection_refused'
  | 'connection_lost'
  | 'unreachable'
  | 'tls_failed'
  | 'invalid_answer'
  | 'network_error';

/** A network failure in one word, for the log of deliveries and for counting. */
export function troubleOf(error: unknown): Trouble {
  const root = rootOf(error);
  if (root instanceof Error && root.name === 'TimeoutError') return 'timeout';
  const code = codeOf(root);
  const word = WORDS[code];
  if (word) return word;
  if (/CERT|SELF_SIGNED|ALTNAME|^ERR_(SSL|TLS)|UNABLE_TO_|EPROTO/.test(code)) return 'tls_failed';
  if (code.startsWith('HPE_')) return 'invalid_answer';
  return 'network_error';
}

const WORDS: Readonly<Record<string, Trouble>> = {
  EREFUSEDADDRESS: 'address_refused',
  ENOTFOUND: 'host_not_found',
  EAI_AGAIN: 'host_not_found',
  EAI_NODATA: 'host_not_found',
  ENODATA: 'host_not_found',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_lost',
  EPIPE: 'connection_lost',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
};

/** The root cause; of several failed addresses, the first one's. */
function rootOf(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0]);
  if (!(error instanceof Error)) return {};
  const isWrapper = error.cause instanceof Error && !('code' in error && WORDS[String(error.code)]);
  return isWrapper ? rootOf(error.cause) : error;
}

/** In the reader's language (rules 8): `refused by the receiver (410)` for `http_410`; a word without a text stays as it is. */
export function outcomeWords(say: Say, outcome: string): string {
  const [, status] = /^http_(\d{3})$/.exec(outcome) ?? [];
  if (status === undefined) {
    return (
      say.find(`outcome.${outcome}`, { seconds: ANSWER_WITHIN_MS / 1_000 }) ?? storedErrorWords(say, outcome)
    );
  }
  if (status.startsWith('4')) return say('outcome.http_refused', { status });
  return say(status.startsWith('5') ? 'outcome.http_error' : 'outcome.http', { status });
}
