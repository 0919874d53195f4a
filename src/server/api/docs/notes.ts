/**
 * Notes on the steps of a route. A step declares what it refuses, requires or offers next to its code. The documents
 * read the notes of the steps that really run, so they cannot promise what the code does not do.
 */
import type { MiddlewareHandler } from 'hono';
import type { Env } from '../../parts.js';
import type { HeaderName } from './openapi-headers.js';
import type { Operation, Refusal } from './operation.js';

export interface Note {
  operation?: Operation;
  refuses?: readonly Refusal[];
  /** Only with a bearer token. */
  isSecured?: boolean;
  /** Media types of the body. */
  consumes?: readonly string[];
  /** Media types of the answer. */
  offers?: readonly string[];
  /** Request headers it reads. */
  headers?: readonly HeaderParameter[];
  /** Response headers it sets. */
  sets?: readonly HeaderName[];
}

export interface HeaderParameter {
  name: string;
  about: string;
  example: string;
}

const notes = new WeakMap<object, Note>();

/** Attaches a note to a step. */
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
