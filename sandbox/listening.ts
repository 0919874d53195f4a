/** Opens the ports, for HTTP and SMTP alike. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';

/** `close` also ends the open connections. */
export type Listener = { port: number; close(): Promise<void> };

/** Resolves with the port; rejects with the system's error when it is not available. */
export async function listening(server: Server, host: string, port: number): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

/** Rejects when the port is not available. */
export async function listenHttp(
  app: Hono<{ Bindings: HttpBindings }>,
  host: string,
  port: number,
): Promise<Listener> {
  const listener = getRequestListener((request, env) => app.fetch(request, env));
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  return {
    port: await listening(server, host, port),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Calls held open by a time-out fault would keep the port open forever.
        server.closeAllConnections();
      }),
  };
}
