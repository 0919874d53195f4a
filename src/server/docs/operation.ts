/**
 * The words in which a route file says what its operations are. Every document about the API is made from them: hydra's
 * classes and contexts, the entrypoint, OpenAPI. Nothing about an operation is written down a second time.
 */
import type { z } from 'zod';
import type { Parameter } from '../collection.js';

/** A kind of thing that the API shows. */
export interface Resource {
  type: string;
  /** Of its collection; its items are below it. */
  path: string;
  about: string;
  /** What an item shows; a member that may be null is optional here, since null is left out. */
  fields: z.ZodObject;
}

export interface Answer {
  status: 200 | 201 | 202 | 204;
  about: string;
  resource?: Resource;
  /** The answer is a page of the resource's items. */
  isCollection?: boolean;
  /** Of an answer that is no resource. */
  schema?: z.ZodType;
  /** Unless the route negotiates. */
  mediaTypes?: readonly string[];
  /** An ETag spares its body; what is negotiated has one anyway. */
  hasEtag?: boolean;
  /** The filters and orders of a collection. */
  parameters?: readonly Parameter[];
}

export interface Body {
  schema: z.ZodType;
  /** Unless the route says `consumes`. */
  mediaTypes?: readonly string[];
  isOptional?: boolean;
  /** Instead of those that any JSON body can meet. */
  refuses?: readonly Refusal[];
}

export type Refusal = 400 | 401 | 403 | 404 | 406 | 409 | 412 | 413 | 415 | 422 | 429 | 503;

export interface Operation {
  /** What it does, as people would say it. */
  title: string;
  about?: string;
  /** The heading it stands under, where no resource gives one. */
  group?: string;
  isForAdministrators?: boolean;
  /** Examples of the parts of its path that are no ids. */
  inPath?: Readonly<Record<string, string>>;
  takes?: Body | z.ZodType;
  returns: Answer;
  /** What it refuses beside what its steps refuse anyway: its own rules. */
  refuses?: readonly Refusal[];
  /** Answers without a body, each with its meaning; callers like these read nothing but the status. */
  bare?: Readonly<Record<number, string>>;
  /** The name of a header by which the caller proves who it is, instead of a token. */
  signedBy?: string;
}

/** 200 with one item. */
export const shown = (resource: Resource): Answer => ({
  status: 200,
  about: `The ${resource.type}.`,
  resource,
});

/** 200 with a page of items. */
export const listed = (resource: Resource, { parameters }: { parameters: readonly Parameter[] }): Answer => ({
  status: 200,
  about: 'A page of the collection.',
  resource,
  isCollection: true,
  parameters,
});

/** 201 with the new item. */
export const created = (resource: Resource): Answer => ({
  status: 201,
  about: `The new ${resource.type}.`,
  resource,
});

/** 202 with an item on which the work goes on. @public */
export const accepted = (resource: Resource): Answer => ({
  status: 202,
  about: `The ${resource.type}, on which the work goes on.`,
  resource,
});

/** 204. */
export const removed = (resource: Resource): Answer => ({
  status: 204,
  about: `The ${resource.type} is gone.`,
  resource,
});
