/** What hydra clients read first: the entrypoint, and the contexts that give every member of a body its meaning. */
import { isListed, propertiesOf } from './properties.js';
import type { Resource } from './operation.js';
import type { Survey } from './survey.js';

const HYDRA = 'http://www.w3.org/ns/hydra/core#';

/** Hydra's own typings, which make links of the members that hold paths; a client that reads RDF follows them. */
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

export function entrypointOf({ routes, resources }: Survey) {
  const listed = resources.filter((resource) => isListed(resource, routes));
  return {
    '@context': '/api/contexts/Entrypoint',
    '@id': '/api',
    '@type': 'Entrypoint',
    ...Object.fromEntries(listed.map((resource) => [entryName(resource), resource.path])),
  };
}

/** By the name of their class; of errors too. */
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
    ...resources.map(
      (resource) => [resource.type, { ...base, ...termsOf(resource, { routes, resources }) }] as const,
    ),
  ]);
}

function termsOf(resource: Resource, { routes }: Survey) {
  const terms = propertiesOf(resource, routes).map(({ name, schema }) => {
    const id = `${resource.type}/${name}`;
    return [name, 'x-collection' in schema ? { '@id': id, '@type': '@id' } : id];
  });
  return Object.fromEntries(terms) as Record<string, unknown>;
}

/** Absolute, and the same in every document: clients compare what they expand with it. */
export function vocabularyOf(baseUrl: string): string {
  return `${baseUrl}/api/docs.jsonld#`;
}

export function entryName({ type }: Resource): string {
  return type.charAt(0).toLowerCase() + type.slice(1);
}
