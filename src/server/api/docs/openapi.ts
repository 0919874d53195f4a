/** /api/docs.json: the whole API as OpenAPI 3.1, whose schemas are JSON Schema as zod writes it. */
import { type JsonSchema, exampleOf, inputSchema, outputSchema } from './json-schema.js';
import { HEADERS, headerRefs, type HeaderName } from './openapi-headers.js';
import { PAGE_PARAMETERS, headerParameters, pathParameters, queryParameters } from './openapi-parameters.js';
import { REFUSALS, ANY_OTHER, refusalRefs } from './openapi-refusals.js';
import { SCHEMAS, schemasOf } from './openapi-schemas.js';
import type { DocumentedRoute, Survey } from './survey.js';
import { JSON_TYPE } from '../../http/media-types.js';
import {
  API_ABOUT,
  API_TITLE,
  type Note,
  type Body,
  type Operation,
  type Refusal,
  type Answer,
} from './operation.js';
import { bodyOf } from './properties.js';

export function openApiOf({ routes, resources }: Survey, { baseUrl, version }: Api) {
  return {
    openapi: '3.1.1',
    info: { title: API_TITLE, version, description: API_ABOUT },
    servers: [{ url: baseUrl }],
    tags: tagsOf({ routes, resources }),
    paths: pathsOf(routes),
    components: {
      schemas: { ...Object.assign({}, ...resources.map((each) => schemasOf(each))), ...SCHEMAS } as Schemas,
      responses: REFUSALS,
      parameters: PAGE_PARAMETERS,
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

interface Api {
  baseUrl: string;
  version: string;
}

type Schemas = Record<string, JsonSchema>;

/** Comes first; then the resources in alphabetical order, then everything else. */
const FIRST = 'Log-in';

function tagsOf({ routes, resources }: Survey) {
  const groups = new Set(routes.flatMap(({ operation }) => operation.group ?? []));
  const others = [...groups].filter((name) => name !== FIRST && resources.every(({ type }) => type !== name));
  return [
    { name: FIRST },
    ...resources.map(({ type, about }) => ({ name: type, description: about })),
    ...others.map((name) => ({ name })),
  ];
}

function pathsOf(routes: readonly DocumentedRoute[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationObject(route) };
  }
  return paths;
}

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'From `/api/login_check`; lives one hour.',
  },
};

// One operation in OpenAPI, from its route file and the notes of its steps.

function operationObject({ method, path, operation, steps }: DocumentedRoute) {
  const { title, about, group, isForAdministrators, returns } = operation;
  const body = bodyOf(operation);
  const description = [about, isForAdministrators && 'For administrators.'].filter(Boolean).join('\n\n');
  const parameters = [
    ...pathParameters(path, operation),
    ...queryParameters(operation),
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
          304: { description: 'What the caller has is still current.' },
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

// The success of an operation in OpenAPI: its media types, shape, example and headers.

type Place = Pick<DocumentedRoute, 'path' | 'steps'>;

/** What an operation answers when it does what was asked. */
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
    const example = exampleOf(schemasOf(resource)[name] ?? {});
    return { schema: { $ref: `#/components/schemas/${name}` }, example };
  }
  const json = schema ? outputSchema(schema) : { type: 'string', format: 'binary' };
  return { schema: json, example: exampleOf(json) };
}

function headersOf(answer: Answer, { path, steps }: Place): HeaderName[] {
  const { status, resource, isCollection, mediaTypes } = answer;
  const some = (name: HeaderName, isSet: boolean | undefined) => (isSet ? [name] : []);
  return [
    'X-Request-Id',
    ...some('Link', path.startsWith('/api')),
    ...steps.flatMap(({ sets = [] }) => sets),
    ...some('Location', status === 201 || status === 202),
    ...some('Content-Location', resource && !isCollection && status !== 204),
    ...some('ETag', hasEtag(answer, steps)),
    ...some('Content-Disposition', mediaTypes?.includes('application/pdf')),
  ];
}

function hasEtag(answer: Answer, steps: readonly Note[]): boolean {
  return answer.status !== 204 && (answer.hasEtag === true || offersOf(steps) !== undefined);
}

function offersOf(steps: readonly Note[]): readonly string[] | undefined {
  return steps.findLast(({ offers }) => offers)?.offers;
}
