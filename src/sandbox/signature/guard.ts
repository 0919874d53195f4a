/** What every call of the signature API passes before its handler runs. */
import type { MiddlewareHandler } from 'hono';
import { innerGate, outerGate, type GateEnv } from '../fault-gate.js';
import type { World } from '../world.js';
import { answerProblem, faultAnswer, Problem } from './problems.js';
import { rateLimit } from './rate-limit.js';

type Handler = MiddlewareHandler<GateEnv>;
export type Guard = (operation: string) => [Handler, Handler, Handler, Handler];

export function createGuard(world: World): Guard {
  // One limiter for all operations: the provider counts calls, not kinds of calls.
  const limit = rateLimit(world);
  const authenticate = bearerOnly(world);
  const inner = innerGate(world, faultAnswer);
  return (operation) => [limit, outerGate(world, 'signature', operation, faultAnswer), authenticate, inner];
}

function bearerOnly(world: World): Handler {
  return (c, next) => {
    if (c.req.header('Authorization') === `Bearer ${world.settings.apiKey}`) return next();
    const problem = new Problem(401, 'unauthorized', 'The API key is missing or invalid.');
    return Promise.resolve(answerProblem(c, problem));
  };
}
