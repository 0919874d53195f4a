/** A signed PDF in its place, as a completion puts it there. */
import type { Context } from '../../src/core/context.js';
import {
  placeSignedPdf,
  receiveSignedPdf,
  type ReceivedPdf,
} from '../../src/core/contracts/contract-files.js';

export async function saveSignedPdf(
  ctx: Context,
  contractId: number,
  pdf: AsyncIterable<Uint8Array>,
): Promise<ReceivedPdf> {
  const received = await receiveSignedPdf(ctx, contractId, pdf);
  await placeSignedPdf(received, async (place) => place());
  return received;
}
