/** One server of the list benchmark in a process of its own: `ours`, or `bare`, which sends one answer whatever is asked. */
import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createApp } from '../src/server/app.js';
import { ADMIN, openService, tokenFor } from './list-data.js';

const [kind, directory] = process.argv.slice(2) as ['ours' | 'bare', string];

export interface Answer {
  headers: [string, string][];
  body: string;
}

let token = '';
const server = createServer(kind === 'ours' ? await ours() : await bare());
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port, token }));
/** Asked before and after: what the processor has done in between. */
process.on('message', () => process.send?.(process.cpuUsage()));

async function ours(): Promise<RequestListener> {
  const ctx = openService(directory);
  token = await tokenFor(ctx, ADMIN);
  const listener = getRequestListener(createApp(ctx).fetch);
  return (req, res) => void listener(req, res);
}

async function bare(): Promise<RequestListener> {
  const [{ headers, body }] = (await once(process, 'message')) as [Answer];
  return (_, res) => {
    res.writeHead(200, [...headers, ['Content-Length', String(Buffer.byteLength(body))]].flat());
    res.end(body);
  };
}
