/** The headers of every answer: who may read it from another site (CORS), and what browsers may do with it. */
import { describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../support.js';

const LISTED = 'https://app.example.org';

function preflight(app: TestApi, Origin: string, path = '/api/requests') {
  const headers = {
    Origin,
    'Access-Control-Request-Method': 'PATCH',
    'Access-Control-Request-Headers': 'authorization,content-type',
  };
  return app.call('OPTIONS', path, { headers });
}

function corsHeaders(headers: Headers): string[] {
  return [...headers.keys()].filter((name) => name.startsWith('access-control-'));
}

function varies(headers: Headers): string[] {
  return (headers.get('Vary') ?? '').split(', ');
}

const READ_BY_CLIENTS =
  'Link Location Content-Location Content-Disposition ETag Accept-Patch Allow Idempotent-Replayed ' +
  'WWW-Authenticate Retry-After RateLimit RateLimit-Policy X-RateLimit-Limit X-RateLimit-Remaining ' +
  'X-RateLimit-Retry-After X-Request-Id';

describe('CORS', () => {
  test('is off unless origins are listed', async () => {
    const app = startApi();

    const { headers } = await app.call('GET', '/api', { headers: { Origin: LISTED } });
    expect(corsHeaders(headers)).toEqual([]);
    expect(varies(headers)).not.toContain('Origin');
    expect((await preflight(app, LISTED)).status).toBe(405);
  });

  test('lets a listed origin ask first, without cookies, also at the versioned address', async () => {
    const app = startApi({ corsOrigins: [LISTED] });
    for (const path of ['/api/requests', '/api/v1/requests/1']) {
      const { status, headers, text } = await preflight(app, LISTED, path);

      expect([status, text]).toEqual([204, '']);
      expect(headers.get('Access-Control-Allow-Origin')).toBe(LISTED);
      expect(headers.get('Access-Control-Allow-Methods')).toBe('GET,HEAD,POST,PUT,PATCH,DELETE');
      expect(headers.get('Access-Control-Allow-Headers')).toBe(
        'Content-Type,Authorization,If-None-Match,If-Match,Idempotency-Key,X-Request-Id',
      );
      expect(headers.get('Access-Control-Max-Age')).toBe('3600');
      expect(headers.has('Access-Control-Allow-Credentials')).toBe(false);
      expect(varies(headers)).toContain('Origin');
    }
  });

  test('shows a listed origin the answer and the headers that clients read', async () => {
    const app = startApi({ corsOrigins: ['https://other.example.org', LISTED], rateLimitIp: 60 });

    const { status, headers } = await app.call('GET', '/api/v1', { headers: { Origin: LISTED } });

    expect(status).toBe(200);
    expect(headers.get('Access-Control-Allow-Origin')).toBe(LISTED);
    expect(headers.has('Access-Control-Allow-Credentials')).toBe(false);
    expect(varies(headers)).toEqual(['Accept', 'Origin']);
    const exposed = (headers.get('Access-Control-Expose-Headers') ?? '').split(',');
    const document = (await app.call('GET', '/api/docs.json')).json;
    expect(exposed).toEqual(Object.keys(document['components']?.['headers'] ?? {}));
    expect(exposed).toEqual(expect.arrayContaining(READ_BY_CLIENTS.split(' ')));
    expect(headers.get('RateLimit')).toBe('"ip";r=59;t=60');
    expect(headers.get('Link')).toContain('apiDocumentation');
  });

  test('gives an origin that is not listed no header, however like it is', async () => {
    const app = startApi({ corsOrigins: [LISTED] });
    for (const Origin of [
      'https://evil.example.org',
      'https://app.example.org.evil.test',
      'http://app.example.org',
      'https://app.example.org:8443',
      'HTTPS://APP.EXAMPLE.ORG',
      'null',
    ]) {
      const answer = await app.call('GET', '/api', { headers: { Origin } });
      expect([Origin, answer.status, corsHeaders(answer.headers)]).toEqual([Origin, 200, []]);
      expect(varies(answer.headers)).toContain('Origin');
      const asked = await preflight(app, Origin);
      expect([Origin, asked.status, corsHeaders(asked.headers)]).toEqual([Origin, 405, []]);
    }
  });

  test('lets refusals be read too, the one for too many calls among them', async () => {
    const app = startApi({ corsOrigins: [LISTED], rateLimitIp: 1 });
    for (const status of [401, 429]) {
      const answer = await app.call('GET', '/api/requests', { headers: { Origin: LISTED } });
      expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([status, LISTED]);
    }
  });

  test('takes nothing of the limit for a preflight, which works when it is used up', async () => {
    const app = startApi({ corsOrigins: [LISTED], rateLimitIp: 1 });
    for (let i = 0; i < 5; i += 1) expect((await preflight(app, LISTED)).status).toBe(204);
    for (const status of [200, 429]) expect((await app.call('GET', '/api')).status).toBe(status);

    expect((await preflight(app, LISTED)).status).toBe(204);
    // No preflight, and no listed origin: counted like every call.
    expect((await app.call('OPTIONS', '/api', { headers: { Origin: LISTED } })).status).toBe(429);
    expect((await preflight(app, 'https://evil.example.org')).status).toBe(429);
  });

  test('is for the API alone', async () => {
    const app = startApi({ corsOrigins: [LISTED] });
    for (const path of ['/healthz', '/paid', '/check_signature/request/1', '/webhook/contract-signed'])
      for (const { headers } of [
        await app.call('GET', path, { headers: { Origin: LISTED } }),
        await preflight(app, LISTED, path),
      ])
        expect([path, corsHeaders(headers)]).toEqual([path, []]);
  });
});

describe('security headers', () => {
  test('stand on every answer', async () => {
    const { call } = startApi();
    for (const path of '/api /api/requests /api/nothing /healthz /readyz /paid /nothing'.split(' ')) {
      const { headers } = await call('GET', path);
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('X-Frame-Options')).toBe('deny');
      expect(headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
      expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000');
      expect(headers.get('Cache-Control')).toBe(path === '/api' ? 'no-cache, private' : 'no-store');
      expect(headers.get('X-Request-Id')).toBeTruthy();
    }
  });

  test('promise https only where customers use it', async () => {
    const app = startApi({ baseUrl: 'http://127.0.0.1:8080' });
    expect((await app.call('GET', '/api')).headers.has('Strict-Transport-Security')).toBe(false);
  });
});
