/**
 * Keeps the provider's audit trail of what was signed (rules 13), so that an export needs the provider no more. It may lag
 * behind the signature, so it is fetched after the bulk check; nothing else waits for it. Until it is kept, an export asks the
 * provider.
 */
import type { FileHandle } from 'node:fs/promises';
import {
  findAuditTrail,
  keepAuditTrail,
  listDueAuditTrails,
  setAuditTrailDue,
} from '../../db/contracts/lists.js';
import type { ContractRow } from '../../db/schema.js';
import { SCHEDULE } from '../actor.js';
import { Round, type RoundOptions } from '../calls/round.js';
import { change } from '../change.js';
import { addMs, iso } from '../clock.js';
import type { Context } from '../context.js';
import { digestOf } from '../contracts/proven-files.js';
import { AppError, describeError } from '../errors.js';
import { ofContract } from '../history/history.js';
import { DAY, HOUR } from '../jobs/retry-policy.js';
import {
  fetchAuditTrail,
  type AuditTrail,
  dropTrailFiles,
  openTrailFile,
  placeTrailFile,
} from './audit-trail.js';

/** A few calls each; the next run goes on. */
const AT_ONCE = 100;
const GIVEN_UP_AFTER = 30 * DAY;

interface KeptFile {
  name: string;
  sha256: string;
}

export async function keepAuditTrails(ctx: Context, options: RoundOptions = {}) {
  const counts = { kept: 0, missing: 0 };
  const now = iso(ctx.clock.now());
  const round = new Round(options);
  await round.each(ctx, listDueAuditTrails(ctx.db, { now, limit: AT_ONCE }), {
    keyOf: ({ id }) => id,
    nameOf: ({ requestId }) => `request ${requestId}`,
    async act(contract) {
      const isKept = await keep(ctx, contract);
      counts[isKept ? 'kept' : 'missing'] += 1;
    },
    async failed(contract, error) {
      const about = { contractId: contract.id, error: describeError(error) };
      ctx.log.warn(about, 'an audit trail could not be fetched');
      counts.missing += 1;
      await tryLater(ctx, contract);
    },
  });
  return { ...counts, ...(round.trouble !== undefined && { trouble: round.trouble }) };
}

async function keep(ctx: Context, contract: ContractRow): Promise<boolean> {
  const trail = await trailOf(ctx, contract);
  if (!trail || trail.files.length === 0 || trail.missing.length > 0) {
    await dropTrailFiles(trail?.files ?? []);
    await tryLater(ctx, contract);
    return false;
  }
  for (const file of trail.files) await placeTrailFile(ctx, contract.id, file);
  const files: KeptFile[] = trail.files.map(({ name, sha256 }) => ({ name, sha256 }));
  await change(ctx, { actor: SCHEDULE }, (tx) => {
    keepAuditTrail(tx.db, { contractId: contract.id, files: JSON.stringify(files) });
    tx.record('contract.trail_kept', ofContract(contract), { files });
  });
  return true;
}

/** Undefined: there is none yet. Throws while the provider does not answer. */
async function trailOf(ctx: Context, contract: ContractRow): Promise<AuditTrail | undefined> {
  const { signId } = contract;
  if (signId === null) return undefined;
  try {
    return await fetchAuditTrail(ctx, { ...contract, signId });
  } catch (error) {
    if (error instanceof AppError && error.code === 'audit_trail_not_ready') return undefined;
    throw error;
  }
}

/** Ever more rarely, and in the end not at all. */
async function tryLater(ctx: Context, { id: contractId, signedAt }: ContractRow): Promise<void> {
  const now = ctx.clock.now();
  const age = now.getTime() - Date.parse(signedAt ?? iso(now));
  const wait = Math.min(Math.max(age, HOUR / 2), DAY);
  const dueAt = age > GIVEN_UP_AFTER ? null : iso(addMs(now, wait));
  await ctx.writer.write((db) => setAuditTrailDue(db, { contractId, dueAt }));
}

export interface OpenTrailFile extends KeptFile {
  file: FileHandle;
}

/** The kept files, open; undefined when they are not kept, or not whole any more. The caller closes them. */
export async function openKeptTrail(
  ctx: Context,
  { id }: Pick<ContractRow, 'id'>,
): Promise<OpenTrailFile[] | undefined> {
  const { files = null } = findAuditTrail(ctx.db, { contractId: id }) ?? {};
  if (files === null) return undefined;
  const open: OpenTrailFile[] = [];
  const kept: KeptFile[] = JSON.parse(files);
  for (const { name, sha256 } of kept) {
    const file = await openTrailFile(ctx, id, name).catch(() => undefined);
    if (file) open.push({ name, sha256, file });
    if (file && (await digestOf(file)) === sha256) continue;
    await Promise.all(open.map((each) => each.file.close()));
    return undefined;
  }
  return open;
}
