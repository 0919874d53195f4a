/** The shapes of answers: items, pages of them, errors. */
import { exampleOf, outputSchema, type JsonSchema } from './json-schema.js';
import { REQUEST_ID } from './openapi-headers.js';
import type { Resource } from './operation.js';

const text = (example: string, more: object = {}): JsonSchema => ({
  type: 'string',
  examples: [example],
  ...more,
});
const path = (example: string) => text(example, { format: 'iri-reference' });

/** Every member is required but the optional ones. */
function objectOf(
  properties: Record<string, JsonSchema>,
  { description, optional = [] }: { description?: string; optional?: readonly string[] } = {},
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', ...(description && { description }), properties, required };
}

export function schemasOf(resource: Resource): Record<string, JsonSchema> {
  return {
    [resource.type]: itemSchema(resource),
    [`${resource.type}Collection`]: collectionSchema(resource),
  };
}

/** Items in a collection have no `@context`. */
function itemSchema({ type, about, path: collection, fields }: Resource): JsonSchema {
  const { properties = {}, required = [] } = outputSchema(fields);
  return {
    type: 'object',
    description: about,
    properties: {
      '@context': { const: `/api/contexts/${type}` },
      '@id': path(`${collection}/1`),
      '@type': { const: type },
      ...properties,
    },
    required: ['@id', '@type', ...required],
  };
}

function collectionSchema(resource: Resource): JsonSchema {
  const { '@context': _, ...member } = exampleOf(itemSchema(resource)) as Record<string, unknown>;
  return objectOf(
    {
      '@context': { const: `/api/contexts/${resource.type}` },
      '@id': path(resource.path),
      '@type': { const: 'hydra:Collection' },
      'hydra:totalItems': { type: 'integer', minimum: 0, description: 'On all pages', examples: [1] },
      'hydra:member': {
        type: 'array',
        items: { $ref: `#/components/schemas/${resource.type}` },
        examples: [[member]],
      },
      'hydra:view': { $ref: '#/components/schemas/View', examples: [exampleOf(VIEW)] },
      'hydra:search': { $ref: '#/components/schemas/Search' },
    },
    { optional: ['hydra:search'] },
  );
}

const page = (number: number) => path(`/api/requests?page=${number}`);

const VIEW = objectOf(
  {
    '@id': page(2),
    '@type': { const: 'hydra:PartialCollectionView' },
    'hydra:first': page(1),
    'hydra:last': page(3),
    'hydra:previous': page(1),
    'hydra:next': page(3),
  },
  {
    description: 'Where this page is among the others; a single page is its own first and last',
    optional: ['hydra:previous', 'hydra:next'],
  },
);

const SEARCH = objectOf(
  {
    '@type': { const: 'hydra:IriTemplate' },
    'hydra:template': text('/api/requests{?status}'),
    'hydra:variableRepresentation': { const: 'BasicRepresentation' },
    'hydra:mapping': {
      type: 'array',
      items: objectOf({
        '@type': { const: 'IriTemplateMapping' },
        variable: text('status'),
        property: text('status'),
        required: { type: 'boolean', examples: [false] },
      }),
    },
  },
  { description: 'The filters of the collection' },
);

const ERROR = objectOf(
  {
    '@context': path('/api/contexts/Error'),
    '@type': { enum: ['hydra:Error', 'ConstraintViolationList'] },
    code: { type: 'integer', description: 'The status', examples: [422] },
    message: text('Validation failed'),
    errors: {
      type: 'object',
      description: 'What is wrong, by field',
      additionalProperties: { type: 'string' },
      examples: [{ title: 'This value should not be blank.' }],
    },
    key: text('not_waiting_signature', { description: 'The rule that said no' }),
    type: { const: 'error', description: 'Of a check' },
    params: { type: 'object', additionalProperties: { type: 'string' }, examples: [{}] },
    requestId: text(REQUEST_ID, { description: 'Of a failure of the service' }),
    'hydra:title': text('An error occurred'),
    'hydra:description': text('title: This value should not be blank.'),
    title: text('An error occurred'),
    detail: text('title: This value should not be blank.'),
    status: { type: 'integer', examples: [422] },
    violations: {
      type: 'array',
      items: objectOf({ propertyPath: text('title'), message: text('This value should not be blank.') }),
    },
  },
  {
    description: 'The same said in the words of every kind of client',
    optional: ['key', 'type', 'params', 'requestId'],
  },
);

export const SCHEMAS: Record<string, JsonSchema> = { View: VIEW, Search: SEARCH, Error: ERROR };
