/**
 * Keeps the provider's audit trail of what was signed (rules 13), so that an export needs the provider no more. It may lag
 * behind the signature, so it is fetched after the bulk check; nothing else waits for it. Until it is kept, an export asks the
 * provider.
 */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import {
  findAuditTrail,
  keepAuditTrail,
  listDueAuditTrails,
  setAuditTrailDue,
} from '../../db/contracts/audit-trails.js';
import type { ContractRow } from '../../db/schema.js';
import { SCHEDULE } from '../actor.js';
import { Round, type RoundOptions } from '../calls/round.js';
import { change } from '../change.js';
import { addMs, iso } from '../clock.js';
import type { Context } from '../context.js';
import { readTrailFile, saveTrailFile } from '../contracts/contract-files.js';
import { AppError, describeError } from '../errors.js';
import { ofContract } from '../history/history.js';
import { DAY, HOUR } from '../jobs/retry-policy.js';
import { sayIn } from '../texts/index.js';
import { auditTrailOf, type AuditTrail } from './audit-trail.js';
import type { Content } from './write-archive.js';

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
  const contents = trail?.contents ?? [];
  if (contents.length === 0 || (trail?.missing.length ?? 0) > 0) {
    await tryLater(ctx, contract);
    return false;
  }
  const files: KeptFile[] = [];
  for (const { name: path, bytes } of contents) {
    const name = basename(path);
    await saveTrailFile(ctx, contract.id, name, bytes as Buffer);
    files.push({ name, sha256: digestOf(bytes as Buffer) });
  }
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
    return await auditTrailOf(ctx, { ...contract, signId });
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

/** The kept files as they go into an archive; undefined when they are not kept, or not whole any more. */
export async function keptTrail(
  ctx: Context,
  { id }: Pick<ContractRow, 'id'>,
): Promise<Content[] | undefined> {
  const { files = null } = findAuditTrail(ctx.db, { contractId: id }) ?? {};
  if (files === null) return undefined;
  const say = sayIn(ctx.config.locale);
  const contents: Content[] = [];
  for (const { name, sha256 } of JSON.parse(files) as KeptFile[]) {
    const bytes = await readTrailFile(ctx, id, name).catch(() => undefined);
    if (!bytes || digestOf(bytes) !== sha256) return undefined;
    const about = say(name.endsWith('.pdf') ? 'evidence.about.audit_pdf' : 'evidence.about.audit_json', {
      id,
    });
    contents.push({ name: `contracts/${id}/${name}`, about, bytes });
  }
  return contents;
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
