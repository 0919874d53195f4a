import { describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../support.js';

const LISTED = 'https://app.example.org';

function preflight(app: TestApi, origin: string, path = '/api/requests') {
  const headers = {
    Origin: origin,
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

const READ_BY_CLIENTS = [
  'Link',
  'Location',
  'Content-Location',
  'Content-Disposition',
  'ETag',
  'Accept-Patch',
  'Allow',
  'Idempotent-Replayed',
  'WWW-Authenticate',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Retry-After',
  'X-Request-Id',
];

describe('CORS', () => {
  test('is off unless origins are listed', async () => {
    const app = startApi();

    const { headers } = await app.call('GET', '/api', { headers: { Origin: LISTED } });
    expect(corsHeaders(headers)).toEqual([]);
    expect(varies(headers)).not.toContain('Origin');
    expect((await preflight(app, LISTED)).status).toBe(405);
  });

  test('lets a listed origin ask first, without cookies', async () => {
    const { status, headers, text } = await preflight(startApi({ corsOrigins: [LISTED] }), LISTED);

    expect(status).toBe(204);
    expect(text).toBe('');
    expect(headers.get('Access-Control-Allow-Origin')).toBe(LISTED);
    expect(headers.get('Access-Control-Allow-Methods')).toBe('GET,HEAD,POST,PUT,PATCH,DELETE');
    expect(headers.get('Access-Control-Allow-Headers')).toBe(
      'Content-Type,Authorization,If-None-Match,If-Match,Idempotency-Key,X-Request-Id',
    );
    expect(headers.get('Access-Control-Max-Age')).toBe('3600');
    expect(headers.has('Access-Control-Allow-Credentials')).toBe(false);
    expect(varies(headers)).toContain('Origin');
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
    expect(exposed).toEqual(expect.arrayContaining(READ_BY_CLIENTS));
    expect(headers.get('RateLimit')).toBe('"ip";r=59;t=60');
    expect(headers.get('Link')).toContain('apiDocumentation');
  });

  test.each([
    'https://evil.example.org',
    'https://app.example.org.evil.test',
    'http://app.example.org',
    'https://app.example.org:8443',
    'HTTPS://APP.EXAMPLE.ORG',
    'null',
  ])('gives %s, which is not listed, no header', async (origin) => {
    const app = startApi({ corsOrigins: [LISTED] });

    const answer = await app.call('GET', '/api', { headers: { Origin: origin } });
    expect(answer.status).toBe(200);
    expect(corsHeaders(answer.headers)).toEqual([]);
    expect(varies(answer.headers)).toContain('Origin');

    const asked = await preflight(app, origin);
    expect(asked.status).toBe(405);
    expect(corsHeaders(asked.headers)).toEqual([]);
  });

  test('refusals are readable too, the one for too many calls among them', async () => {
    const app = startApi({ corsOrigins: [LISTED], rateLimitIp: 1 });
    const call = () => app.call('GET', '/api/requests', { headers: { Origin: LISTED } });

    for (const status of [401, 429]) {
      const answer = await call();
      expect(answer.status).toBe(status);
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(LISTED);
    }
  });

  test.each([
    'If-Match',
    'If-None-Match',
    'Idempotency-Key',
    'Authorization',
    'Content-Type',
    'X-Request-Id',
  ])('a page may send %s, also to the versioned address', async (name) => {
    const app = startApi({ corsOrigins: [LISTED] });
    for (const path of ['/api/requests/1', '/api/v1/requests/1']) {
      const asked = {
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': name.toLowerCase(),
      };
      const { status, headers } = await app.call('OPTIONS', path, { headers: { Origin: LISTED, ...asked } });
      expect(status).toBe(204);
      expect(headers.get('Access-Control-Allow-Headers')?.split(',')).toContain(name);
    }
  });

  test('a preflight takes nothing of the limit, and works when it is used up', async () => {
    const app = startApi({ corsOrigins: [LISTED], rateLimitIp: 1 });
    for (let i = 0; i < 5; i += 1) expect((await preflight(app, LISTED)).status).toBe(204);
    expect((await app.call('GET', '/api')).status).toBe(200);
    expect((await app.call('GET', '/api')).status).toBe(429);

    expect((await preflight(app, LISTED)).status).toBe(204);
    // No preflight, and no listed origin: counted like every call.
    expect((await app.call('OPTIONS', '/api', { headers: { Origin: LISTED } })).status).toBe(429);
    expect((await preflight(app, 'https://evil.example.org')).status).toBe(429);
  });

  test.each(['/healthz', '/paid', '/check_signature/request/1', '/webhook/contract-signed'])(
    'is for the API alone, not for %s',
    async (path) => {
      const app = startApi({ corsOrigins: [LISTED] });
      const { headers } = await app.call('GET', path, { headers: { Origin: LISTED } });
      expect(corsHeaders(headers)).toEqual([]);
      expect(corsHeaders((await preflight(app, LISTED, path)).headers)).toEqual([]);
    },
  );
});

describe('security headers', () => {
  test.each(['/api', '/api/requests', '/api/nothing', '/healthz', '/readyz', '/paid', '/nothing'])(
    'stand on the answer of %s',
    async (path) => {
      const { headers } = await startApi().call('GET', path);

      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('X-Frame-Options')).toBe('deny');
      expect(headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
      expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000');
      expect(headers.get('Cache-Control')).toMatch(path === '/api' ? /^no-cache, private$/ : /^no-store$/);
      expect(headers.get('X-Request-Id')).toBeTruthy();
    },
  );

  test('tokens are kept by no cache', async () => {
    const app = startApi();
    await app.addUser('anna@example.org');
    const body = { username: 'anna@example.org', password: 'a good pass phrase' };
    const login = await app.call('POST', '/api/login_check', { body });
    const refreshed = await app.call('POST', '/api/token/refresh', {
      body: { refresh_token: login.json['refresh_token'] },
    });

    for (const { status, headers } of [login, refreshed]) {
      expect(status).toBe(200);
      expect(headers.get('Cache-Control')).toBe('no-store');
    }
  });

  test('https is only promised where customers use it', async () => {
    const app = startApi({ baseUrl: 'http://127.0.0.1:8080' });
    expect((await app.call('GET', '/api')).headers.has('Strict-Transport-Security')).toBe(false);
  });
});
