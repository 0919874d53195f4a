/** One operation in OpenAPI: what its route file says of it, and what the steps of its route add. */
import { JSON_TYPE } from '../media-types.js';
import { exampleOf, inputSchema, outputSchema, type JsonSchema } from './json-schema.js';
import type { Note } from './notes.js';
import { headerRefs, type HeaderName } from './openapi-headers.js';
import { headerParameters, pathParameters, queryParameters } from './openapi-parameters.js';
import { refusalRefs } from './openapi-refusals.js';
import type { Answer, Body, Operation, Refusal, Resource } from './operation.js';
import { bodyOf } from './properties.js';
import { schemasOf } from './openapi-schemas.js';
import type { DocumentedRoute } from './survey.js';

export function operationObject({ method, path, operation, steps }: DocumentedRoute) {
  const { title, about, group, isForAdministrators, returns } = operation;
  const body = bodyOf(operation);
  const description = [about, isForAdministrators && 'For administrators.'].filter(Boolean).join('\n\n');
  const parameters = [
    ...pathParameters(path, operation),
    ...queryParameters(returns),
    ...headerParameters(operation, steps),
  ];
  return {
    operationId: operationId(method, path),
    tags: [group ?? returns.resource?.type ?? 'Service'],
    summary: title,
    ...(description && { description }),
    security: steps.some(({ isSecured }) => isSecured) ? [{ bearer: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(body, steps) }),
    responses: {
      [returns.status]: success(returns, { method, path, steps }),
      ...(method === 'GET' &&
        offersOf(steps) && { 304: { description: 'What the caller has is still so.' } }),
      ...refusalRefs(refusalsOf(path, operation, steps)),
      ...bareAnswers(operation),
    },
  };
}

/** `getRequestsById`. */
function operationId(method: string, path: string): string {
  const words = path
    .replace(/^\/api(?=\/.)/, '')
    .replaceAll('{', 'by/')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function requestBody({ schema, mediaTypes, isOptional = false }: Body, steps: readonly Note[]) {
  const json = inputSchema(schema);
  const example = exampleOf(json);
  const isBinary = mediaTypes?.every((type) => type.startsWith('multipart/'));
  const content = { schema: json, ...(example !== undefined && !isBinary && { example }) };
  const types = mediaTypes ?? steps.findLast(({ consumes }) => consumes)?.consumes ?? [JSON_TYPE];
  return { required: !isOptional, content: Object.fromEntries(types.map((type) => [type, content])) };
}

const BODY_REFUSALS: readonly Refusal[] = [400, 413, 415, 422];

function refusalsOf(path: string, operation: Operation, steps: readonly Note[]): Refusal[] {
  const body = bodyOf(operation);
  return [
    ...steps.flatMap(({ refuses = [] }) => refuses),
    ...(operation.returns.isCollection ? [400 as const] : []),
    ...(operation.isForAdministrators ? [403 as const] : []),
    ...(path.includes('{') ? [404 as const] : []),
    ...(body ? (body.refuses ?? BODY_REFUSALS) : []),
    ...(operation.refuses ?? []),
  ];
}

function bareAnswers({ bare = {} }: Operation) {
  return Object.fromEntries(Object.entries(bare).map(([status, description]) => [status, { description }]));
}

interface Place {
  method: string;
  path: string;
  steps: readonly Note[];
}

function success(answer: Answer, place: Place) {
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

function headersOf(answer: Answer, { method, path, steps }: Place): HeaderName[] {
  const isOfApi = path.startsWith('/api');
  return [
    'X-Request-Id',
    ...(isOfApi ? (['Link'] as const) : []),
    ...steps.flatMap(({ tells = [] }) => tells),
    ...(answer.status === 201 ? (['Location'] as const) : []),
    ...(answer.resource && !answer.isCollection && answer.status !== 204
      ? (['Content-Location'] as const)
      : []),
    ...(method === 'GET' && offersOf(steps) ? (['ETag'] as const) : []),
    ...(answer.mediaTypes?.includes('application/pdf') ? (['Content-Disposition'] as const) : []),
  ];
}

function offersOf(steps: readonly Note[]): readonly string[] | undefined {
  return steps.findLast(({ offers }) => offers)?.offers;
}
