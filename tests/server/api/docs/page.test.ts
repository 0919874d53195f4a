/** /api/docs: a page for people that loads nothing from anywhere else. */
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startApi } from '../../support.js';

test('the page is open to everybody, may load only from here, and names nobody', async () => {
  const { call } = startApi();

  const { status, headers, text } = await call('GET', '/api/docs');

  expect(status).toBe(200);
  expect(headers.get('Content-Type')).toBe('text/html; charset=UTF-8');
  expect(headers.get('Content-Security-Policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(text).not.toMatch(/https?:|@example|<script>|style=/);
});

test('each file that it names has its type, its compressed form, and is kept by browsers for good', async () => {
  const { call } = startApi();
  const { text } = await call('GET', '/api/docs');
  const files = [...text.matchAll(/(?:href|src)="(\/api\/docs\/[^"]+)"/g)].map(([, path]) => path as string);

  const answers = await Promise.all(files.map((file) => call('GET', file)));

  expect(answers.map(({ headers }) => headers.get('Content-Type'))).toEqual([
    'text/css; charset=utf-8',
    'text/css; charset=utf-8',
    'image/png',
    'text/javascript; charset=utf-8',
    'text/javascript; charset=utf-8',
  ]);
  for (const { status, headers } of answers) {
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  }
});

test('a file without its current digest in the address is asked for again, and spared when unchanged', async () => {
  const { app, call } = startApi();

  const plain = await call('GET', '/api/docs/page.js?v=old');
  const known = await call('GET', '/api/docs/page.js', {
    headers: { 'If-None-Match': plain.headers.get('ETag') ?? '' },
  });
  const gzipped = await app.request('/api/docs/page.js', {
    headers: { 'Accept-Encoding': 'br;q=0.9, gzip' },
  });
  const refused = await app.request('/api/docs/page.js', { headers: { 'Accept-Encoding': 'gzip;q=0' } });

  expect(plain.headers.get('Cache-Control')).toBe('no-cache');
  expect([known.status, known.text]).toEqual([304, '']);
  expect(gzipped.headers.get('Content-Encoding')).toBe('gzip');
  expect(gunzipSync(Buffer.from(await gzipped.arrayBuffer())).toString()).toBe(plain.text);
  expect(refused.headers.get('Content-Encoding')).toBeNull();
});

test('no other file is given', async () => {
  const { call } = startApi();
  for (const file of [
    'package.json',
    'swagger-ui-bundle.js.map',
    '../package.json',
    '..%2f..%2fpackage.json',
    '%2e%2e%2fpackage.json',
    '..%5cpackage.json',
    'page.js%00',
    'page.js//',
    '__proto__',
    'constructor',
  ]) {
    const { status, json } = await call('GET', `/api/docs/${file}`);
    expect([file, status, json['code']]).toEqual([file, 404, 404]);
  }
});
