/** /api/docs: the OpenAPI document as a public page. Everything it loads comes from here. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { assetFolder } from '../../http/assets.js';
import { documented } from './notes.js';
import { API_TITLE } from './words.js';
import type { Env } from '../../parts.js';

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
