import { expect } from 'vitest';
import { createApp } from '../../src/server/app.js';
import type { TestApp } from './app.js';

const AGAIN_MS = 3_000;

/** A service whose jobs run, and what its /readyz says; `later` after the time in which an answer is not tried anew. */
export async function ready(app: TestApp) {
  await app.ctx.jobs.start();
  const server = createApp(app.ctx);
  const ask = async () => {
    const response = await server.request('/readyz');
    const { notReady } = (await response.json()) as { notReady?: string[] };
    return { status: response.status, ...(notReady && { notReady }) };
  };
  const later = () => {
    app.clock.advance(AGAIN_MS);
    return ask();
  };
  expect(await ask()).toEqual({ status: 200 });
  return { server, ask, later };
}
