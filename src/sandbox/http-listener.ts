/** The HTTP port: opened, and closed so that nothing is left of it. */
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';

export type HttpListener = { port: number; close(): Promise<void> };

/** Rejects when the port cannot be had. */
export async function listenHttp(
  app: Hono<{ Bindings: HttpBindings }>,
  host: string,
  port: number,
): Promise<HttpListener> {
  const server = createAdaptorServer({ fetch: app.fetch, createServer }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Calls that a time-out fault holds open would keep the port for ever.
        server.closeAllConnections();
      }),
  };
}
