/** The pages of the back office by name, and how a benchmark calls them: over HTTP, with a session. */
import { once } from 'node:events';
import { Agent, createServer, get, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Context } from '../src/core/context.js';
import { beginSession } from '../src/core/users/sessions.js';
import { findUser } from '../src/db/users/users.js';
import { createApp } from '../src/server/app.js';
import { ADMIN } from './list-data.js';

export function pagesOf(requests: number): Record<string, string> {
  const one = requests / 2;
  return {
    dashboard: '/admin',
    'what needs the office': '/admin/todo',
    'requests, the newest': '/admin/requests',
    'requests of one status': '/admin/requests?status=COMPLETE',
    'requests, longest in their status': '/admin/requests?order=statusSince-asc',
    'requests of one status, by its age': '/admin/requests?status=COMPLETE&order=statusSince-desc',
    'requests of one month': '/admin/requests?since=2024-02-01&until=2024-03-01',
    'found by reference': `/admin/requests?search=REQ-2024-${String(one).padStart(9, '0')}`,
    'found by signId': `/admin/requests?search=sign-${one}`,
    'found by e-mail': '/admin/requests?search=user7%40example.org',
    'found by part of a name': '/admin/requests?search=pont-77',
    'found by a word that every title has': '/admin/requests?search=maintenance',
    'one request': `/admin/requests/${one}`,
    'failed jobs': '/admin/failed',
    'failed jobs with a word in their error': '/admin/failed?error=503',
    'failed jobs of one group': '/admin/failed?group=1',
    inbox: '/admin/inbox',
    'inbox, the oldest of one provider': '/admin/inbox?source=signature&order=receivedAt-asc',
    deliveries: '/admin/deliveries',
    'deliveries of one webhook that failed': '/admin/deliveries?webhook=1&status=failed',
    webhooks: '/admin/webhooks',
    'one webhook': '/admin/webhooks/1',
    users: '/admin/users',
    'users by e-mail, from the end': '/admin/users?order=username-desc',
    'one customer': `/admin/users/${requests > 100_000 ? 77 : 1}`,
    history: '/admin/history',
  };
}

export async function session(ctx: Context): Promise<string> {
  const user = findUser(ctx.db, { id: ADMIN });
  const token = user && (await beginSession(ctx, user, { address: '127.0.0.1', agent: 'bench' }));
  if (!token) throw new Error('no session');
  return `esign_session=${token}`;
}

export function getListener(ctx: Context): RequestListener {
  const listener = getRequestListener(createApp(ctx).fetch);
  return (req, res) => void listener(req, res);
}

export async function serve(listener: RequestListener): Promise<{ port: number; close: () => void }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  // While one of the two works for long, the other's connection waits.
  server.keepAliveTimeout = 600_000;
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

const agent = new Agent({ keepAlive: true });

export interface Answer {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export async function call(port: number, path: string, headers: Record<string, string>): Promise<Answer> {
  const [response] = (await once(get({ host: '127.0.0.1', port, path, headers, agent }), 'response')) as [
    NodeJS.ReadableStream & { statusCode: number; headers: IncomingHttpHeaders },
  ];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
  return { headers: response.headers, body: Buffer.concat(chunks) };
}
