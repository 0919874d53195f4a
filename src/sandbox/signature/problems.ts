/** The signature provider's error bodies: `{type, detail}`, with `invalid_params` for invalid input. */
import type { Context } from 'hono';
import { z } from 'zod';
import type { FaultAnswer, GateEnv } from '../fault-gate.js';

export type InvalidParam = { name: string; reason: string };

type ProblemStatus = 400 | 401 | 404 | 415 | 500 | 503;

/** Thrown by rules, turned into an answer in one place. */
export class Problem extends Error {
  readonly status: ProblemStatus;
  readonly type: string;
  readonly invalidParams: InvalidParam[];

  constructor(status: ProblemStatus, type: string, detail: string, invalidParams: InvalidParam[] = []) {
    super(detail);
    this.status = status;
    this.type = type;
    this.invalidParams = invalidParams;
  }
}

export function answerProblem(c: Context, { status, type, message, invalidParams }: Problem): Response {
  const invalid_params = invalidParams.length > 0 ? invalidParams : undefined;
  return c.json({ type, detail: message, ...(invalid_params && { invalid_params }) }, status);
}

export const invalid = (name: string, reason: string): Problem =>
  new Problem(400, 'validation.error', 'The data sent is not valid.', [{ name, reason }]);

export const requestNotFound = (id: string): Problem =>
  new Problem(404, 'signature_request.not_found', `Signature request ${id} not found.`);

/** Parses a JSON body and reports all its faults at once. */
export async function readBody<T>(c: Context<GateEnv>, schema: z.ZodType<T>): Promise<T> {
  const body: unknown = await c.req.json().catch(() => {
    throw new Problem(400, 'parameters_not_valid', 'The body is not valid JSON.');
  });
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const params = parsed.error.issues.map(({ path, message }) => ({ name: path.join('.'), reason: message }));
  throw new Problem(400, 'validation.error', 'The data sent is not valid.', params);
}

export const faultAnswer: FaultAnswer = (c, kind) => {
  if (kind === '429') return tooMany(c, 1);
  const problems: Record<typeof kind, () => Problem> = {
    '401': () => new Problem(401, 'unauthorized', 'The API key is invalid.'),
    '404': () => requestNotFound(c.req.param('id') ?? 'unknown'),
    '500': () => new Problem(500, 'internal_error', 'An internal error occurred.'),
    '503': () => new Problem(503, 'maintenance', 'The service is under maintenance.'),
  };
  return answerProblem(c, problems[kind]());
};

/** This error and the rate limit have a shape of their own. */
export function methodNotAllowed(c: Context): Response {
  return c.json({ message: 'Method not allowed' }, 405);
}

export function tooMany(c: Context, resetSeconds: number): Response {
  c.header('Ratelimit-Reset', String(resetSeconds));
  c.header('Retry-After', String(resetSeconds));
  return c.json({ message: 'API rate limit exceeded' }, 429);
}
