/** What only a real socket shows. */
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { listen, type Limits, type Listener } from '../../../src/server/http/listen.js';
import { A4, pdfOf } from '../../support/odd-pdfs.js';
import { aRequest, startApi, type TestApi } from '../support.js';

async function listening(limits: Limits = {}): Promise<TestApi & { listener: Listener; url: string }> {
  const app = startApi();
  const listener = await listen(app.app, { host: '127.0.0.1', port: 0, limits });
  onTestFinished(() => listener.close(100));
  return { ...app, listener, url: `http://127.0.0.1:${listener.port}` };
}

/** Sends pieces without announcing a length; resolves with the answer, which may come before the end. */
function sendChunked(url: string, pieces: number, size: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method: 'POST', headers: { 'Content-Type': 'application/json' } },
      resolve,
    );
    outgoing.on('error', reject);
    for (let i = 0; i < pieces; i += 1) outgoing.write(Buffer.alloc(size, 'x'));
    outgoing.end();
  });
}

/** Everything that comes back for these bytes until the server hangs up. */
function speak(port: number, words: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(words));
    let heard = '';
    socket.on('data', (chunk) => (heard += chunk));
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(heard));
    socket.on('error', reject);
  });
}

test('a body over the limit is 413, whether its length was announced or not; one up to it is read whole', async () => {
  const { listener, url } = await listening();
  for (const [pieces, status] of [
    [5, 413],
    [4, 401],
  ] as const) {
    const answer = await sendChunked(`${url}/webhook/contract-signed`, pieces, 64 * 1024);
    expect(answer.statusCode).toBe(status);
    answer.resume();
  }
  const announced = 'POST /webhook/contract-signed HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n';
  expect(await speak(listener.port, announced)).toMatch(/^HTTP\/1.1 413 /);
});

test('links come from the settings, whatever host a caller names', async () => {
  const { listener } = await listening();

  const heard = await speak(
    listener.port,
    'GET http://evil.test/api HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n',
  );

  expect(heard).toMatch(/^HTTP\/1.1 200 /);
  expect(heard).toContain('<https://contracts.example.org/api/docs.jsonld>');
  expect(heard).not.toContain('evil.test');
});

/** The body of an answer as it came, in the shape of all errors and under the id of its header. */
function errorOf(heard: string): Record<string, unknown> {
  const [head = '', body = ''] = heard.split('\r\n\r\n');
  const headers = new Headers(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(': ') as [string, string]),
  );
  expect(headers.get('Content-Type')).toBe('application/ld+json; charset=utf-8');
  expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get('X-Frame-Options')).toBe('deny');
  expect(headers.get('Content-Length')).toBe(String(body.length));
  return JSON.parse(body) as Record<string, unknown>;
}

test('HTTP/1.0 needs no Host, and gets its answer in one piece', async () => {
  const { listener } = await listening();
  for (const [words, status] of [
    ['GET /healthz HTTP/1.0\r\n\r\n', 200],
    ['HEAD /healthz HTTP/1.0\r\nUser-Agent: balancer\r\n\r\n', 200],
    ['GET /healthz HTTP/1.0\r\nHost: contracts.example.org\r\n\r\n', 200],
    ['GET /api HTTP/1.0\r\n\r\n', 200],
    ['GET /pay/nobody HTTP/1.0\r\n\r\n', 404],
    ['POST /webhook/contract-signed HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}', 401],
  ] as const) {
    const heard = await speak(listener.port, words);
    expect(heard).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(heard).not.toMatch(/^Transfer-Encoding/im);
  }
});

const LAST = 'Connection: close\r\n\r\n';

test('a call that is not well formed is refused before any route, in the shape of all errors', async () => {
  const { listener } = await listening();
  for (const [words, status] of [
    ['GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['nonsense\r\n\r\n', 400],
    [`GET /api HTTP/1.1\r\n${LAST}`, 400],
    [`GET /api HTTP/1.1\r\nHost: x y\r\n${LAST}`, 400],
    [`GET http://[::1 HTTP/1.1\r\nHost: x\r\n${LAST}`, 400],
    [`OPTIONS * HTTP/1.1\r\nHost: x\r\n${LAST}`, 400],
  ] as const) {
    const heard = await speak(listener.port, words);
    expect([words, heard]).toEqual([words, expect.stringMatching(new RegExp(`^HTTP/1.1 ${status} `))]);
    expect(errorOf(heard)).toMatchObject({ code: status, errors: {}, status });
  }
});

/** Everything that comes back for a beginning that goes on with a byte now and then, for ever; for nothing, with nothing. */
function trickle(port: number, begin: string): Promise<string> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const socket = connect(port, '127.0.0.1', () => {
      if (!begin) return;
      socket.write(begin);
      // Not before: on a busy machine the connection takes longer than a byte.
      timer = setInterval(() => socket.write('x'), 20);
    });
    let heard = '';
    socket.on('data', (chunk) => (heard += chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      resolve(heard);
    });
  });
}

test('clients that send headers, a body or nothing at all, byte by byte, are told so and cut off', async () => {
  const { listener, url } = await listening({
    headersTimeout: 150,
    requestTimeout: 300,
    connectionsCheckingInterval: 50,
  });
  const begins = [
    'GET /api HTTP/1.1\r\nHost: x\r\nX-Slow: ',
    'POST /api/login_check HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n',
    '',
  ];

  for (const heard of await Promise.all(begins.map((begin) => trickle(listener.port, begin)))) {
    expect(heard).toMatch(/^HTTP\/1.1 408 /);
    expect(errorOf(heard)).toMatchObject({ code: 408, errors: {} });
  }
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test('a packed body is not unpacked', async () => {
  const { url } = await listening();

  const answer = await fetch(`${url}/api/login_check`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    body: gzipSync(Buffer.alloc(10_000_000, ' ')),
  });

  expect(answer.status).toBe(415);
  expect(answer.headers.get('Accept-Encoding')).toBe('identity');
  expect(await answer.json()).toMatchObject({ message: 'The content-encoding "gzip" is not supported.' });
});

test('an expectation that nobody knows changes nothing', async () => {
  const { listener } = await listening();

  const heard = await speak(listener.port, `GET /api HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\n${LAST}`);

  expect(heard).toMatch(/^HTTP\/1.1 200 /);
  expect(heard.toLowerCase()).toContain('x-request-id: ');
});

test('HEAD has no body and keeps the connection usable', async () => {
  const { listener } = await listening();

  const heard = await speak(
    listener.port,
    'HEAD /api HTTP/1.1\r\nHost: x\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );

  expect(heard.match(/HTTP\/1.1 200 /g)).toHaveLength(2);
  expect(heard.match(/Entrypoint/g)).toBeNull();
  expect(heard).toMatch(/\{"status":"ok"\}$/);
});

test('the PDF that an administrator sends along is the one that goes to the provider', async () => {
  const app = await listening();
  await aRequest(await app.as('anna@example.org'));
  await app.addUser('admin@example.org', { role: 'ROLE_ADMIN' });
  const token = await app.tokenOf('admin@example.org');
  const pdf = Buffer.concat([pdfOf([A4]), Buffer.alloc(2_000_000)]);
  const form = new FormData();
  form.set('file', new File([new Uint8Array(pdf)], 'contract.pdf', { type: 'application/pdf' }));

  const answer = await fetch(`${app.url}/api/requests/1/signature`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: form,
  });

  // No provider listens in this test; the draft that waits for it is what counts.
  expect(answer.status).toBe(503);
  const draft = readFileSync(join(app.ctx.config.dataDir, 'contracts', '1.draft.pdf'));
  expect(draft.equals(pdf)).toBe(true);
  await answer.text();
});

test('closing lets the answer under way finish and does not wait for idle connections', async () => {
  const { app, listener } = await listening();
  let finish = () => {};
  const slow = new Promise<void>((resolve) => (finish = resolve));
  let come = () => {};
  const underWay = new Promise<void>((resolve) => (come = resolve));
  app.get('/slow', async (c) => {
    come();
    await slow;
    return c.text('finished');
  });
  const idle = connect(listener.port, '127.0.0.1');
  onTestFinished(() => void idle.destroy());
  await new Promise((resolve) => idle.once('connect', resolve));
  const answer = fetch(`http://127.0.0.1:${listener.port}/slow`);
  await underWay;

  const closed = listener.close(60_000);
  finish();

  expect(await (await answer).text()).toBe('finished');
  await closed;
});
