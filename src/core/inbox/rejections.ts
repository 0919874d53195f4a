/** Rejected inbound deliveries: counted, the newest kept with their reason, forgers slowed down (rules 3). */
import { insertRejectedDelivery, type NewRejectedDelivery } from '../../db/inbox/inbox.js';
import type { InboxSource } from '../../db/schema.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { describeError } from '../errors.js';

export interface InboundDelivery {
  rawBody: Buffer;
  signature: string | undefined;
  /** The caller's. */
  address: string;
}

export const REJECTIONS_KEPT = 1_000;
/** Forged deliveries a minute per address before it gets 429; genuine ones are never limited. */
const FORGED_PER_MINUTE = 60;

/** Counts a rejected delivery and records why. It is rejected even if that cannot be recorded. */
export async function reject<S extends number>(
  ctx: Context,
  source: InboxSource,
  { rawBody, address }: { rawBody: Buffer; address: string },
  status: S,
  reason: string,
): Promise<{ status: S }> {
  const claimedId = claimedIdIn(source, rawBody);
  return writeDown(ctx, { source, reason, size: rawBody.length, address, claimedId }, status);
}

/** A delivery without a valid signature: `status`; or 429, without a write, for an address that keeps forging. */
export async function rejectForged<S extends number>(
  ctx: Context,
  source: InboxSource,
  delivery: InboundDelivery,
  status: S,
): Promise<{ status: S | 429 }> {
  if (isForger(ctx, delivery.address)) return { status: 429 };
  const reason = delivery.signature ? 'wrong_signature' : 'missing_signature';
  return reject(ctx, source, delivery, status, reason);
}

/** A body too large to be read, so that neither signature nor subject is known. */
export async function rejectTooLarge(
  ctx: Context,
  source: InboxSource,
  { size, address }: { size: number; address: string },
): Promise<{ status: 413 }> {
  if (isForger(ctx, address)) return { status: 413 };
  return writeDown(ctx, { source, reason: 'too_large', size, address, claimedId: null }, 413);
}

/** True for an address with too many forged deliveries; otherwise counts this one. */
function isForger(ctx: Context, address: string): boolean {
  return !ctx.forgeries.take(address, FORGED_PER_MINUTE).isWithin;
}

async function writeDown<S extends number>(
  ctx: Context,
  rejected: Omit<NewRejectedDelivery, 'at'>,
  status: S,
): Promise<{ status: S }> {
  const at = iso(ctx.clock.now());
  try {
    await ctx.writer.write((db) => insertRejectedDelivery(db, { ...rejected, at }, REJECTIONS_KEPT));
  } catch (error) {
    ctx.log.error(
      { reason: rejected.reason, error: describeError(error) },
      'a rejected delivery could not be written down',
    );
  }
  return { status };
}

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
