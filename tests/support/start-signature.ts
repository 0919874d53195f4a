/** Starts a signature as those do it who supply a PDF: the file is received first, and gone afterwards. */
import { Readable } from 'node:stream';
import type { Context } from '../../src/core/context.js';
import { receiveSuppliedPdf, removeSupplied } from '../../src/core/contracts/contract-files.js';
import { startSignature as start, type StartOptions } from '../../src/core/signature/start-signature.js';
import type { ContractRow } from '../../src/core/rows.js';

type Options = Omit<StartOptions, 'pdf'> & { pdf?: Buffer | undefined };

export function startSignature(
  ctx: Context,
  requestId: number,
  options: Options & { dryRun?: false },
): Promise<ContractRow>;
export function startSignature(
  ctx: Context,
  requestId: number,
  options: Options,
): Promise<ContractRow | undefined>;
export async function startSignature(
  ctx: Context,
  requestId: number,
  { pdf, ...options }: Options,
): Promise<ContractRow | undefined> {
  const supplied = pdf && (await receiveSuppliedPdf(ctx, Readable.from([pdf])));
  try {
    return await start(ctx, requestId, { ...options, pdf: supplied });
  } finally {
    if (supplied) await removeSupplied(supplied);
  }
}
