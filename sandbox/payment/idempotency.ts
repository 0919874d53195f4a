/**
 * Idempotency keys. The first result is replayed, even a 500. The same key with other parameters, or while the first
 * call is running, is an error. What never began (wrong parameters, wrong API key) is not stored. Keys are forgotten
 * after a day.
 */
import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { GateEnv } from '../fault-gate.js';
import type { World } from '../world.js';
import { PaymentProblem } from './errors.js';

type Stored = { fingerprint: string; at: number; result?: { status: number; body: string } };

const KEPT_MS = 86_400_000;

export function idempotent(world: World): MiddlewareHandler<GateEnv> {
  const stored = new Map<string, Stored>();
  return async (c, next) => {
    const key = c.req.header('Idempotency-Key');
    if (c.req.method !== 'POST' || key === undefined) return next();
    if (key === '' || key.length > 255) {
      throw new PaymentProblem(400, 'Idempotency keys have 1 to 255 characters');
    }
    const fingerprint = createHash('sha256')
      .update(`${c.req.path}\n${await c.req.text()}`)
      .digest('hex');
    const known = stored.get(key);
    if (known && world.now() - known.at < KEPT_MS) return replay(known, fingerprint, key);

    const entry: Stored = { fingerprint, at: world.now() };
    stored.set(key, entry);
    await next();
    // 4xx: nothing was begun, so the key is free again.
    if (c.res.status >= 400 && c.res.status < 500) stored.delete(key);
    else entry.result = { status: c.res.status, body: await c.res.clone().text() };
    return undefined;
  };
}

function replay({ fingerprint, result }: Stored, sent: string, key: string): Response {
  const type = 'idempotency_error';
  if (fingerprint !== sent) {
    throw new PaymentProblem(400, `Key ${key} was first used with other parameters.`, { type });
  }
  if (!result) throw new PaymentProblem(409, `Another request with the key ${key} is in progress.`, { type });
  const headers = {
    'Content-Type': 'application/json',
    'Idempotent-Replayed': 'true',
    'Idempotency-Key': key,
  };
  return new Response(result.body, { status: result.status, headers });
}
