/** The payment provider's error bodies: `{error: {type, code, message, param}}`. */
import type { Context } from 'hono';
import type { FaultAnswer } from '../fault-gate.js';

type PaymentStatus = 400 | 401 | 404 | 409 | 429 | 500 | 503;

export class PaymentProblem extends Error {
  readonly status: PaymentStatus;
  readonly type: 'api_error' | 'idempotency_error' | 'invalid_request_error';
  readonly code: string | undefined;
  readonly param: string | undefined;

  constructor(
    status: PaymentStatus,
    message: string,
    more: { type?: PaymentProblem['type']; code?: string; param?: string } = {},
  ) {
    super(message);
    this.status = status;
    this.type = more.type ?? 'invalid_request_error';
    this.code = more.code;
    this.param = more.param;
  }
}

export function answerProblem(c: Context, { status, type, code, param, message }: PaymentProblem): Response {
  return c.json({ error: { ...(code && { code }), message, ...(param && { param }), type } }, status);
}

export const noSuchSession = (id: string): PaymentProblem =>
  new PaymentProblem(404, `No such checkout.session: '${id}'`, {
    code: 'resource_missing',
    param: 'session',
  });

export const faultAnswer: FaultAnswer = (c, kind) => {
  const problems: Record<typeof kind, () => PaymentProblem> = {
    '401': () => new PaymentProblem(401, 'Invalid API Key provided'),
    '404': () => noSuchSession(c.req.param('id') ?? 'unknown'),
    '429': () => new PaymentProblem(429, 'Too many requests', { code: 'rate_limit' }),
    '500': () => new PaymentProblem(500, 'An unknown error occurred', { type: 'api_error' }),
    '503': () => new PaymentProblem(503, 'The service is unavailable', { type: 'api_error' }),
  };
  if (kind === '429') {
    c.header('Retry-After', '1');
    c.header('Ratelimit-Reset', '1');
  }
  return answerProblem(c, problems[kind]());
};
