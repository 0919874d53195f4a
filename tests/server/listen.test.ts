/** What only a real socket shows. */
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listen, type Listener } from '../../src/server/listen.js';
import { aRequest, startApp, type TestApp } from './support.js';

async function listening(): Promise<TestApp & { listener: Listener; url: string }> {
  const app = startApp();
  const listener = await listen(app.app, { host: '127.0.0.1', port: 0 });
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

test('a body over the limit is 413 also when its length was not announced', async () => {
  const { url } = await listening();

  const answer = await sendChunked(`${url}/webhook/contract-signed`, 5, 64 * 1024);

  expect(answer.statusCode).toBe(413);
  answer.resume();
});

test('a body up to the limit is read whole', async () => {
  const { url } = await listening();

  const answer = await sendChunked(`${url}/webhook/contract-signed`, 4, 64 * 1024);

  expect(answer.statusCode).toBe(401);
  answer.resume();
});

test('an announced length over the limit is refused before the body comes', async () => {
  const { listener } = await listening();

  const heard = await speak(
    listener.port,
    'POST /webhook/contract-signed HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n',
  );

  expect(heard).toMatch(/^HTTP\/1.1 413 /);
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

test.each([
  ['GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
  [`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
  ['nonsense\r\n\r\n', 400],
])('a call that is not well formed is refused by the parser', async (words, status) => {
  const { listener } = await listening();

  expect(await speak(listener.port, words)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
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
  app.ctx.db.raw.exec(`UPDATE users SET firstName = 'Anna', lastName = 'Martin'`);
  await app.addUser('admin@example.org', { role: 'ROLE_ADMIN' });
  const token = await app.tokenOf('admin@example.org');
  const pdf = `%PDF-1.7\n${'x'.repeat(2_000_000)}\n%%EOF\n`;
  const form = new FormData();
  form.set('file', new File([pdf], 'contract.pdf', { type: 'application/pdf' }));

  const answer = await fetch(`${app.url}/api/requests/1/signature`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: form,
  });

  // No provider listens in this test; the draft that waits for it is what counts.
  expect(answer.status).toBe(503);
  const draft = readFileSync(join(app.ctx.config.dataDir, 'contracts', '1.draft.pdf'), 'utf8');
  expect(draft).toBe(pdf);
  await answer.text();
});

test('closing lets the answer under way finish and does not wait for idle connections', async () => {
  const { app, listener } = await listening();
  let finish = () => {};
  const slow = new Promise<void>((resolve) => (finish = resolve));
  app.get('/slow', async (c) => {
    await slow;
    return c.text('finished');
  });
  const idle = connect(listener.port, '127.0.0.1');
  onTestFinished(() => void idle.destroy());
  await new Promise((resolve) => idle.once('connect', resolve));
  const answer = fetch(`http://127.0.0.1:${listener.port}/slow`);
  await new Promise((resolve) => setTimeout(resolve, 100));

  const closed = listener.close(60_000);
  finish();

  expect(await (await answer).text()).toBe('finished');
  await closed;
});
