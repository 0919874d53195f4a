/** Finds what a path names, and says what may be done to it, or refuses as the provider does. */
import type { World } from '../world.js';
import { findRequest } from './actions.js';
import { documentLocked, notFound, Problem, requestNotFound } from './problems.js';
import { placesOf } from './signed-pdf.js';
import type { SignatureDocument, SignatureRequest, Signer } from './types.js';

export function getRequest(world: World, id: string): SignatureRequest {
  const request = findRequest(world, id);
  if (!request) throw requestNotFound(id);
  return request;
}

export function getSigner(request: SignatureRequest, id: string): Signer {
  const signer = request.signers.find((one) => one.id === id);
  if (!signer) throw notFound(`Signer ${id}`);
  return signer;
}

export function getDocument(request: SignatureRequest, id: string): SignatureDocument {
  const document = request.documents.find((one) => one.id === id);
  if (!document) throw notFound(`Document ${id}`);
  return document;
}

/** Refuses unless the request is in one of the statuses. */
export function requireStatus(request: SignatureRequest, type: string, ...statuses: string[]): void {
  if (statuses.includes(request.status)) return;
  throw new Problem(400, type, `The signature request is ${request.status}, not ${statuses.join(' or ')}.`);
}

/** Refuses a signer for a document whose password is not known. */
export function requireUnlocked({ documents }: SignatureRequest): void {
  if (documents.some(({ isProtected }) => isProtected)) throw documentLocked();
}

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
