/** What an unauthenticated body claims to be about: the provider's id, for the record of what was refused (rules 3). */
import type { InboxSource } from '../../db/schema.js';

const ID: Record<InboxSource, RegExp> = {
  signature: /"signature_request"\s*:\s*\{[^}]*?"id"\s*:\s*"([\w-]{8,64})"/,
  // A thin event has a related object.
  payment: /"(?:related_)?object"\s*:\s*\{\s*"id"\s*:\s*"([\w-]{8,200})"/,
};
const BYTES_READ = 4_096;

/** Found by pattern, never parsed; null where it names none. */
export function claimedIdIn(source: InboxSource, rawBody: Buffer): string | null {
  return ID[source].exec(rawBody.subarray(0, BYTES_READ).toString('latin1'))?.[1] ?? null;
}
