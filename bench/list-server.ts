/**
 * One server of the list benchmark, in its own process: `ours`; `bare`, which always sends one answer; or `raw`,
 * which checks the token, reads page and total, and writes the same answer by hand.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createApp } from '../src/server/app.js';
import { listenerOf } from '../src/server/listen.js';
import { ADMIN, JWT_SECRET, openService, tokenFor } from './list-data.js';

export type Kind = 'ours' | 'bare' | 'raw';

const [kind, directory] = process.argv.slice(2) as [Kind, string];

export interface Answer {
  headers: [string, string][];
  body: string;
}

let token = '';
const server = createServer(await { ours, bare, raw }[kind]());
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port, token }));
/** Asked before and after for its CPU time. */
process.on('message', () => process.send?.(process.cpuUsage()));

async function ours(): Promise<RequestListener> {
  const ctx = openService(directory);
  token = await tokenFor(ctx, ADMIN);
  return listenerOf(createApp(ctx));
}

async function bare(): Promise<RequestListener> {
  const [{ headers, body }] = (await once(process, 'message')) as [Answer];
  const etag = headers.find(([name]) => name === 'etag')?.[1] ?? '';
  return (req, res) => send(req, res, { headers, body }, etag);
}

async function raw(): Promise<RequestListener> {
  const [{ headers, body }] = (await once(process, 'message')) as [Answer];
  const db = new Database(join(directory, 'esign.db'));
  const page = db.prepare('SELECT * FROM requests ORDER BY createdAt, id LIMIT 30 OFFSET +?');
  const total = db.prepare('SELECT count(*) FROM requests').pluck();
  const template = JSON.parse(body) as Record<string, unknown>;
  return (req, res) => {
    if (!isSigned(req.headers.authorization ?? '')) {
      res.writeHead(401).end();
      return;
    }
    const number = Number(/[?&]page=(\d+)/.exec(req.url ?? '')?.[1] ?? 1);
    const rows = page.all((number - 1) * 30) as Record<string, string | number>[];
    const text = JSON.stringify({
      ...template,
      'hydra:totalItems': total.get(),
      'hydra:member': rows.map(member),
    });
    const etag = `"${createHash('sha1').update(text).digest('base64url')}"`;
    const others = headers.filter(([name]) => name !== 'etag');
    send(req, res, { headers: [...others, ['ETag', etag]], body: text }, etag);
  };
}

/** The whole page, or 304 to a caller that knows it. */
function send(req: IncomingMessage, res: ServerResponse, { headers, body }: Answer, etag: string): void {
  if (req.headers['if-none-match'] === etag) {
    res.writeHead(304, headers.filter(([name]) => name !== 'content-type').flat()).end();
    return;
  }
  res.writeHead(200, [...headers, ['Content-Length', String(Buffer.byteLength(body))]].flat());
  res.end(body);
}

function isSigned(authorization: string): boolean {
  const [head = '', payload = '', signature = ''] = authorization.slice('Bearer '.length).split('.');
  const expected = createHmac('sha256', JWT_SECRET).update(`${head}.${payload}`).digest();
  const given = Buffer.from(signature, 'base64url');
  const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}') as { exp?: number };
  return (
    given.length === expected.length && timingSafeEqual(given, expected) && (exp ?? 0) * 1000 > Date.now()
  );
}

function member(row: Record<string, string | number>) {
  const { id, reference, title, description, equipmentId, status } = row;
  const shown = (at: string | number | undefined) => `${String(at).slice(0, 19)}+00:00`;
  return {
    '@id': `/api/requests/${id}`,
    '@type': 'Request',
    id,
    reference,
    title,
    description,
    equipment: `/api/equipments/${equipmentId}`,
    status,
    createdAt: shown(row['createdAt']),
    updatedAt: shown(row['updatedAt']),
  };
}
