/** /api/docs: the OpenAPI document as a public page. Everything it loads comes from here. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { assetUrl, packageAsset, sendAsset, textAsset } from '../assets.js';
import { documented } from '../docs/notes.js';
import { API_TITLE } from '../docs/words.js';
import { HttpError } from '../errors.js';
import type { Env } from '../parts.js';

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

const START = `
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
SwaggerUIBundle({
  url: '/api/docs.json',
  dom_id: '#api',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  validatorUrl: null,
});
`;

const STYLE = `
body { margin: 0; }
noscript p { margin: 2rem; font-family: sans-serif; }
`;

/** The only files served. */
const ASSETS = new Map([
  ['swagger-ui.css', packageAsset('swagger-ui-dist/swagger-ui.css', 'text/css; charset=utf-8')],
  ['page.css', textAsset(STYLE, 'text/css; charset=utf-8')],
  ['swagger-ui.js', packageAsset('swagger-ui-dist/swagger-ui-bundle.js', 'text/javascript; charset=utf-8')],
  ['page.js', textAsset(START, 'text/javascript; charset=utf-8')],
  ['icon.png', packageAsset('swagger-ui-dist/favicon-32x32.png', 'image/png')],
]);

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
    .get(PATH, PAGE, async (c) => {
      c.header('Content-Security-Policy', POLICY);
      c.header('Cache-Control', 'no-cache');
      return c.html(page(await urls()));
    })
    .get(`${PATH}/:file`, ASSET, (c) => {
      const asset = ASSETS.get(c.req.param('file'));
      if (!asset) throw new HttpError(404, 'Not Found');
      return sendAsset(c, asset);
    });
}

async function urls(): Promise<Map<string, string>> {
  const pairs = [...ASSETS].map(
    async ([name, asset]) => [name, await assetUrl(`${PATH}/${name}`, asset)] as const,
  );
  return new Map(await Promise.all(pairs));
}

function page(url: Map<string, string>) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${API_TITLE}</title>
        <link rel="stylesheet" href="${url.get('swagger-ui.css')}" />
        <link rel="stylesheet" href="${url.get('page.css')}" />
        <link rel="icon" type="image/png" href="${url.get('icon.png')}" />
      </head>
      <body>
        <main id="api"></main>
        <noscript
          ><p>
            This page needs JavaScript. The same is in <a href="/api/docs.json">/api/docs.json</a>.
          </p></noscript
        >
        <script src="${url.get('swagger-ui.js')}"></script>
        <script src="${url.get('page.js')}"></script>
      </body>
    </html>`;
}
