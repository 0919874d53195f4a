/** The signed document: the same PDF with every signature in its place. */
import { stampPdf, type Place, type Stamp } from '../pdf/stamp.js';
import type { World } from '../world.js';
import type { SignatureDocument, SignatureRequest, Signer } from './types.js';

/** Unstamped until the request is done; from then on the same bytes on every call. An unreadable PDF comes back unchanged, with a line in the log. */
export async function pdfToShow(
  world: World,
  request: SignatureRequest,
  document: SignatureDocument,
): Promise<Buffer> {
  if (request.status !== 'done') return document.content;
  try {
    return await stampPdf(
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

/** Anchors name signers by their position, `s1` being the first. */
export function placesOf(request: SignatureRequest, signer: Signer, document: SignatureDocument): Place[] {
  const fields: Place[] = signer.fields
    .filter((field) => field.type === 'signature' && field.document_id === document.id)
    .map(({ page, x, y, width, height }) => ({ from: 'top', page, x, y, width, height }));
  const position = request.signers.indexOf(signer) + 1;
  const anchors = document.anchors.filter((anchor) => anchor.signer === position);
  return [...fields, ...anchors.map((anchor): Place => ({ from: 'anchor', ...anchor }))];
}
