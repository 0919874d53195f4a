/**
 * IRIs of resources: we write the unversioned path; versioned paths and full addresses of this service are
 * understood.
 */
import { z } from 'zod';
import { HttpError } from '../http/errors.js';
import type { Call } from '../parts.js';

export type CollectionName =
  | 'requests'
  | 'equipments'
  | 'contracts'
  | 'users'
  | 'offers'
  | 'prices'
  | 'troubleshootings'
  | 'webhooks'
  | 'webhook_deliveries';

export function iriOf(collection: CollectionName, id: number): string {
  return `/api/${collection}/${id}`;
}

/** The canonical path: without the version and the slash at the end (rules 6). */
export function canonicalPath(spelled: string): string {
  const path = spelled.replace(/(?<=[^/])\/$/, '');
  return path === '/api/v1' || path.startsWith('/api/v1/') ? `/api${path.slice('/api/v1'.length)}` : path;
}

/** The documents' schema of a member with such an IRI. */
export function iriMeta(collection: CollectionName) {
  const example = iriOf(collection, 1);
  return { format: 'iri-reference', 'x-collection': `/api/${collection}`, examples: [example] };
}

/** The id in an IRI of this collection, or undefined. The IRI may begin with `baseUrl`. */
export function idOfIri(iri: string, collection: CollectionName, baseUrl: string): number | undefined {
  const path = pathAt(baseUrl, iri);
  const [, name, digits] = /^\/api(?:\/v1)?\/([a-z_]+)\/([1-9]\d{0,14})$/.exec(path) ?? [];
  return name === collection ? Number(digits) : undefined;
}

/** Removes this service's address, if it is there. */
function pathAt(baseUrl: string, iri: string): string {
  if (!/^https?:\/\/\S+$/i.test(iri) || !URL.canParse(iri)) return iri;
  const own = new URL(baseUrl);
  const { origin, username, password, pathname, search, hash } = new URL(iri);
  const before = own.pathname.replace(/\/$/, '');
  const isOwn = origin === own.origin && pathname.startsWith(`${before}/`);
  return isOwn && username + password + search + hash === '' ? pathname.slice(before.length) : iri;
}

/** A body member that names a resource; parsed into its id. */
export function iriField(collection: CollectionName, baseUrl: string) {
  const text = z.string({ error: ({ input }) => complaint(input) }).meta(iriMeta(collection));
  return text.transform((iri, issues) => {
    const id = idOfIri(iri, collection, baseUrl);
    if (id === undefined) {
      issues.addIssue(
        iri.trim() === '' ? 'This value should not be blank.' : `Invalid IRI "${iri.slice(0, 255)}".`,
      );
    }
    return id ?? 0;
  });
}

function complaint(input: unknown): string {
  if (input === undefined || input === null) return 'This value should not be blank.';
  return typeof input === 'object'
    ? 'Nested documents are not allowed. Use IRIs instead.'
    : 'This value should be of type string.';
}

/** The id in the path of a call; throws 404 for a number that no row can have. */
export function idParam(c: Call): number {
  const digits = c.req.param('id') ?? '';
  if (!/^[1-9]\d{0,14}$/.test(digits)) throw new HttpError(404, 'Not Found');
  return Number(digits);
}
