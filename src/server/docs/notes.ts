/**
 * Notes on the steps of a route. A step that refuses, demands or offers something says so here, beside its own code; the
 * documents read the notes of the steps that really run, so they cannot promise what the code does not do.
 */
import type { MiddlewareHandler } from 'hono';
import type { Env } from '../parts.js';
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
  /** Headers that it puts on the answer. */
  tells?: readonly HeaderName[];
}

export interface HeaderParameter {
  name: string;
  about: string;
  example: string;
}

const notes = new WeakMap<object, Note>();

/** The same step, with a note on it. */
export function noted<Step extends object>(step: Step, note: Note): Step {
  notes.set(step, note);
  return step;
}

export function noteOf(step: object): Note {
  return notes.get(step) ?? {};
}

/** Says what the route does that it stands in; does nothing itself. */
export function documented(operation: Operation): MiddlewareHandler<Env> {
  return noted<MiddlewareHandler<Env>>((_, next) => next(), { operation });
}
