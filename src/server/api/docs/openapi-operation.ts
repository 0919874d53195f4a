/** One operation in OpenAPI, from its route file and the notes of its steps. */
import { JSON_TYPE } from '../../http/media-types.js';
import { exampleOf, inputSchema } from './json-schema.js';
import type { Note } from './notes.js';
import { hasEtag, success } from './openapi-answer.js';
import { headerParameters, pathParameters, queryParameters } from './openapi-parameters.js';
import { ANY_OTHER, refusalRefs } from './openapi-refusals.js';
import type { Body, Operation, Refusal } from './operation.js';
import { bodyOf } from './properties.js';
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
      [returns.status]: success(returns, { path, steps }),
      ...(method === 'GET' &&
        hasEtag(returns, steps) && {
          304: { description: 'What the caller has is still so.' },
        }),
      ...refusalRefs(refusalsOf(path, operation, steps)),
      ...bareAnswers(operation),
      ...pageAnswers(operation),
      ...(isOurs(path) && { default: ANY_OTHER }),
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
  const some = (refusal: Refusal, isPossible: boolean | undefined) => (isPossible ? [refusal] : []);
  return [
    ...steps.flatMap(({ refuses = [] }) => refuses),
    ...some(400, operation.returns.isCollection),
    ...some(403, operation.isForAdministrators),
    ...some(404, path.includes('{')),
    ...(body ? (body.refuses ?? BODY_REFUSALS) : []),
    ...(operation.refuses ?? []),
  ];
}

function bareAnswers({ bare = {} }: Operation) {
  return Object.fromEntries(Object.entries(bare).map(([status, description]) => [status, { description }]));
}

function pageAnswers({ pages = {} }: Operation) {
  const content = { 'text/html': { schema: { type: 'string' } } };
  return Object.fromEntries(
    Object.entries(pages).map(([status, description]) => [status, { description, content }]),
  );
}

/** Providers and monitoring read only the status of an answer. */
function isOurs(path: string): boolean {
  return path.startsWith('/api') || path.startsWith('/check_signature/');
}
