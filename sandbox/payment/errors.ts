/** The payment provider's error bodies: `{error: {type, code, message, param}}`. */
import type { Context } from 'hono';
import type { FaultAnswers } from '../fault-gate.js';

type PaymentStatus = 400 | 401 | 403 | 404 | 409 | 429 | 500 | 503;

type More = {
  type?: 'api_error' | 'idempotency_error' | 'invalid_request_error';
  code?: string;
  param?: string;
};

export class PaymentProblem extends Error {
  readonly status: PaymentStatus;
  readonly error: More & { message: string };

  constructor(status: PaymentStatus, message: string, { type, code, param }: More = {}) {
    super(message);
    this.status = status;
    this.error = {
      ...(code && { code }),
      message,
      ...(param && { param }),
      type: type ?? 'invalid_request_error',
    };
  }
}

export const answerProblem = (c: Context, { status, error }: PaymentProblem): Response =>
  c.json({ error }, status);

export const wrongKey = (): PaymentProblem => new PaymentProblem(401, 'Invalid API Key provided');

export const unknownParameter = (param: string, what = 'Received unknown parameter'): PaymentProblem =>
  new PaymentProblem(400, `${what}: ${param}`, { code: 'parameter_unknown', param });

export const noSuchSession = (id: string): PaymentProblem =>
  new PaymentProblem(404, `No such checkout.session: '${id}'`, {
    code: 'resource_missing',
    param: 'session',
  });

export const FAULT_ANSWERS: FaultAnswers = {
  '401': (c) => answerProblem(c, wrongKey()),
  '403': (c) =>
    answerProblem(c, new PaymentProblem(403, 'The provided key does not have the required permissions')),
  '404': (c) => answerProblem(c, noSuchSession(c.req.param('id') ?? 'unknown')),
  '429': (c) => {
    c.header('Retry-After', '1');
    c.header('Ratelimit-Reset', '1');
    return answerProblem(c, new PaymentProblem(429, 'Too many requests', { code: 'rate_limit' }));
  },
  '500': (c) => answerProblem(c, new PaymentProblem(500, 'An unknown error occurred', { type: 'api_error' })),
  '503': (c) =>
    answerProblem(c, new PaymentProblem(503, 'The service is unavailable', { type: 'api_error' })),
};
