/** The HTTP port: opened with limits on how slow a client may be, and closed without cutting anybody off. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { App } from './app.js';
import { answerMalformed, refuse } from './malformed.js';

const LIMITS = {
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  keepAliveTimeout: 5_000,
  /** How often the limits above are looked after. */
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
};
/** A reader that takes nothing for so long is cut; longer than any answer takes to be made. */
const STALLED_MS = 300_000;
/** Where one misses, we say so ourselves. */
const PARSING = { requireHostHeader: false };

export type Limits = Partial<typeof LIMITS>;

export interface Listener {
  port: number;
  /** Takes no more connections, waits `graceMs` at most for the answers under way, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

/** Rejects with the system's error when the port cannot be had. */
export async function listen(
  app: App,
  { host, port, limits }: { host: string; port: number; limits?: Limits },
): Promise<Listener> {
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    errorHandler: answerMalformed,
  });
  const options = { ...PARSING, ...LIMITS, ...limits };
  const server = createServer(options, (incoming, outgoing) => void listener(incoming, outgoing));
  server.setTimeout(STALLED_MS);
  // What a caller expects beyond `100-continue` changes nothing (RFC 9110, 10.1.1).
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

interface Connections {
  /** Closes those that no answer is owed to, now and as soon as their answer is out. */
  closeUnused(): void;
}

/** Knows which connections are owed an answer. Node's own list of idle connections leaves out those that have never said anything. */
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
