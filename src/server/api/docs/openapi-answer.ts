/** The success of an operation in OpenAPI: its media types, shape, example and headers. */
import { JSON_TYPE } from '../../http/media-types.js';
import { exampleOf, outputSchema, type JsonSchema } from './json-schema.js';
import type { Note } from './notes.js';
import { headerRefs, type HeaderName } from './openapi-headers.js';
import { schemasOf } from './openapi-schemas.js';
import type { Answer } from './operation.js';
import type { DocumentedRoute } from './survey.js';

type Place = Pick<DocumentedRoute, 'path' | 'steps'>;

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

export function hasEtag(answer: Answer, steps: readonly Note[]): boolean {
  return answer.status !== 204 && (answer.hasEtag === true || offersOf(steps) !== undefined);
}

function offersOf(steps: readonly Note[]): readonly string[] | undefined {
  return steps.findLast(({ offers }) => offers)?.offers;
}
