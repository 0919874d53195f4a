/** The HTTP port: opened with limits on how slow a client may be, and closed without cutting anybody off. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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
const CLOSE_IDLE_EVERY_MS = 20;

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
  return {
    port: (server.address() as AddressInfo).port,
    close: (graceMs) => close(server, graceMs),
  };
}

/** A connection becomes idle when its answer is out: it is closed then, for a client would keep it open and us waiting. */
async function close(server: Server, graceMs: number): Promise<void> {
  const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  const cutting = setTimeout(() => server.closeAllConnections(), graceMs);
  try {
    await new Promise((resolve) => server.close(resolve));
  } finally {
    clearInterval(closing);
    clearTimeout(cutting);
  }
}
