/** The success of an operation in OpenAPI: its media types, shape, example and headers. */
import { JSON_TYPE } from '../media-types.js';
import { exampleOf, outputSchema, type JsonSchema } from './json-schema.js';
import type { Note } from './notes.js';
import { headerRefs, type HeaderName } from './openapi-headers.js';
import { schemasOf } from './openapi-schemas.js';
import type { Answer, Resource } from './operation.js';

interface Place {
  path: string;
  steps: readonly Note[];
}

/** What an operation answers when it does what was asked. */
export function success(answer: Answer, place: Place) {
  const content = contentOf(answer, place);
  return {
    description: answer.about,
    headers: headerRefs(headersOf(answer, place)),
    ...(content && { content }),
  };
}

function contentOf(answer: Answer, { steps }: Place) {
  if (answer.status === 204) return undefined;
  const types = answer.mediaTypes ?? offersOf(steps) ?? (answer.schema ? [JSON_TYPE] : []);
  if (types.length === 0) return undefined;
  const { schema, example } = shapeOf(answer);
  const content = { schema, ...(example !== undefined && { example }) };
  return Object.fromEntries(types.map((type) => [type, content]));
}

function shapeOf({ resource, isCollection, schema }: Answer): { schema: JsonSchema; example?: unknown } {
  if (resource) {
    const name = isCollection ? `${resource.type}Collection` : resource.type;
    return {
      schema: { $ref: `#/components/schemas/${name}` },
      example: exampleOf(schemaNamed(resource, name)),
    };
  }
  const json = schema ? outputSchema(schema) : { type: 'string', format: 'binary' };
  return { schema: json, example: exampleOf(json) };
}

function schemaNamed(resource: Resource, name: string): JsonSchema {
  return schemasOf(resource)[name] ?? {};
}

function headersOf(answer: Answer, { path, steps }: Place): HeaderName[] {
  const isOfApi = path.startsWith('/api');
  return [
    'X-Request-Id',
    ...(isOfApi ? (['Link'] as const) : []),
    ...steps.flatMap(({ tells = [] }) => tells),
    ...(answer.status === 201 || answer.status === 202 ? (['Location'] as const) : []),
    ...(answer.resource && !answer.isCollection && answer.status !== 204
      ? (['Content-Location'] as const)
      : []),
    ...(hasEtag(answer, steps) ? (['ETag'] as const) : []),
    ...(answer.mediaTypes?.includes('application/pdf') ? (['Content-Disposition'] as const) : []),
  ];
}

export function hasEtag(answer: Answer, steps: readonly Note[]): boolean {
  return answer.status !== 204 && (answer.hasEtag === true || offersOf(steps) !== undefined);
}

function offersOf(steps: readonly Note[]): readonly string[] | undefined {
  return steps.findLast(({ offers }) => offers)?.offers;
}
