/** The evidence of a request as one archive: documents, the provider's audit trail, mails, what happened (rules 10). */
import { findInstallationId } from '../../db/installation/installation.js';
import { packageVersion } from '../installation/version.js';
import { change, type By } from '../change.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { ofRequest } from '../history/history.js';
import { getRequest } from '../requests/requests.js';
import { companyName } from '../settings/company.js';
import { type Manifest, writeArchive, type WrittenArchive } from './write-archive.js';
import { mustBeFree } from './new-file.js';
import { closeAll, contentsOfRequest } from './request-contents.js';

export interface ExportOptions extends By {
  offline?: boolean;
  signal?: AbortSignal;
}

/**
 * Writes the archive and says so in the history, with its digest. Throws `file_exists`, and `provider_unavailable` or
 * `audit_trail_not_ready` unless offline; then nothing is written.
 */
export async function exportRequest(
  ctx: Context,
  requestId: number,
  file: string,
  { offline = false, signal, ...by }: ExportOptions,
): Promise<WrittenArchive> {
  await mustBeFree(file);
  const request = getRequest(ctx, requestId);
  const { contents, missing } = await contentsOfRequest(ctx, request, { actor: by.actor, offline });
  try {
    const head = headOf(ctx, { kind: 'request', subject: request.reference, missing });
    const written = await writeArchive(file, { head, contents, signal });
    const { sha256, files } = written;
    await change(ctx, by, (tx) =>
      tx.record('request.exported', ofRequest(requestId), { sha256, files: files.length, reason: tx.reason }),
    );
    return written;
  } finally {
    await closeAll(contents);
  }
}

export function headOf(
  ctx: Context,
  { kind, subject, missing }: Pick<Manifest, 'kind' | 'subject' | 'missing'>,
): Omit<Manifest, 'format' | 'formatVersion' | 'files'> {
  return {
    kind,
    subject,
    installation: findInstallationId(ctx.db),
    firm: companyName(ctx.config),
    madeAt: iso(ctx.clock.now()),
    version: packageVersion(),
    missing,
  };
}
