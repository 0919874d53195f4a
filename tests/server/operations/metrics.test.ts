/** /metrics: who may read it, and that the numbers are those of what happened. */
import { expect, test } from 'vitest';
import { createApp } from '../../../src/server/app.js';
import { DaemonMetrics } from '../../../src/server/operations/metrics.js';
import { startApp } from '../../support/app.js';
import { HOUR } from '../../support/clock.js';
import { eventBody, sign } from '../../support/webhooks.js';
import { startApi } from '../support.js';

const TOKEN = 'a-token-of-the-tests';

test('a process on this machine reads it; where no token is set nobody else does', async () => {
  const { call } = startApi();
  for (const peer of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    const { status, headers, text } = await call('GET', '/metrics', { peer });
    expect([peer, status]).toEqual([peer, 200]);
    expect(headers.get('Content-Type')).toMatch(/^text\/plain/);
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).not.toContain('eventloop');
  }
  for (const [who, headers, peer] of [
    ['another machine', {}, '192.0.2.1'],
    ['no socket to judge by', {}, ''],
    ['a proxy on this machine', { 'X-Forwarded-For': '192.0.2.1' }, '127.0.0.1'],
    ['a proxy that tells only Via', { Via: '1.1 edge' }, '127.0.0.1'],
  ] as const) {
    const { status, text } = await call('GET', '/metrics', { headers, peer });
    expect([who, status, text.includes('esign_')]).toEqual([who, 403, false]);
  }
});

test('among several installations each number names its firm', async () => {
  const named = startApi({ instance: 'acme' });
  const { text } = await named.call('GET', '/metrics', { peer: '127.0.0.1' });
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(samples.filter((line) => !line.includes('firm="acme"'))).toEqual([]);
  expect((await startApi().call('GET', '/metrics', { peer: '127.0.0.1' })).text).not.toContain('firm=');
});

test('another machine needs the token, whole and right', async () => {
  const { call } = startApi({ metricsToken: TOKEN });
  const statusWith = async (token?: string) =>
    (await call('GET', '/metrics', token === undefined ? {} : { token })).status;
  expect(await statusWith()).toBe(401);
  expect(await statusWith(`${TOKEN}x`)).toBe(401);
  expect(await statusWith(TOKEN.slice(1))).toBe(401);
  expect(await statusWith(TOKEN)).toBe(200);
});

test('the story shows in the numbers: answers by route, webhooks, calls, tries, what waits and since when', async () => {
  const metrics = new DaemonMetrics();
  const app = await startApp({ context: { metrics } });
  const server = createApp(app.ctx, metrics);
  const page = async () => {
    const socket = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };
    return (await server.request('/metrics', {}, socket)).text();
  };
  const { signId } = await app.waitingRequest();
  app.clock.advance(HOUR);
  expect(await page()).toContain('esign_oldest_waiting_signature_seconds 3600');

  app.sandbox.sign(signId);
  const body = eventBody(app, signId);
  const deliver = (headers: Record<string, string>) =>
    server.request('/webhook/contract-signed', { method: 'POST', body, headers });
  await deliver({ 'X-Esign-Signature-256': sign(body) });
  await deliver({});
  expect(await page()).toContain('esign_jobs{kind="send-mail",state="available"} 2');
  await app.drain();

  const text = await page();
  for (const line of [
    'esign_webhooks_received_total{source="signature",status="200"} 1',
    'esign_webhooks_received_total{source="signature",status="401"} 1',
    'esign_http_request_duration_seconds_count{method="POST",route="/webhook/contract-signed",status="200"} 1',
    'esign_job_try_duration_seconds_count{kind="send-mail",outcome="completed"} 3',
    'esign_job_try_duration_seconds_count{kind="create-payment-session",outcome="completed"} 1',
    'esign_provider_call_duration_seconds_count{provider="payment provider",outcome="ok"} 2',
    'esign_jobs{kind="send-mail",state="available"} 0',
    'esign_oldest_waiting_signature_seconds 0',
    'esign_oldest_due_job_seconds 0',
  ]) {
    expect(text).toContain(line);
  }
  expect(text).toMatch(/esign_database_bytes\{file="database"\} [1-9]/);
  expect(text, 'ids and addresses make no labels').not.toContain(signId);
});

test('what fails is counted with its reason', async () => {
  const metrics = new DaemonMetrics();
  const app = await startApp({ context: { metrics } });
  metrics.watch(app.ctx);
  const { signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  app.sandbox.faults.add('signature.get:401');
  await app.ctx.provider.getSignatureStatus({ signId, externalId: null }).catch(() => undefined);
  const { text } = await metrics.page();
  expect(text).toContain(
    'esign_provider_call_duration_seconds_count{provider="signature provider",outcome="unauthorized"} 1',
  );
});
