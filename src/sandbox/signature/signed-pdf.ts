/** The document as it is after signing: the same PDF with every signature shown in its place. */
import { stampPdf, type Stamp } from '../pdf/stamp.js';
import type { World } from '../world.js';
import { placesOf } from './ready.js';
import type { SignatureDocument, SignatureRequest, Signer } from './types.js';

/** The same bytes for every call. A PDF that we cannot read comes back as it is: the log says so. */
export function signedPdf(world: World, request: SignatureRequest, document: SignatureDocument): Buffer {
  try {
    return stampPdf(
      document.content,
      request.signers.flatMap((signer) => stampsOf(request, signer, document)),
    );
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    world.settings.log(`document ${document.id} cannot be stamped: ${why}`);
    return document.content;
  }
}

function stampsOf(request: SignatureRequest, signer: Signer, document: SignatureDocument): Stamp[] {
  if (signer.signedAt === null) return [];
  const places = placesOf(request, signer, document);
  const lines = [
    `Signed by ${signer.info.first_name} ${signer.info.last_name}`,
    new Date(signer.signedAt)
      .toISOString()
      .replace('T', ' ')
      .replace(/\.\d+Z$/, ' UTC'),
    request.id,
  ];
  return (places.length > 0 ? places : [undefined]).map((place) => ({ place, lines }));
}
