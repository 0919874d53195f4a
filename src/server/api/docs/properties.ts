/** A resource's members as clients see them: shown, writable, required on creation. */
import { inputSchema, outputSchema, type JsonSchema } from './json-schema.js';
import type { Body, Operation, Resource } from './operation.js';
import type { DocumentedRoute, Survey } from './survey.js';

export interface Property {
  name: string;
  schema: JsonSchema;
  isReadable: boolean;
  isWriteable: boolean;
  isRequired: boolean;
}

/** Shown members first, then write-only ones. */
export function propertiesOf(resource: Resource, routes: readonly DocumentedRoute[]): Property[] {
  const own = [...operationsOn(resource.path, routes), ...operationsOn(itemPath(resource), routes)];
  const bodies = own.flatMap(({ method, operation }) => {
    const body = bodyOf(operation);
    return body ? [{ method, schema: inputSchema(body.schema) }] : [];
  });
  const readable = outputSchema(resource.fields).properties ?? {};
  const writeable: Record<string, JsonSchema> = Object.assign(
    {},
    ...bodies.map(({ schema }) => schema.properties ?? {}),
  );
  const required = bodies.find(({ method }) => method === 'POST')?.schema.required ?? [];
  return Object.entries({ ...readable, ...writeable, ...readable }).map(([name, schema]) => ({
    name,
    schema,
    isReadable: name in readable,
    isWriteable: name in writeable,
    isRequired: required.includes(name),
  }));
}

/** PATCH before PUT, because clients take the first that changes an item. */
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

export function operationsOn(path: string, routes: readonly DocumentedRoute[]): DocumentedRoute[] {
  return routes
    .filter((route) => route.path === path)
    .sort((a, b) => METHODS.indexOf(a.method) - METHODS.indexOf(b.method));
}

export function itemPath({ path }: Resource): string {
  return `${path}/{id}`;
}

/** Those whose collection can be listed; the others are not in the entrypoint. */
export function listedOf({ routes, resources }: Survey): Resource[] {
  return resources.filter(({ path }) =>
    operationsOn(path, routes).some(({ operation }) => operation.returns.isCollection),
  );
}

/** A plain schema means a JSON body. */
export function bodyOf({ takes }: Operation): Body | undefined {
  if (takes === undefined) return undefined;
  return 'schema' in takes && !('_zod' in takes) ? takes : { schema: takes as Body['schema'] };
}

// What Hydra clients read first: the entrypoint, and the contexts that define every member of a body.

const HYDRA = 'http://www.w3.org/ns/hydra/core#';

/** Hydra's own typings, which turn members with paths into links for clients that read RDF. */
const TYPINGS = {
  ...Object.fromEntries(
    ['first', 'last', 'next', 'previous'].map((name) => [`hydra:${name}`, { '@type': '@id' }]),
  ),
  'hydra:variableRepresentation': { '@type': '@vocab' },
  BasicRepresentation: 'hydra:BasicRepresentation',
  IriTemplateMapping: 'hydra:IriTemplateMapping',
  variable: 'hydra:variable',
  required: 'hydra:required',
  property: { '@id': 'hydra:property', '@type': '@vocab' },
};

export function entrypointOf(survey: Survey) {
  return {
    '@context': '/api/contexts/Entrypoint',
    '@id': '/api',
    '@type': 'Entrypoint',
    ...Object.fromEntries(listedOf(survey).map((resource) => [entryName(resource), resource.path])),
  };
}

/** By class name, including errors. */
export function contextsOf({ routes, resources }: Survey, baseUrl: string): Map<string, unknown> {
  const base = { '@vocab': vocabularyOf(baseUrl), hydra: HYDRA, ...TYPINGS };
  const entries = resources.map((resource) => [
    entryName(resource),
    { '@id': `Entrypoint/${entryName(resource)}`, '@type': '@id' },
  ]);
  return new Map<string, unknown>([
    ['Entrypoint', { ...base, ...Object.fromEntries(entries) }],
    ['Error', base],
    ['ConstraintViolationList', base],
    ...resources.map((resource) => [resource.type, { ...base, ...termsOf(resource, routes) }] as const),
  ]);
}

function termsOf(resource: Resource, routes: Survey['routes']) {
  const terms = propertiesOf(resource, routes).map(({ name, schema }) => {
    const id = `${resource.type}/${name}`;
    return [name, 'x-collection' in schema ? { '@id': id, '@type': '@id' } : id];
  });
  return Object.fromEntries(terms);
}

/** Absolute and the same in every document, because clients compare expanded names. */
export function vocabularyOf(baseUrl: string): string {
  return `${baseUrl}/api/docs.jsonld#`;
}

export function entryName({ type }: Resource): string {
  return type.charAt(0).toLowerCase() + type.slice(1);
}
