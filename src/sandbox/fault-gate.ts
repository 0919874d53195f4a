/**
 * The two gates that every provider call passes. The outer one counts the call and plays the faults of the way there
 * (nothing has been done); the inner one, just before the work, those that strike while or after it is done.
 */
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { Fault, StruckCall } from './faults.js';
import { count, pause, type World } from './world.js';

export type GateEnv = { Bindings: HttpBindings; Variables: { fault: Fault | undefined } };

const ANSWERED_KINDS = ['401', '404', '429', '500', '503'] as const;
type AnsweredKind = (typeof ANSWERED_KINDS)[number];

/** How a provider words these answers. */
export type FaultAnswer = (c: Context<GateEnv>, kind: AnsweredKind) => Response;

export function outerGate(
  world: World,
  target: 'signature' | 'payment',
  operation: string,
  answer: FaultAnswer,
): MiddlewareHandler<GateEnv> {
  return async (c, next) => {
    count(world.counters.calls, `${target}.${operation}`);
    const call = target === 'payment' ? await callOf(c) : undefined;
    const fault = world.faults.take(target, operation, undefined, call);
    if (!fault) return next();
    if (fault.kind === 'timeout') {
      await silence(c.req.raw.signal, world.closing);
      return lose(c);
    }
    if (fault.kind === '404_html') return c.html(NOT_FOUND_PAGE, 404);
    if (fault.kind === 'reset' || isAnswered(fault.kind)) {
      await pause(fault.delayMs ?? 0, world.closing);
      return fault.kind === 'reset' ? lose(c) : answer(c, fault.kind);
    }
    c.set('fault', fault);
    return next();
  };
}

/** As web servers and proxies word it. */
const NOT_FOUND_PAGE =
  '<!doctype html><html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>';

async function callOf(c: Context<GateEnv>): Promise<StruckCall> {
  return { idempotencyKey: c.req.header('Idempotency-Key'), body: await c.req.text() };
}

function isAnswered(kind: string): kind is AnsweredKind {
  const kinds: readonly string[] = ANSWERED_KINDS;
  return kinds.includes(kind);
}

/** Until the caller gives up or the sandbox closes. */
function silence(...signals: AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    }
  });
}

export function innerGate(world: World, answer: FaultAnswer): MiddlewareHandler<GateEnv> {
  return async (c, next) => {
    const fault = c.get('fault');
    if (!fault) return next();
    if (fault.kind === 'answer_late') return next();
    await pause(fault.delayMs ?? (fault.kind === 'delay' ? 1000 : 0), world.closing);
    if (fault.kind === '500_stored') return answer(c, '500');
    await next();
    return undefined;
  };
}

/** Put outermost: after everything, stored results included, the answer of this call arrives late, or never. */
export function loseAnswers(world: World): MiddlewareHandler<GateEnv> {
  return async (c, next) => {
    await next();
    const fault = c.get('fault');
    if (fault?.kind === 'answer_late') {
      await pause(fault.delayMs ?? 1000, world.closing, world.faults.untilTakenAway(fault));
    }
    if (fault?.kind !== 'answer_lost') return;
    c.res = undefined;
    c.res = lose(c);
  };
}

const LOST = 'x-sandbox-connection-lost';

function lose(c: Context<GateEnv>): Response {
  const socket = (c.env as Partial<HttpBindings> | undefined)?.incoming?.socket;
  if (!socket) return new Response(null, { status: 500, headers: { [LOST]: '1' } });
  socket.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

/** Whether an in-process call has to see a broken connection. */
export function isLost(answer: Response): boolean {
  return answer.headers.has(LOST);
}
