/** /api, its contexts and the API's documents. Public, because clients read them before logging in. */
import { Hono } from 'hono';
import { z } from 'zod';
import { once } from '../../../core/once.js';
import { packageVersion } from '../../../core/installation/version.js';
import { contextsOf, entrypointOf } from './contexts.js';
import { hydraClassesOf } from './hydra-classes.js';
import { documented } from './notes.js';
import { openApiOf } from './openapi.js';
import type { Operation } from './operation.js';
import { surveyOf } from './survey.js';
import { HttpError } from '../../http/errors.js';
import { JSON_TYPE } from '../../http/media-types.js';
import { negotiated } from '../middleware.js';
import type { Env, Parts } from '../../parts.js';
import { sendJson } from '../respond.js';

/** `app` has all its routes when the first call comes. */
export function docsRoutes({ ctx }: Parts, app: Hono<Env>) {
  const documents = once(() => documentsOf(app, ctx.config.baseUrl));
  return new Hono<Env>()
    .get('/api', documented(ENTRYPOINT), negotiated(), (c) => sendJson(c, documents().entrypoint))
    .get('/api/index.jsonld', documented(ENTRYPOINT), negotiated(), (c) =>
      sendJson(c, documents().entrypoint),
    )
    .get('/api/contexts/:name', documented(CONTEXT), negotiated(), (c) => {
      const context = documents().contexts.get(c.req.param('name').replace(/\.jsonld$/, ''));
      if (!context) throw new HttpError(404, 'Not Found');
      return sendJson(c, { '@context': context });
    })
    .get('/api/docs.jsonld', documented(CLASSES), negotiated(), (c) => sendJson(c, documents().classes))
    .get('/api/docs.json', documented(OPENAPI), negotiated(OPENAPI_TYPES), (c) =>
      sendJson(c, documents().openApi),
    );
}

const OPENAPI_TYPES = [JSON_TYPE, 'application/vnd.oai.openapi+json'];

function documentsOf(app: Hono<Env>, baseUrl: string) {
  const survey = surveyOf(app);
  return {
    entrypoint: entrypointOf(survey),
    contexts: contextsOf(survey, baseUrl),
    classes: hydraClassesOf(survey, baseUrl),
    openApi: openApiOf(survey, { baseUrl, version: packageVersion() }),
  };
}

function document(title: string, about: string, example: object): Operation {
  const schema = z.looseObject({}).meta({ examples: [example] });
  return { title, group: 'Documents', returns: { status: 200, about, schema } };
}

const ENTRYPOINT = document('Names every collection', 'The path of each collection.', {
  '@context': '/api/contexts/Entrypoint',
  '@id': '/api',
  '@type': 'Entrypoint',
  request: '/api/requests',
});
const CONTEXT: Operation = {
  ...document('Gives the members of a class their meaning', 'A JSON-LD context.', {
    '@context': { title: 'Request/title' },
  }),
  inPath: { name: 'Request' },
};
const CLASSES = document('Describes the API for hydra clients', 'Its classes, properties and operations.', {
  '@id': '/api/docs.jsonld',
  '@type': 'hydra:ApiDocumentation',
});
const OPENAPI = document('Describes the API as OpenAPI 3.1', 'This document.', { openapi: '3.1.1' });
