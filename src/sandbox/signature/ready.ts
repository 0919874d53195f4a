/** What must be there before a request can be activated, and where each signer's signature goes. */
import { findAnchors } from '../pdf/anchors.js';
import type { Place } from '../pdf/stamp.js';
import { Problem } from './problems.js';
import type { SignatureDocument, SignatureRequest, Signer } from './types.js';

/** Refuses without a document, a signer, or a place for every signer's signature. */
export function requireReady(request: SignatureRequest): void {
  const documents = request.documents.filter(({ nature }) => nature === 'signable_document');
  const missing = [
    ...(documents.length === 0 ? ['a signable document'] : []),
    ...(request.signers.length === 0 ? ['a signer'] : []),
    ...request.signers
      .filter((signer) => !documents.some((document) => placesOf(request, signer, document).length > 0))
      .map((signer) => `a signature field for signer ${signer.id}`),
  ];
  if (missing.length === 0) return;
  const detail = `The signature request cannot be activated; missing: ${missing.join(', ')}.`;
  throw new Problem(400, 'signature_request.not_ready', detail);
}

/** Anchors name signers by their position, `s1` being the first. */
export function placesOf(request: SignatureRequest, signer: Signer, document: SignatureDocument): Place[] {
  const fields: Place[] = signer.fields
    .filter((field) => field.type === 'signature' && field.document_id === document.id)
    .map(({ page, x, y, width, height }) => ({ from: 'top', page, x, y, width, height }));
  if (!document.parseAnchors) return fields;
  const position = request.signers.indexOf(signer) + 1;
  const anchors = findAnchors(document.content).filter((anchor) => anchor.signer === position);
  return [...fields, ...anchors.map((anchor): Place => ({ from: 'bottom', ...anchor }))];
}
