/**
 * How a route file describes its operations. Every document about the API is made from this: Hydra's classes and
 * contexts, the entrypoint, OpenAPI. Nothing is described twice.
 */
import type { z } from 'zod';
import type { Parameter } from '../collection.js';
import type { MiddlewareHandler } from 'hono';
import type { Env } from '../../parts.js';
import type { HeaderName } from './openapi-headers.js';

export const API_TITLE = 'Maintenance requests and their contracts';

export const API_ABOUT = `Requests for maintenance, the contracts that are signed for them, and what follows.

Log in at \`/api/login_check\` and send \`Authorization: Bearer <token>\` with every call. A user sees and changes what it
owns; the rest is 404. An administrator sees all.

Answers are JSON-LD with hydra's members. Their links, and \`/api\`, lead to everything else. Every answer carries
\`X-Request-Id\`, every error the same members. \`/api/v1/…\` is the same API as \`/api/…\`. GET routes answer HEAD, except
the check of a signature, which acts. A slash at the end of a path changes nothing. Every item has an \`ETag\`: sent back as
\`If-Match\`, it keeps a change from what somebody else has changed since. Another method is 405 and names those that are allowed in
\`Allow\`.`;

/** A kind of thing that the API shows. */
export interface Resource {
  type: string;
  path: string;
  about: string;
  /** An item's members. One that may be null is optional, because null is left out. */
  fields: z.ZodObject;
  /** The filters and orders of its collection. */
  parameters: readonly Parameter[];
}

export interface Answer {
  status: 200 | 201 | 202 | 204;
  about: string;
  resource?: Resource;
  /** The answer is a page of the resource's items. */
  isCollection?: boolean;
  /** For an answer that is not a resource. */
  schema?: z.ZodType;
  /** Unless the route negotiates. */
  mediaTypes?: readonly string[];
  /** Has an ETag; negotiated answers always have one. */
  hasEtag?: boolean;
}

export interface Body {
  schema: z.ZodType;
  /** Unless the route says `consumes`. */
  mediaTypes?: readonly string[];
  isOptional?: boolean;
  /** Instead of the usual refusals of a JSON body. */
  refuses?: readonly Refusal[];
}

export type Refusal = 400 | 401 | 403 | 404 | 406 | 409 | 412 | 413 | 415 | 422 | 429 | 503;

export interface Operation {
  /** What it does, in plain words. */
  title: string;
  about?: string;
  /** Its heading when no resource gives one. */
  group?: string;
  isForAdministrators?: boolean;
  /** Examples of path parameters other than ids. */
  inPath?: Readonly<Record<string, string>>;
  /** Other query parameters than those of its collection. */
  inQuery?: Readonly<Record<string, { about: string; schema: Record<string, unknown> }>>;
  takes?: Body | z.ZodType;
  returns: Answer;
  /** Refused by its own rules, in addition to what its steps refuse. */
  refuses?: readonly Refusal[];
  /** Answers without a body and their meaning, for callers that read only the status. */
  bare?: Readonly<Record<number, string>>;
  /** Refusals that are a page, for links that people open. */
  pages?: Readonly<Record<number, string>>;
  /** The header that authenticates the caller instead of a token. */
  signedBy?: string;
}

function answer(status: Answer['status'], about: (type: string) => string) {
  return (resource: Resource): Answer => ({ status, about: about(resource.type), resource });
}

export const shown = answer(200, (type) => `The ${type}.`);
export const created = answer(201, (type) => `The new ${type}.`);
/** An item that is still being worked on. @public */
export const accepted = answer(202, (type) => `The ${type}, on which the work goes on.`);
export const removed = answer(204, (type) => `The ${type} is gone.`);

export function listed(resource: Resource): Answer {
  return { status: 200, about: 'A page of the collection.', resource, isCollection: true };
}

// Notes on the steps of a route. A step declares what it refuses, requires or offers next to its code. The documents
// read the notes of the steps that really run, so they cannot promise what the code does not do.

export interface Note {
  operation?: Operation;
  refuses?: readonly Refusal[];
  /** Only with a bearer token. */
  isSecured?: boolean;
  consumes?: readonly string[];
  /** Media types of the answer. */
  offers?: readonly string[];
  /** Request headers it reads. */
  headers?: readonly HeaderParameter[];
  sets?: readonly HeaderName[];
}

interface HeaderParameter {
  name: string;
  about: string;
  example: string;
}

const notes = new WeakMap<object, Note>();

export function describes<Step extends object>(step: Step, note: Note): Step {
  notes.set(step, note);
  return step;
}

export function noteOf(step: object): Note {
  return notes.get(step) ?? {};
}

/** A step without effect that describes its route. */
export function documented(operation: Operation): MiddlewareHandler<Env> {
  return describes<MiddlewareHandler<Env>>((_, next) => next(), { operation });
}
