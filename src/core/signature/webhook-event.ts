/** The body of an inbound signature webhook, in both shapes the provider uses: flat, or with the names under `metadata`. */
import { createHash } from 'node:crypto';

export interface SignatureEvent {
  /** The provider's event id, or the digest of the body where it sends none: the same event twice has the same key. */
  eventKey: string;
  eventName: string;
  /** Of the signature request that it is about; undefined: it is about none. */
  signId: string | undefined;
  /** Its external id; null when the body does not tell. */
  externalId: string | null;
  /** ISO 8601; null when the body does not tell. */
  happenedAt: string | null;
  declineReason: string | null;
}

/** Undefined: not a JSON object, or without a usable name. Members we do not know are ignored. */
export function parseSignatureEvent(rawBody: Buffer): SignatureEvent | undefined {
  const body = asObject(parseJson(rawBody));
  const metadata = asObject(body?.['metadata']);
  const signature = asObject(asObject(body?.['data'])?.['signature_request']);
  const eventName = usable(body?.['event_name'] ?? metadata?.['event_name']);
  const signId = usable(signature?.['id']);
  if (!eventName) return undefined;
  return {
    eventKey: usable(body?.['event_id'] ?? metadata?.['event_id']) ?? digestKey(rawBody),
    eventName,
    signId,
    externalId: usable(signature?.['external_id']) ?? null,
    happenedAt: parseTime(body?.['event_time'] ?? metadata?.['event_time']),
    declineReason: usable(asObject(signature?.['decline_information'])?.['reason']) ?? null,
  };
}

/** What a body that nobody vouches for claims to be about; read by pattern, never parsed. */
export function claimedSignId(rawBody: Buffer): string | null {
  const head = rawBody.subarray(0, 4096).toString('latin1');
  return /"signature_request"\s*:\s*\{[^}]*?"id"\s*:\s*"([\w-]{8,64})"/.exec(head)?.[1] ?? null;
}

export function digestKey(rawBody: Buffer): string {
  return `sha256:${createHash('sha256').update(rawBody).digest('hex')}`;
}

const WORD_MAX = 200;

function usable(value: unknown): string | undefined {
  return typeof value === 'string' && value.length > 0 && value.length <= WORD_MAX ? value : undefined;
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function parseJson(rawBody: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody));
  } catch {
    return undefined;
  }
}

/** Epoch seconds as text or number, or ISO 8601. */
function parseTime(value: unknown): string | null {
  const isEpoch = typeof value === 'number' || (typeof value === 'string' && /^\d{1,11}$/.test(value));
  const time = isEpoch ? Number(value) * 1000 : typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isFinite(time) && Math.abs(time) < 8.64e15 ? new Date(time).toISOString() : null;
}
