/** A daemon whose database is damaged: it says so, answers what can be read, and acknowledges nothing that a restore would lose. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { PATIENCE } from '../support/patience.js';
import { sign } from '../support/webhooks.js';
import { aWorld, SECRETS, type World } from '../support/world.js';

const PAGE_BYTES = 4096;
const WORD = 'correct horse battery';

/** Overwrites the first page of a table that no call below needs. */
function damage({ dataDir }: World): void {
  const file = join(dataDir, 'esign.db');
  const db = new Database(file);
  const page = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'troubleshootings'").pluck().get();
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(PAGE_BYTES, 0xaa), 0, PAGE_BYTES, ((page as number) - 1) * PAGE_BYTES);
  closeSync(descriptor);
}

async function logIn({ baseUrl }: World): Promise<string> {
  const answer = await fetch(`${baseUrl}/api/login_check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'anna@example.org', password: WORD }),
  });
  return ((await answer.json()) as { token: string }).token;
}

test('it reads, refuses to write with 503, and goes on as before once a backup is restored', async (t) => {
  const world = await aWorld(t);
  const whole = await world.daemon();
  const { requestId, signId } = await world.waitingRequest();
  await world.ctlWith(
    `${WORD}\n`,
    'users',
    'create',
    'anna@example.org',
    '--role',
    'admin',
    '--password-stdin',
  );
  const token = await logIn(world);
  const archive = join(world.dataDir, '..', 'esign.tar');
  expect((await world.ctl('backup', archive)).code).toBe(0);
  await whole.stop();
  damage(world);

  const daemon = await world.daemon();

  expect(daemon.stderr).toMatch(/"level":60.*"the database is damaged: stop esignd and restore a backup"/);
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...init.headers,
    };
    const answer = await fetch(world.baseUrl + path, { ...init, headers });
    return { status: answer.status, body: await answer.text() };
  };
  expect(await call('/healthz')).toMatchObject({ status: 200 });
  expect(await call('/readyz')).toMatchObject({ status: 503, body: expect.stringContaining('"database"') });
  expect(await call(`/api/requests/${requestId}`)).toMatchObject({ status: 200 });
  expect(await call('/api/requests')).toMatchObject({
    status: 200,
    body: expect.stringContaining('WAITING_SIGNATURE'),
  });
  expect(await call('/metrics')).toMatchObject({
    body: expect.stringContaining('esign_not_ready{part="database"} 1'),
  });
  const equipment = JSON.stringify({ name: 'a', model: 'b', serialNumber: 'c' });
  expect(await call('/api/equipments', { method: 'POST', body: equipment })).toMatchObject({ status: 503 });
  const event = JSON.stringify({
    event_name: 'signature_request.done',
    data: { signature_request: { id: signId } },
  });
  const headers = { 'X-Esign-Signature-256': sign(event, SECRETS.ESIGN_WEBHOOK_SECRET) };
  expect(await call('/webhook/contract-signed', { method: 'POST', body: event, headers })).toMatchObject({
    status: 503,
  });
  expect((await world.ctl('doctor')).stdout).toMatch(/database\tfailed\tit is damaged.*esignctl restore/);

  expect(await daemon.stop()).toMatchObject({ code: 0 });
  expect((await world.ctl('restore', archive, '--yes')).code).toBe(0);
  expect((await world.ctl('takeover', '--yes')).code).toBe(0);
  await world.daemon();
  expect(await call('/readyz')).toMatchObject({ status: 200 });
  world.sign(signId);
  await expect.poll(() => world.status(requestId), PATIENCE).toBe('WAITING_PAYMENT');
});
