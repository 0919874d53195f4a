/**
 * Sends a page of a collection again, without the routes. Such a page depends only on the database, its address, the
 * headers that it varies by, and the user. While nothing changes, a call for it is answered here if its token is known
 * and its limits have room. It is counted and logged like any other. All other calls go to the routes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import { ReadMemory } from '../core/calls/read-memory.js';
import type { UserRow } from '../core/users/rights.js';
import { callId, noteAnswer, routeOf } from './call-log.js';
import { clientAddress } from './client-address.js';
import { bearerOf } from './middleware.js';
import type { Call, Env, Parts } from './parts.js';
import { countIfWithin, headersOf } from './rate-limit.js';
import { contentType, isKnown } from './respond.js';

const BYTES_MAX = 16 * 1024 * 1024;
/** What an answer takes besides its address and body. */
const OVERHEAD_BYTES = 2_048;
/** Headers that belong to one call, or to the body. */
const NOT_KEPT = new Set([
  'x-request-id',
  'ratelimit',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'content-type',
  'content-length',
]);
/** Answers for the same address may differ by these headers; see `keyOf`. */
const VARIES_BY = new Set(['accept', 'origin']);

interface Answer {
  route: string;
  /** Names and values in turn, as Node takes them. */
  headers: string[];
  contentType: string;
  etag: string;
  /** Each character is a byte: Node writes such a text in one piece with the headers, without encoding it again. */
  body: string;
}

export class AnswerMemory {
  readonly #parts: Parts;
  readonly #answers: ReadMemory<Answer>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#answers = new ReadMemory(parts.ctx.db, {
      sizeMax: BYTES_MAX,
      sizeOf: ({ body }, key) => body.length + key.length + OVERHEAD_BYTES,
    });
  }

  /** Whether it answered; else nothing has been counted or sent, and the routes must answer. */
  answer(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const begun = performance.now();
    if (!isPlainGet(incoming)) return false;
    const { headers } = incoming;
    const [user, answer] = this.#find(incoming) ?? [];
    if (!user || !answer) return false;
    const standings = countIfWithin(this.#parts, addressOf(incoming, this.#parts), user);
    if (!standings) return false;
    const requestId = callId(headers['x-request-id'] as string | undefined);
    const own = ['x-request-id', requestId, ...headersOf(standings).flat()];
    const status = send(outgoing, answer, { own, ifNoneMatch: headers['if-none-match'] });
    noteAnswer(this.#parts, { method: 'GET', route: answer.route, status, requestId, begun });
    return true;
  }

  #find(incoming: IncomingMessage): [UserRow, Answer | undefined] | undefined {
    const token = bearerOf(incoming.headers.authorization);
    return ifReadable(() => {
      const user = token === undefined ? undefined : this.#parts.tokens.known(token);
      return user && [user, this.#answers.known(keyOf(user, incoming))];
    });
  }

  /** The outermost middleware of the API. Keeps the page that a route has sent. */
  keep(): MiddlewareHandler<Env> {
    return async (c, next) => {
      const incoming = c.env?.incoming;
      if (!incoming || !isPlainGet(incoming)) return next();
      // Before the user is read: the page depends on the row.
      const mark = ifReadable(() => this.#parts.ctx.db.changeMark());
      await next();
      const answer = answerOf(c);
      if (answer && mark !== undefined)
        ifReadable(() => this.#answers.keep(keyOf(c.get('user'), incoming), answer, mark));
    };
  }
}

/** Undefined when the database cannot be read: the routes will find that too, and report it. */
function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** A GET without a body, and without a repeated header that Node and the routes would read differently. */
function isPlainGet({ method, headers, rawHeaders }: IncomingMessage): boolean {
  if (method !== 'GET' || headers['content-length'] || headers['transfer-encoding']) return false;
  return isOnce(rawHeaders, 'authorization') && isOnce(rawHeaders, 'host');
}

function isOnce(rawHeaders: string[], name: string): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const given = rawHeaders[i] as string;
    if (given.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count === 1;
}

/** None of its parts can hold a line break. */
function keyOf({ id }: UserRow, { url, headers }: IncomingMessage): string {
  const { host = '', accept = '', origin = '' } = headers;
  return [id, url, host, accept, origin].join('\n');
}

function addressOf({ socket, headers }: IncomingMessage, { isTrustedProxy }: Parts): string {
  const forwardedFor = headers['x-forwarded-for'] as string | undefined;
  return clientAddress({ peer: socket.remoteAddress, forwardedFor }, isTrustedProxy);
}

function answerOf(c: Call): Answer | undefined {
  const page = c.get('page');
  const { status, headers } = c.res;
  if (!page || (status !== 200 && status !== 304) || !variesAsKept(headers.get('Vary'))) return undefined;
  return {
    route: routeOf(c),
    headers: [...headers].filter(([name]) => !NOT_KEPT.has(name)).flat(),
    contentType: contentType(c),
    etag: page.etag,
    body: Buffer.from(page.text).toString('latin1'),
  };
}

function variesAsKept(vary: string | null): boolean {
  return (vary ?? '').split(',').every((name) => VARIES_BY.has(name.trim().toLowerCase()));
}

function send(
  outgoing: ServerResponse,
  answer: Answer,
  { own, ifNoneMatch }: { own: string[]; ifNoneMatch: string | undefined },
): 200 | 304 {
  const headers = [...answer.headers, ...own];
  if (isKnown(ifNoneMatch, answer.etag)) {
    outgoing.writeHead(304, headers).end();
    return 304;
  }
  headers.push('content-type', answer.contentType, 'content-length', String(answer.body.length));
  outgoing.writeHead(200, headers).end(answer.body, 'latin1');
  return 200;
}
