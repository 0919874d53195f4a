/**
 * Answers calls that reach no route, because they are malformed, too large or too slow, with the usual error shape
 * (rules 7) and an id.
 */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RequestError } from '@hono/node-server';
import { errorBody, HttpError } from './errors.js';
import { LD_JSON } from './media-types.js';
import { FOR_ALL } from './headers.js';

/** By error code of node:http's parser; anything else is 400. */
const STATUS_OF_CODE: Record<string, 408 | 413 | 431> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** The answer to a call with an invalid address or host. */
export function answerMalformed(error: unknown): Response {
  const { status, headers, body } = refusal(error instanceof RequestError ? 400 : 500);
  return new Response(body, { status, headers });
}

/** Sends the parser's complaint unless `answer`, the pending one, has begun; then hangs up. */
export function refuse(
  error: NodeJS.ErrnoException,
  socket: Socket,
  answer: ServerResponse | undefined,
): void {
  if (!socket.writable || error.code === 'ECONNRESET' || answer?.headersSent) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = refusal(STATUS_OF_CODE[error.code ?? ''] ?? 400);
  const lines = Object.entries({
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}

function refusal(status: 400 | 408 | 413 | 431 | 500) {
  const requestId = randomUUID();
  const error = new HttpError(status, STATUS_CODES[status] as string);
  const headers = { ...FOR_ALL, 'Content-Type': `${LD_JSON}; charset=utf-8`, 'X-Request-Id': requestId };
  return { status, headers, body: JSON.stringify(errorBody(error, requestId)) };
}
