/** A receiver of outbound webhooks: a real HTTP server that remembers what it got and answers as the test says. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Whether nobody is connected. */
  isLeft: () => boolean;
  /** What comes next; by default 204. */
  answer: (request: Received, response: ServerResponse) => void;
}

export async function aReceiver(answer: Receiver['answer'] = answered(204)): Promise<Receiver> {
  const sockets = new Set<Socket>();
  const receiver: Receiver = { url: '', received: [], isLeft: () => sockets.size === 0, answer };
  const server = createServer((request, response) => {
    void read(request).then((received) => {
      receiver.received.push(received);
      receiver.answer(received, response);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return receiver;
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = '', url: path = '', headers } = request;
  return { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
}

export function answered(
  status: number,
  headers: Record<string, string> = {},
  body = '',
): Receiver['answer'] {
  return (_, response) => response.writeHead(status, headers).end(body);
}

/** Never answers. */
export const silent: Receiver['answer'] = () => undefined;

export interface JsonAnswer {
  status?: number;
  headers?: Record<string, string>;
  json: unknown;
}

/** One after the other, and the last one from then on. */
export function inTurn(...answers: [JsonAnswer, ...JsonAnswer[]]): Receiver['answer'] {
  return (_, response) => {
    const [{ status = 200, headers = {}, json }] = answers;
    if (answers.length > 1) answers.shift();
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
  };
}
