/**
 * The signature provider's error bodies, as it documents them: `{type, detail}`, with `invalid_params` for invalid input;
 * 405 and 429 carry `{message}`. `about:blank` is a type like any other: the detail says what is meant.
 */
import type { Context } from 'hono';
import { z } from 'zod';
import type { FaultAnswers, GateEnv } from '../fault-gate.js';

export type InvalidParam = { name: string; reason: string };

type ProblemStatus = 400 | 401 | 403 | 404 | 415 | 500 | 503;

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

export const invalid = (name: string, reason: string): Problem => invalidParams([{ name, reason }]);

const invalidParams = (params: InvalidParam[]): Problem =>
  new Problem(400, 'validation.error', 'You have some invalid params in your payload.', params);

export const requestNotFound = (id: string): Problem =>
  new Problem(404, 'signature_request.not_found', `Signature request ${id} not found.`);

export const notFound = (what: string): Problem =>
  new Problem(404, 'resource.not_found', `${what} not found.`);

export const documentLocked = (): Problem =>
  new Problem(
    400,
    'document.locked',
    'Document is locked, you need to provide its password before adding Signers.',
  );

export const wrongKey = (): Problem => new Problem(401, 'about:blank', 'Invalid authentication.');

/** Parses a JSON body and reports all its faults at once. */
export async function readBody<T>(c: Context<GateEnv>, schema: z.ZodType<T>): Promise<T> {
  const body: unknown = await c.req.json().catch(() => {
    throw new Problem(400, 'parameters_not_valid', 'The body is not valid JSON.');
  });
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const params = parsed.error.issues.map(({ path, message }) => ({ name: path.join('.'), reason: message }));
  throw invalidParams(params);
}

/** This error and the rate limit have a shape of their own. */
export function methodNotAllowed(c: Context): Response {
  c.header('Retry-After', '1');
  return c.json({ message: 'Method not allowed' }, 405);
}

export function tooMany(c: Context, resetSeconds: number): Response {
  c.header('Ratelimit-Reset', String(resetSeconds));
  c.header('Retry-After', String(resetSeconds));
  return c.json({ message: 'API rate limit exceeded' }, 429);
}

const refusing =
  (problem: (id: string) => Problem) =>
  (c: Context<GateEnv>): Response =>
    answerProblem(c, problem(c.req.param('id') ?? 'unknown'));

export const FAULT_ANSWERS: FaultAnswers = {
  '400': refusing(() => invalid('info.last_name', 'This value is not valid.')),
  '400_document': refusing(
    () => new Problem(400, 'document.analyze_error', 'An error has been detected on the given Document.'),
  ),
  '400_locked': refusing(documentLocked),
  '401': refusing(wrongKey),
  '403': refusing(
    () =>
      new Problem(403, 'configuration.not_enabled', 'A given feature is required to perform this action.'),
  ),
  '404': refusing(requestNotFound),
  '404_resource': refusing(() => notFound('Resource')),
  '404_blank': refusing(() => new Problem(404, 'about:blank', 'The requested resource was not found.')),
  '405': methodNotAllowed,
  '422': (c) => c.json({ message: 'Unprocessable', errors: { last_name: 'This value is not valid.' } }, 422),
  '429': (c) => tooMany(c, 1),
  '500': refusing(() => new Problem(500, 'about:blank', 'Something wrong occurred.')),
  '503': refusing(() => new Problem(503, 'about:blank', 'We are currently under maintenance.')),
};
