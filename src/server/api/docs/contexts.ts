/** What Hydra clients read first: the entrypoint, and the contexts that define every member of a body. */
import { listedOf, propertiesOf } from './properties.js';
import type { Resource } from './operation.js';
import type { Survey } from './survey.js';

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
