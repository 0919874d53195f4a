/** Opens the HTTP port with limits for slow clients, and closes it without cutting anybody off. */
import {
  createServer,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { App } from '../app.js';
import { randomUUID } from 'node:crypto';
import { errorBody, HttpError } from './errors.js';
import { LD_JSON } from './media-types.js';
import { FOR_ALL } from './headers.js';

const LIMITS = {
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  keepAliveTimeout: 5_000,
  /** How often these limits are checked. */
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
};
/** A client that reads nothing for so long is cut off. Longer than any answer takes. */
const STALLED_MS = 300_000;
/** We answer a missing Host ourselves. */
const PARSING = { requireHostHeader: false };
const NO_HOST = 'localhost';

export type Limits = Partial<typeof LIMITS>;

export interface Listener {
  port: number;
  /** Accepts no more connections, waits up to `graceMs` for pending answers, then cuts the rest. */
  close(graceMs: number): Promise<void>;
}

export interface Listening {
  host: string;
  port: number;
  limits?: Limits;
  onConnection?: () => void;
}

/** Rejects with the system's error when the port is not available. */
export async function listen(app: App, { host, port, limits, onConnection }: Listening): Promise<Listener> {
  const server = createServer({ ...PARSING, ...LIMITS, ...limits }, listenerOf(app));
  server.setTimeout(STALLED_MS);
  if (onConnection) server.on('connection', onConnection);
  // Ignore expectations other than `100-continue` (RFC 9110, 10.1.1).
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const connections = track(server);
  return {
    port: (server.address() as AddressInfo).port,
    close: (graceMs) => close(server, connections, graceMs),
  };
}

export function listenerOf(app: App): RequestListener {
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    errorHandler: answerMalformed,
  });
  return (incoming, outgoing) => {
    // HTTP/1.0 may lack it, and load balancers ask so; the adapter needs one. Nothing here depends on it.
    if (incoming.httpVersion === '1.0') incoming.headers.host ??= NO_HOST;
    void listener(incoming, outgoing);
  };
}

interface Connections {
  /** Closes connections without a pending answer now, and the others once they are answered. */
  closeUnused(): void;
}

/**
 * Tracks which connections wait for an answer. Node's own list of idle connections lacks those that never sent
 * anything.
 */
function track(server: Server): Connections {
  const open = new Set<Socket>();
  const answering = new Map<Socket, ServerResponse>();
  let isClosing = false;
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }, answer) => {
    answering.set(socket, answer);
    answer.once('close', () => {
      answering.delete(socket);
      if (isClosing) socket.end();
    });
  });
  server.on('clientError', (error, socket) =>
    refuse(error, socket as Socket, answering.get(socket as Socket)),
  );
  return {
    closeUnused() {
      isClosing = true;
      for (const socket of open) if (!answering.has(socket)) socket.destroy();
    },
  };
}

async function close(server: Server, connections: Connections, graceMs: number): Promise<void> {
  const cutting = setTimeout(() => server.closeAllConnections(), graceMs);
  const closed = new Promise((resolve) => server.close(resolve));
  connections.closeUnused();
  await closed;
  clearTimeout(cutting);
}

// Answers calls that reach no route, because they are malformed, too large or too slow, with the usual error shape
// (rules 7) and an id.

/** By error code of node:http's parser; anything else is 400. */
const STATUS_OF_CODE: Record<string, 408 | 413 | 431> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** The answer to a call with an invalid address or host. */
function answerMalformed(error: unknown): Response {
  const { status, headers, body } = refusal(error instanceof RequestError ? 400 : 500);
  return new Response(body, { status, headers });
}

/** Sends the parser's complaint unless `answer`, the pending one, has begun; then hangs up. */
function refuse(error: NodeJS.ErrnoException, socket: Socket, answer: ServerResponse | undefined): void {
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
