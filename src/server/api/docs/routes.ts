/** /api, its contexts and the API's documents. Public, because clients read them before logging in. */
import { Hono } from 'hono';
import { z } from 'zod';
import { once } from '../../../core/once.js';
import { packageVersion } from '../../../core/installation/version.js';
import { contextsOf, entrypointOf } from './properties.js';
import { hydraClassesOf } from './hydra-classes.js';
import { API_TITLE, documented, type Operation } from './operation.js';
import { openApiOf } from './openapi.js';
import { surveyOf } from './survey.js';
import { HttpError } from '../../http/errors.js';
import { JSON_TYPE } from '../../http/media-types.js';
import { negotiated } from '../middleware.js';
import type { Env, Parts } from '../../parts.js';
import { sendJson } from '../respond.js';
import { html } from 'hono/html';
import { assetFolder } from '../../http/assets.js';

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

// /api/docs: the OpenAPI document as a public page. Everything it loads comes from here.

const PATH = '/api/docs';

const PAGE = documented({
  title: 'Shows the API on a page for people',
  group: 'Documents',
  returns: { status: 200, about: 'The page.', mediaTypes: ['text/html'] },
});
const ASSET = documented({
  title: 'Gives a file that the page loads',
  group: 'Documents',
  inPath: { file: 'page.css' },
  returns: {
    status: 200,
    about: 'The file.',
    mediaTypes: ['text/css', 'text/javascript', 'image/png'],
    hasEtag: true,
  },
});

const FILES = assetFolder(PATH, {
  'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
  'page.css': 'esign/docs.css',
  'swagger-ui.js': 'swagger-ui-dist/swagger-ui-bundle.js',
  'page.js': 'esign/docs.js',
  'icon.png': 'swagger-ui-dist/favicon-32x32.png',
});

/** Swagger UI uses data: images for arrows and nothing else from elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function docsPageRoutes() {
  return new Hono<Env>()
    .get(PATH, PAGE, (c) => {
      c.header('Content-Security-Policy', POLICY);
      c.header('Cache-Control', 'no-cache');
      return c.html(page());
    })
    .get(`${PATH}/:file`, ASSET, (c) => FILES.send(c, c.req.param('file')));
}

function page() {
  const { url } = FILES;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${API_TITLE}</title>
        <link rel="stylesheet" href="${url('swagger-ui.css')}" />
        <link rel="stylesheet" href="${url('page.css')}" />
        <link rel="icon" type="image/png" href="${url('icon.png')}" />
      </head>
      <body>
        <main id="api"></main>
        <noscript
          ><p>
            This page needs JavaScript. The same is in <a href="/api/docs.json">/api/docs.json</a>.
          </p></noscript
        >
        <script src="${url('swagger-ui.js')}"></script>
        <script src="${url('page.js')}"></script>
      </body>
    </html>`;
}
