/**
 * The signature provider's own account of a signature, as PDF and as JSON (rules 2). It may lag behind the signature; once it is complete, it
 * is kept.
 */
import { open, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ContractRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import {
  UnfitFile,
  orRemoved,
  PDF_MODE,
  sha256Of,
  temporaryName,
  writeChecked,
} from '../contracts/contract-files.js';
import { AppError, describeError, isAppError } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';
import { isNotReady, type KnownSignature } from '../signature/provider.js';
import { asRefusal } from '../http/refusal.js';
import type { LabelKey } from '../texts/index.js';
import { paths } from '../installation/paths.js';
import { syncDirectory } from '../installation/sync-directory.js';
import {
  findAuditTrail,
  keepAuditTrail,
  listDueAuditTrails,
  setAuditTrailDue,
} from '../../db/contracts/lists.js';
import { SCHEDULE } from '../actor.js';
import { Round, type RoundOptions } from '../calls/round.js';
import { change } from '../change.js';
import { addMs, iso, DAY_MS, HOUR_MS } from '../clock.js';
import { digestOf } from '../contracts/proven-files.js';
import { ofContract } from '../history/history.js';

export interface AuditTrail {
  /** The caller places or drops them. */
  files: TrailFile[];
  missing: { name: string; reason: LabelKey }[];
}

/**
 * What the provider has. Throws `provider_unavailable` while it does not answer and `audit_trail_not_ready` while it lags
 * behind; what it does not have is missing.
 */
export async function fetchAuditTrail(
  ctx: Context,
  contract: ContractRow & { signId: string },
): Promise<AuditTrail> {
  const { id, signId, signerId } = contract;
  const trail: AuditTrail = { files: [], missing: [] };
  const take = async (name: string, ask: (use: Use) => Promise<TrailFile>) => {
    try {
      trail.files.push(await ask((bytes) => receiveTrailFile(ctx, id, name, bytes)));
    } catch (error) {
      if (isNotReady(error)) throw notReady();
      const isUnfit = error instanceof UnfitFile;
      if (!isUnfit && !isProviderError(error, 'not_found', 'rejected')) throw asRefusal(error);
      trail.missing.push({
        name,
        reason: isUnfit ? 'evidence.missing.unusable' : 'evidence.missing.unknown',
      });
    }
  };
  try {
    await take('audit-trail.pdf', (use) => ctx.provider.downloadAuditTrail(signId, use));
    const signerIds = signerId === null ? await signersOf(ctx, contract) : [signerId];
    for (const [i, each] of signerIds.entries()) {
      const name = `audit-trail${i === 0 ? '' : `-${i + 1}`}.json`;
      await take(name, (use) => ctx.provider.streamAuditTrail(signId, each, use));
    }
    return trail;
  } catch (error) {
    await dropTrailFiles(trail.files);
    throw error;
  }
}

type Use = (bytes: AsyncIterable<Uint8Array>) => Promise<TrailFile>;

async function signersOf(ctx: Context, known: KnownSignature): Promise<string[]> {
  try {
    return (await ctx.provider.getSignatureStatus(known)).signers.map(({ id }) => id);
  } catch (error) {
    if (isProviderError(error, 'not_found')) return [];
    throw asRefusal(error);
  }
}

function notReady(): AppError {
  return new AppError(
    'unavailable',
    'audit_trail_not_ready',
    'The signature provider has not finished its audit trail yet.',
    { hint: 'Try again in a few minutes. With --offline the archive is made without it.' },
  );
}

// The files of an audit trail beside the signed PDF: complete or absent, like it.

/** `audit-trail.pdf`, `audit-trail.json`, and one more JSON file for each further signer. */
function trailPath(ctx: Context, contractId: number, name: string): string {
  return join(paths.contracts(ctx.config.dataDir), `${contractId}.${name}`);
}

/** A file of an audit trail that is whole on disk, and not yet in its place. */
interface TrailFile {
  name: string;
  sha256: string;
  temporary: string;
}

/** It has some kilobytes. */
const JSON_BYTES_MAX = 4 * 1024 * 1024;

/** Stores it as it arrives. Throws an UnfitFile for what is neither a PDF nor, where the name says so, JSON. */
function receiveTrailFile(
  ctx: Context,
  contractId: number,
  name: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<TrailFile> {
  const temporary = temporaryName(ctx, trailPath(ctx, contractId, name));
  return orRemoved(temporary, async () => {
    const { sha256 } = name.endsWith('.pdf')
      ? await writeChecked(temporary, bytes)
      : await writeJson(temporary, bytes);
    return { name, sha256, temporary };
  });
}

async function writeJson(path: string, bytes: AsyncIterable<Uint8Array>): Promise<{ sha256: string }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > JSON_BYTES_MAX) throw new UnfitFile('is too large');
    chunks.push(chunk);
  }
  const json = Buffer.concat(chunks);
  try {
    JSON.parse(json.toString('utf8'));
  } catch {
    throw new UnfitFile('is not JSON');
  }
  await writeFile(path, json, { flag: 'wx', mode: PDF_MODE, flush: true });
  return { sha256: sha256Of(json) };
}

export async function placeTrailFile(
  ctx: Context,
  contractId: number,
  { name, temporary }: TrailFile,
): Promise<void> {
  const path = trailPath(ctx, contractId, name);
  await rename(temporary, path);
  await syncDirectory(dirname(path));
}

/** Opens one that was not placed, and takes its name away: it is gone when it is closed. */
export async function openOnce({ temporary }: TrailFile): Promise<FileHandle> {
  const file = await open(temporary, 'r');
  await rm(temporary, { force: true });
  return file;
}

export async function dropTrailFiles(files: readonly TrailFile[]): Promise<void> {
  await Promise.all(files.map(({ temporary }) => rm(temporary, { force: true })));
}

export function openTrailFile(ctx: Context, contractId: number, name: string): Promise<FileHandle> {
  return open(trailPath(ctx, contractId, name), 'r');
}

// Keeps the provider's audit trail of what was signed (rules 13), so that an export needs the provider no more. It may lag
// behind the signature, so it is fetched after the bulk check; nothing else waits for it. Until it is kept, an export asks the
// provider.

/** A few calls each; the next run goes on. */
const AT_ONCE = 100;
const GIVEN_UP_AFTER = 30 * DAY_MS;

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
    if (isAppError(error, 'audit_trail_not_ready')) return undefined;
    throw error;
  }
}

/** Ever more rarely, and in the end not at all. */
async function tryLater(ctx: Context, { id: contractId, signedAt }: ContractRow): Promise<void> {
  const now = ctx.clock.now();
  const age = now.getTime() - Date.parse(signedAt ?? iso(now));
  const wait = Math.min(Math.max(age, HOUR_MS / 2), DAY_MS);
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
