/**
 * One server of the webhook measure, in its own process: `routes`, the daemon's routes without its runner, so that mails and
 * payments stay queued as in the baseline; `daemon`, with the runner; or `raw`, the minimum for the same durable work.
 */
import { createHmac, createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { open, rename } from 'node:fs/promises';
import { Agent, createServer, get, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { loadConfig } from '../src/core/settings/config.js';
import { openContext } from '../src/core/open-context.js';
import { createApp } from '../src/server/app.js';
import { listen } from '../src/server/http/listen.js';
import { migrate } from '../src/db/migrate.js';
import { openDb } from '../src/db/open.js';
import { groupCommit, settings, WEBHOOK_SECRET } from './support.js';

export type ServerKind = 'routes' | 'daemon' | 'raw';

const [kind, directory, count, providerPort] = process.argv.slice(2) as [ServerKind, string, string, string];
mkdirSync(join(directory, 'contracts'), { recursive: true });
fillWaiting(join(directory, 'esign.db'), Number(count));
process.send?.({ port: await (kind === 'raw' ? listenRaw(raw()) : ours()) });

/** Requests whose contracts wait for their signature. */
function fillWaiting(file: string, requests: number): void {
  const db = openDb(file, { busyTimeoutMs: 0 });
  migrate(db);
  const at = '2026-01-01T00:00:00.000Z';
  db.raw.exec(`
    INSERT INTO users (username, passwordHash, firstName, lastName, role, enabled, createdAt, updatedAt)
      VALUES ('a@example.org', '', 'A', 'B', 'ROLE_USER', 1, '${at}', '${at}');
    INSERT INTO equipments (ownerId, name, model, serialNumber, createdAt, updatedAt) VALUES (1, 'x', 'x', 'x', '${at}', '${at}');
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${requests})
      INSERT INTO requests (ownerId, equipmentId, title, description, status, createdAt, updatedAt, statusSince)
      SELECT 1, 1, 't', 'd', 'WAITING_SIGNATURE', '${at}', '${at}', '${at}' FROM n;
    INSERT INTO contracts (requestId, key, externalId, paymentKey, status, sending, signId, signerId, signerEmail, signUrl, amount, currency, createdAt, expiredAt)
      SELECT id, printf('%016x', id), 'contract-' || id, 'payment-' || id, 'PENDING', 'sent', 'sign-' || id, 's', 'a@example.org', 'http://x', 12000, 'eur',
        '${at}', '2999-01-01T00:00:00.000Z' FROM requests`);
  db.close();
}

async function listenRaw(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function ours(): Promise<number> {
  const { config } = loadConfig(settings(directory, `http://127.0.0.1:${providerPort}`));
  const ctx = openContext(config, { log: pino({ level: 'silent' }), migrate: true, role: 'daemon' });
  if (kind === 'daemon') await ctx.jobs.start();
  const onConnection = () => ctx.jobs.calls.connected();
  const { port } = await listen(createApp(ctx), { host: '127.0.0.1', port: 0, onConnection });
  return port;
}

function raw(): RequestListener {
  const db = new Database(join(directory, 'esign.db'));
  db.pragma('synchronous = FULL');
  const find = db.prepare(
    'SELECT c.id, c.requestId, r.status FROM contracts c JOIN requests r ON r.id = c.requestId WHERE c.signId = ?',
  );
  const inbox = db.prepare(
    `INSERT INTO inbox (source, eventKey, eventName, subjectId, contractId, body, state, receivedAt)
     VALUES ('signature', ?, ?, ?, ?, ?, 'received', ?)`,
  );
  const job = db.prepare(
    `INSERT INTO jobs (kind, payload, uniqueKey, state, runAt, requestId, contractId, createdAt)
     VALUES (?, ?, ?, 'available', ?, ?, ?, ?)`,
  );
  const request = db.prepare(
    "UPDATE requests SET status = 'WAITING_PAYMENT', updatedAt = ? WHERE id = ? AND status = 'WAITING_SIGNATURE'",
  );
  const contract = db.prepare(
    "UPDATE contracts SET status = 'SIGNED', signedAt = ?, pdfSha256 = ?, pdfSize = ? WHERE id = ? AND status = 'PENDING'",
  );
  const done = db.prepare("UPDATE inbox SET state = 'done', finishedAt = ? WHERE id = ?");
  const write = groupCommit(db);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });

  const handle = async (body: Buffer, signature: string): Promise<number> => {
    const expected = `sha256=${createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex')}`;
    if (
      signature.length !== expected.length ||
      !timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
    )
      return 401;
    const event = JSON.parse(body.toString('utf8')) as {
      event_id: string;
      event_name: string;
      data: { signature_request: { id: string } };
    };
    const signId = event.data.signature_request.id;
    const found = find.get(signId) as { id: number; requestId: number; status: string } | undefined;
    if (!found) return 404;
    if (found.status !== 'WAITING_SIGNATURE') return 422;
    const now = new Date().toISOString();
    const inboxId = await write(
      () => inbox.run(event.event_id, event.event_name, signId, found.id, body, now).lastInsertRowid,
    );
    const pdf = await download(agent, signId);
    const path = join(directory, 'contracts', `${found.id}.pdf`);
    await store(path, pdf);
    const sha256 = createHash('sha256').update(pdf).digest('hex');
    return write(() => {
      if (request.run(now, found.requestId).changes === 0) return 422;
      contract.run(now, sha256, pdf.length, found.id);
      for (const kind of ['mail-1', 'mail-2'])
        job.run('send-mail', '{}', `${kind}:${found.id}`, now, found.requestId, found.id, now);
      job.run('create-payment-session', '{}', `payment:${found.id}`, now, found.requestId, found.id, now);
      done.run(now, inboxId);
      return 200;
    });
  };
  return (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      void handle(Buffer.concat(chunks), String(req.headers['x-esign-signature-256'])).then((status) => {
        res.writeHead(status);
        res.end();
      });
    });
  };
}

function download(agent: Agent, signId: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const path = `/v3/signature_requests/${signId}/documents/download?version=completed`;
    get({ agent, host: '127.0.0.1', port: providerPort, path }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => resolve(Buffer.concat(chunks)));
    }).on('error', reject);
  });
}

async function store(path: string, pdf: Buffer): Promise<void> {
  const file = await open(`${path}.tmp`, 'wx', 0o640);
  await file.writeFile(pdf);
  await file.sync();
  await file.close();
  await rename(`${path}.tmp`, path);
  const parent = await open(join(path, '..'), 'r');
  await parent.sync();
  await parent.close();
}
