/** The HTTP port: opened, and closed so that nothing is left of it. */
import { createServer } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { listening } from './listening.js';

export type HttpListener = { port: number; close(): Promise<void> };

/** Rejects when the port cannot be had. */
export async function listenHttp(
  app: Hono<{ Bindings: HttpBindings }>,
  host: string,
  port: number,
): Promise<HttpListener> {
  const listener = getRequestListener((request, env) => app.fetch(request, env));
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  return {
    port: await listening(server, host, port),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Calls that a time-out fault holds open would keep the port for ever.
        server.closeAllConnections();
      }),
  };
}
