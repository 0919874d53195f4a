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
