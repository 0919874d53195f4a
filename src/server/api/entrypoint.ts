/** /api and /api/contexts/*: what a hydra client reads first, without a token (conventions of JSON-LD clients). */
import { Hono } from 'hono';
import { HttpError } from '../errors.js';
import { negotiated } from '../middleware.js';
import type { Env, Parts } from '../parts.js';
import { sendJson } from '../respond.js';
import { RESOURCES, type Resource } from './resources.js';

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

export function entrypointRoutes({ ctx }: Parts) {
  const base = { '@vocab': `${ctx.config.baseUrl}/api/docs.jsonld#`, hydra: HYDRA, ...TYPINGS };
  const contexts = contextsOf(base);
  return new Hono<Env>()
    .get('/api', negotiated(), (c) => sendJson(c, entrypoint()))
    .get('/api/index.jsonld', negotiated(), (c) => sendJson(c, entrypoint()))
    .get('/api/contexts/:name', negotiated(), (c) => {
      const context = contexts.get(c.req.param('name').replace(/\.jsonld$/, ''));
      if (!context) throw new HttpError(404, 'Not Found');
      return sendJson(c, { '@context': context });
    });
}

function entrypoint() {
  const links = RESOURCES.map(({ type, path }): [string, string] => [lowerFirst(type), path]);
  links.sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    '@context': '/api/contexts/Entrypoint',
    '@id': '/api',
    '@type': 'Entrypoint',
    ...Object.fromEntries(links),
  };
}

function contextsOf(base: Record<string, unknown>): Map<string, unknown> {
  const links = RESOURCES.map(({ type }) => [
    lowerFirst(type),
    { '@id': `Entrypoint/${lowerFirst(type)}`, '@type': '@id' },
  ]);
  return new Map<string, unknown>([
    ['Entrypoint', { ...base, ...Object.fromEntries(links) }],
    ['Error', base],
    ['ConstraintViolationList', base],
    ...RESOURCES.map((resource) => [resource.type, { ...base, ...terms(resource) }] as const),
  ]);
}

function terms({ type, fields, relations }: Resource) {
  return Object.fromEntries([
    ...fields.map((name) => [name, `${type}/${name}`]),
    ...relations.map((name) => [name, { '@id': `${type}/${name}`, '@type': '@id' }]),
  ]);
}

function lowerFirst(type: string): string {
  return type.charAt(0).toLowerCase() + type.slice(1);
}
