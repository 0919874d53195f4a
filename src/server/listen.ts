/** The HTTP port: opened with limits on how slow a client may be, and closed without cutting anybody off. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { App } from './app.js';

const LIMITS = {
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  keepAliveTimeout: 5_000,
  /** How often the limits above are looked after. */
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
};

export interface Listener {
  port: number;
  /** Takes no more connections, waits `graceMs` at most for the answers under way, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

/** Rejects with the system's error when the port cannot be had. */
export async function listen(app: App, { host, port }: { host: string; port: number }): Promise<Listener> {
  const listener = getRequestListener((request, env) => app.fetch(request, env));
  const server = createServer(LIMITS, (incoming, outgoing) => void listener(incoming, outgoing));
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

/** Node's own list of idle connections leaves out those that have never said anything. */
function track(server: Server): Connections {
  const open = new Set<Socket>();
  const answering = new Set<Socket>();
  let isClosing = false;
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }, answer) => {
    answering.add(socket);
    answer.once('close', () => {
      answering.delete(socket);
      if (isClosing) socket.end();
    });
  });
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
