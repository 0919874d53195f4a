/** Log-in and refresh (rules 6), with the messages that clients of such APIs know. */
import { Hono } from 'hono';
import { z } from 'zod';
import { MINUTE_MS } from '../../core/clock.js';
import type { Context } from '../../core/context.js';
import { authenticate } from '../../core/users/authenticate.js';
import { invalidateRefreshToken, issueRefreshToken, refreshTokens } from '../../core/users/tokens.js';
import { BODY_BYTES_MAX, JSON_TYPES, readBody, readJsonObject, checkContentType } from '../http/body.js';
import { addressOf } from '../http/client-address.js';
import { documented } from './docs/operation.js';
import { HttpError } from '../http/errors.js';
import { bareType } from '../http/media-types.js';
import { unauthorized } from './middleware.js';
import type { Call, Env, Parts } from '../parts.js';

const FORM = 'application/x-www-form-urlencoded';
const GROUP = 'Log-in';

const Credentials = z.object({
  username: key('username').meta({ description: 'An e-mail address', examples: ['anna@example.org'] }),
  password: key('password').meta({ examples: ['a good pass phrase'] }),
});

/** A member of the log-in, with the usual messages. */
function key(name: string) {
  const unfit = `The key "${name}" must be a non-empty string.`;
  return z
    .string({ error: ({ input }) => (input === undefined ? `The key "${name}" must be provided.` : unfit) })
    .min(1, unfit);
}

const TOKEN = z
  .string()
  .min(1)
  .meta({ examples: ['3f7c0a…'] });
const Refresh = z.object({ refresh_token: TOKEN });

const TOKENS = {
  status: 200,
  about: 'A token for an hour and one to renew it.',
  schema: z.object({ token: z.string().meta({ examples: ['eyJhbGciOiJIUzI1NiJ9…'] }), refresh_token: TOKEN }),
} as const;

const REFRESH = { schema: Refresh, mediaTypes: [...JSON_TYPES, FORM], refuses: [400, 413, 415] } as const;

const LOGIN = documented({
  title: 'Logs in',
  group: GROUP,
  takes: { schema: Credentials, mediaTypes: JSON_TYPES, refuses: [400, 401, 413, 415] },
  returns: TOKENS,
});
const RENEW = documented({
  title: 'Exchanges a refresh token for a new token',
  about: 'A refresh token is good for one exchange; the answer holds the next.',
  group: GROUP,
  takes: REFRESH,
  returns: TOKENS,
  refuses: [401],
});
const INVALIDATE = documented({
  title: 'Ends a refresh token',
  group: GROUP,
  takes: REFRESH,
  returns: {
    status: 200,
    about: 'It is no longer good.',
    schema: z.object({
      code: z.literal(200),
      message: z.string().meta({ examples: ['The supplied refresh_token has been invalidated.'] }),
    }),
  },
});

export function loginRoutes(parts: Parts) {
  const { ctx, tokens } = parts;
  return new Hono<Env>()
    .post('/api/login_check', LOGIN, async (c) => {
      const user = await login(c, parts);
      const refreshToken = await issueRefreshToken(ctx, user);
      if (refreshToken === undefined) throw badCredentials();
      return sendTokens(c, await tokens.issue(user), refreshToken);
    })
    .post('/api/token/refresh', RENEW, async (c) => {
      const given = await refreshTokenOf(c);
      if (given === undefined) throw new HttpError(401, 'Missing JWT Refresh Token');
      const { user, refreshToken } = await refresh(ctx, given);
      return sendTokens(c, await tokens.issue(user), refreshToken);
    })
    .post('/api/token/invalidate', INVALIDATE, async (c) => {
      const given = await refreshTokenOf(c);
      if (given === undefined) throw new HttpError(400, 'No refresh_token found.');
      const wasAlive = await invalidateRefreshToken(ctx, given);
      const message = wasAlive
        ? 'The supplied refresh_token has been invalidated.'
        : 'The supplied refresh_token is already invalid.';
      return sendPlain(c, { code: 200, message });
    });
}

async function login(c: Call, parts: Parts) {
  const { username, password } = await credentialsOf(c);
  const address = addressOf(c, parts);
  const outcome = await authenticate(parts.ctx, parts.logins, { username, password, address });
  switch (outcome.type) {
    case 'known':
      return outcome.user;
    case 'refused':
      throw badCredentials();
    case 'throttled':
      throw throttled(outcome.waitMs);
  }
}

/** The same message for a wrong name, a wrong password and a disabled account. */
function badCredentials(): HttpError {
  return unauthorized('Invalid credentials.');
}

/** 429 for passwords guessed too quickly. */
export function throttled(waitMs: number): HttpError {
  const minutes = Math.ceil(waitMs / MINUTE_MS);
  return new HttpError(
    429,
    `Too many failed login attempts, please try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`,
    { headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) } },
  );
}

async function credentialsOf(c: Call): Promise<{ username: string; password: string }> {
  const body = await readJsonObject(c).catch((error: unknown) => {
    throw error instanceof HttpError && error.status === 400 ? new HttpError(400, 'Invalid JSON.') : error;
  });
  const parsed = Credentials.safeParse(body);
  if (!parsed.success) throw new HttpError(400, parsed.error.issues[0]?.message ?? 'Bad Request');
  return parsed.data;
}

async function refresh(ctx: Context, given: string) {
  const outcome = await refreshTokens(ctx, given);
  switch (outcome.type) {
    case 'refreshed':
      return outcome;
    case 'unknown':
      throw new HttpError(401, 'JWT Refresh Token Not Found');
    case 'invalid':
      throw new HttpError(401, 'Invalid JWT Refresh Token');
  }
}

/** From a JSON or form body, never from the address, which ends up in logs; undefined when there is none. */
async function refreshTokenOf(c: Call): Promise<string | undefined> {
  const contentType = c.req.header('Content-Type');
  if (contentType === undefined) return undefined;
  checkContentType(c, [...JSON_TYPES, FORM]);
  const body =
    bareType(contentType) === FORM
      ? Object.fromEntries(new URLSearchParams((await readBody(c, BODY_BYTES_MAX)).toString('utf8')))
      : await readJsonObject(c);
  return Refresh.safeParse(body).data?.refresh_token;
}

function sendTokens(c: Call, token: string, refreshToken: string): Response {
  return sendPlain(c, { token, refresh_token: refreshToken });
}

function sendPlain(c: Call, body: unknown): Response {
  c.header('Cache-Control', 'no-store');
  return c.json(body);
}
