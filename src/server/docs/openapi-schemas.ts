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

export function schemasOf(resource: Resource): Record<string, JsonSchema> {
  return {
    [resource.type]: itemSchema(resource),
    [`${resource.type}Collection`]: collectionSchema(resource),
  };
}

/** In a collection an item has no context of its own. */
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
  return {
    type: 'object',
    properties: {
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
    required: ['@context', '@id', '@type', 'hydra:totalItems', 'hydra:member', 'hydra:view'],
  };
}

const page = (number: number) => path(`/api/requests?page=${number}`);

const VIEW: JsonSchema = {
  type: 'object',
  description: 'Where this page is among the others; a single page is its own first and last',
  properties: {
    '@id': page(2),
    '@type': { const: 'hydra:PartialCollectionView' },
    'hydra:first': page(1),
    'hydra:last': page(3),
    'hydra:previous': page(1),
    'hydra:next': page(3),
  },
  required: ['@id', '@type', 'hydra:first', 'hydra:last'],
};

const SEARCH: JsonSchema = {
  type: 'object',
  description: 'The filters of the collection',
  properties: {
    '@type': { const: 'hydra:IriTemplate' },
    'hydra:template': text('/api/requests{?status}'),
    'hydra:variableRepresentation': { const: 'BasicRepresentation' },
    'hydra:mapping': {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          '@type': { const: 'IriTemplateMapping' },
          variable: text('status'),
          property: text('status'),
          required: { type: 'boolean', examples: [false] },
        },
        required: ['@type', 'variable', 'property', 'required'],
      },
    },
  },
  required: ['@type', 'hydra:template', 'hydra:variableRepresentation', 'hydra:mapping'],
};

const ERROR: JsonSchema = {
  type: 'object',
  description: 'The same said in the words of every kind of client',
  properties: {
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
      items: {
        type: 'object',
        properties: { propertyPath: text('title'), message: text('This value should not be blank.') },
        required: ['propertyPath', 'message'],
      },
    },
  },
  required: [
    '@context',
    '@type',
    'code',
    'message',
    'errors',
    'hydra:title',
    'hydra:description',
    'title',
    'detail',
    'status',
    'violations',
  ],
};

export const SCHEMAS: Record<string, JsonSchema> = { View: VIEW, Search: SEARCH, Error: ERROR };
