/** Histories that nobody planned for: backups that come back at odd moments, races, providers that answer oddly. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { draftPdfPath } from '../../src/core/contracts/contract-files.js';
import { checkAllSignatures } from '../../src/core/signature/check-all-signatures.js';
import { acceptLate } from '../../src/core/signature/accept-late.js';
import { resetSignature } from '../../src/core/signature/reset-signature.js';
import { startSignature } from '../../src/core/signature/start-signature.js';
import { rejection, startApp, TESTER, type TestApp } from '../support/app.js';
import { deliver } from '../support/webhooks.js';

const BY = { actor: TESTER };

test('a PDF that lies under the number of a new contract, since the database was put back without its files, is not sent', async () => {
  const THEIRS = '%PDF-1.7 the contract of somebody else\n%%EOF';
  const app = await startApp();
  const { id } = await app.addRequest();
  const path = draftPdfPath(app.ctx, 1);
  writeFileSync(path, THEIRS);
  expect(await startSignature(app.ctx, id, BY)).toMatchObject({ id: 1 });
  expect(readFileSync(path, 'latin1')).not.toBe(THEIRS);
});

test('a reset while a person lets the late signature stand is refused: one contract, and no failure', async () => {
  const app = await startApp();
  const { request, contract, signId } = await app.waitingRequest();
  app.sandbox.sign(signId, { completedAt: '2026-04-02T00:00:07.000Z' });
  app.clock.set('2026-04-02T08:00:00.000Z');
  expect(await deliver(app, signId)).toBe(422);
  const late = app.sandbox.faults.add('signature.signer_get:answer_late:1');
  const reset = rejection(resetSignature(app.ctx, request.id, BY));
  await expect.poll(() => app.sandbox.faults.list()).toEqual([]);
  await acceptLate(app.ctx, contract.id, { ...BY, reason: 'agreed by phone' });
  app.sandbox.faults.remove(late.id);

  expect(await reset).toMatchObject({ code: 'not_waiting_signature' });
  expect(app.contract(request.id)).toMatchObject({ id: contract.id, status: 'SIGNED' });
});

/** A second signer who was added by hand in the provider's console stands before the customer. */
test('of several signers it is the customer whose link is kept', async () => {
  const another = { id: 'another', status: 'notified', signature_link: 'https://sign.test/another' };
  const proxy = await odd((path, body) => {
    if (path.endsWith('/signers/another')) {
      Object.assign(body, { ...another, info: { email: 'another@example.org' } });
      return 200;
    }
    if (Array.isArray(body['signers']) && body['status'] === 'ongoing') body['signers'].unshift(another);
  });
  const { app, behind, id } = await behindOf(proxy);

  const { signUrl } = await startSignature(behind.ctx, id, BY);

  expect(signUrl).toContain(oneThere(app).id);
});

test('a list that knows no filter and leads back to itself ends, and makes no second signature request', async () => {
  let isFirst = true;
  const proxy = await odd((path, body) => {
    if (path.endsWith('/signature_requests') && isFirst) {
      isFirst = false;
      return LOST;
    }
    if (!path.includes('/signature_requests?')) return;
    const isSecond = path.includes('after=second');
    if (!isSecond) body['data'] = [];
    body['meta'] = { next_cursor: 'second' };
  });
  const { app, behind, id } = await behindOf(proxy);
  await rejection(startSignature(behind.ctx, id, BY));

  await startSignature(behind.ctx, id, BY);

  expect(app.sandbox.state().signatureRequests).toHaveLength(1);
  const ended = await checkAllSignatures(behind.ctx, { ...BY, isWhole: true });
  expect(ended).toMatchObject({ checked: 1, failed: 0 });
});

/** One that talks to the providers of another through this proxy, and a request of its own. */
async function behindOf({ to, url }: Awaited<ReturnType<typeof odd>>) {
  const app = await startApp();
  to(app);
  const behind = await startApp({ beside: app, env: { ESIGN_API_URL: url } });
  return { app, behind, id: (await behind.addRequest()).id };
}

const oneThere = (app: TestApp) =>
  app.sandbox.state().signatureRequests[0] as { id: string; external_id: string };

/** As a status: the answer does not arrive. */
const LOST = 0;

/** A provider whose answers are changed on the way. */
async function odd(change: (path: string, body: Record<string, unknown>) => number | void) {
  let origin = '';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void pass(Buffer.concat(chunks)));
    const pass = async (body: Buffer) => {
      const path = decodeURIComponent(request.url as string);
      const { authorization = '', 'content-type': type = '' } = request.headers;
      const url = `${origin}${path.replace('after=second', '')}`;
      const answer = await fetch(url, {
        method: request.method as string,
        headers: { authorization, 'content-type': type },
        ...(body.length > 0 && { body: Uint8Array.from(body) }),
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (!answer.headers.get('content-type')?.includes('json')) return void response.end(bytes);
      const told = JSON.parse(bytes.toString() || '{}') as Record<string, unknown>;
      const status = change(path, told) ?? answer.status;
      if (status === LOST) return void request.socket.destroy();
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(told));
    };
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`,
    to: (app: TestApp) => void (origin = new URL(app.sandbox.apiUrl).origin),
  };
}
