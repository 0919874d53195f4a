/**
 * The two gates that every provider call passes. The outer one counts the call and plays the faults of the way there
 * (nothing has been done); the inner one, just before the work, those that strike while or after it is done.
 */
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { Fault } from './faults.js';
import { count, pause, type World } from './world.js';

export type GateEnv = { Bindings: HttpBindings; Variables: { fault: Fault | undefined } };

type OuterKind = '401' | '404' | '429' | '500' | '503';

/** How a provider words these answers. */
export type FaultAnswer = (c: Context<GateEnv>, kind: OuterKind) => Response;

export function outerGate(
  world: World,
  target: 'signature' | 'payment',
  operation: string,
  answer: FaultAnswer,
): MiddlewareHandler<GateEnv> {
  return async (c, next) => {
    count(world.counters.calls, `${target}.${operation}`);
    const fault = world.faults.take(target, operation);
    if (!fault) return next();
    switch (fault.kind) {
      case 'delay':
      case 'answer_lost':
      case '500_stored':
        c.set('fault', fault);
        return next();
      case 'timeout':
        await new Promise<void>((resolve) => {
          for (const signal of [c.req.raw.signal, world.closing]) {
            if (signal.aborted) resolve();
            signal.addEventListener('abort', () => resolve());
          }
        });
        return lose(c);
      case 'reset':
        await pause(fault.delayMs ?? 0, world.closing);
        return lose(c);
      default:
        await pause(fault.delayMs ?? 0, world.closing);
        return answer(c, fault.kind as OuterKind);
    }
  };
}

export function innerGate(world: World, answer: FaultAnswer): MiddlewareHandler<GateEnv> {
  return async (c, next) => {
    const fault = c.get('fault');
    if (!fault) return next();
    await pause(fault.delayMs ?? (fault.kind === 'delay' ? 1000 : 0), world.closing);
    if (fault.kind === '500_stored') return answer(c, '500');
    await next();
    return undefined;
  };
}

/** Put outermost: after everything, stored results included, the answer of this call never arrives. */
export function loseAnswers(): MiddlewareHandler<GateEnv> {
  return async (c, next) => {
    await next();
    if (c.get('fault')?.kind !== 'answer_lost') return;
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
