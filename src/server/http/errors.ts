/**
 * Errors on the wire (rules 7): `code`, `message` and `errors`, plus the members that Hydra clients read. Only here
 * do kinds of refusal become statuses.
 */
import { STATUS_CODES } from 'node:http';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { AppError, type ErrorKind } from '../../core/errors.js';
import { isPassingOutage } from '../../core/status/readiness.js';
import { chooseType, JSON_TYPE, LD_JSON, PROBLEM_JSON } from './media-types.js';
import type { Call, Parts } from '../parts.js';

export interface HttpErrorOptions {
  /** Message per field. */
  fields?: Record<string, string>;
  headers?: Record<string, string>;
  /** More members of the body. */
  members?: Record<string, unknown>;
}

/** A refusal, thrown wherever it is noticed. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: ContentfulStatusCode;
  readonly fields: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly members: Record<string, unknown>;

  constructor(status: ContentfulStatusCode, message: string, options: HttpErrorOptions = {}) {
    super(message);
    this.status = status;
    this.fields = options.fields ?? {};
    this.headers = options.headers ?? {};
    this.members = options.members ?? {};
  }
}

const STATUS_OF_KIND = {
  invalid: 422,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  refused: 422,
  busy: 409,
  unavailable: 503,
} as const satisfies Record<ErrorKind, ContentfulStatusCode>;

export function answerError(parts: Parts) {
  return (error: Error, c: Call): Response => sendError(c, judge(error, c, parts));
}

/** Turns any error into an HttpError. An unexpected one is logged here, once, and reveals nothing to the caller. */
export function judge(error: Error, c: Call, { ctx }: Parts): HttpError {
  const requestId = c.get('requestId');
  const http = toHttpError(error);
  if (http.status === 500) {
    ctx.log.error({ err: error, httpRequestId: requestId }, 'request failed');
    // A read may be the first to hit a damaged page.
    ctx.readiness.saw(error);
  } else if (http.status === 503)
    ctx.log.warn({ error: error.message, httpRequestId: requestId }, 'request not possible now');
  return http;
}

function toHttpError(error: Error): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof AppError) return fromAppError(error);
  if (isPassingOutage(error)) return unavailable();
  // The caller hung up while sending; nobody reads the answer.
  if (error.message === 'aborted' || error.name === 'AbortError') return new HttpError(400, 'Bad Request');
  return new HttpError(500, statusText(500));
}

function fromAppError({ kind, code, message, fields, retryAfterMs }: AppError): HttpError {
  const status = STATUS_OF_KIND[kind];
  if (status === 503) return unavailable(code, retryAfterMs);
  // Wrong input is described by its fields; a rule that refuses has a key.
  const tellsCode = kind === 'refused' || kind === 'busy' || (kind === 'invalid' && code !== 'invalid_input');
  return new HttpError(status, message, {
    fields,
    members: tellsCode ? { key: code } : {},
    headers: kind === 'busy' ? { 'Retry-After': '1' } : {},
  });
}

/** Shows the key, if any, but not whose fault it was. */
function unavailable(key?: string, retryAfterMs = 5_000): HttpError {
  return new HttpError(503, statusText(503), {
    headers: { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) },
    members: key === undefined ? {} : { key },
  });
}

export function sendError(c: Call, error: HttpError): Response {
  const body = errorBody(error, c.get('requestId'));
  const type = chooseType(c.req.header('Accept'), [LD_JSON, JSON_TYPE, PROBLEM_JSON]) ?? LD_JSON;
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  c.header('Content-Type', `${type}; charset=utf-8`);
  c.header('Cache-Control', 'no-store');
  return c.body(JSON.stringify(body), error.status);
}

export function errorBody({ status, message, fields, members }: HttpError, requestId: string) {
  const violations = Object.entries(fields).map(([propertyPath, text]) => ({ propertyPath, message: text }));
  const isList = violations.length > 0;
  const description = isList ? violations.map((v) => `${v.propertyPath}: ${v.message}`).join('\n') : message;
  return {
    '@context': isList ? '/api/contexts/ConstraintViolationList' : '/api/contexts/Error',
    '@type': isList ? 'ConstraintViolationList' : 'hydra:Error',
    code: status,
    message,
    errors: fields,
    ...members,
    ...(status >= 500 && { requestId }),
    'hydra:title': 'An error occurred',
    'hydra:description': description,
    title: 'An error occurred',
    detail: description,
    status,
    violations,
  };
}

function statusText(status: number): string {
  return STATUS_CODES[status] ?? 'Error';
}
