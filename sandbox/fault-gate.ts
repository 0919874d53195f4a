/**
 * The two gates of every provider call. The outer one counts the call and plays faults on the way in, before anything
 * is done; the inner one, just before the work, plays faults during or after it.
 */
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { Fault, FaultKind } from './faults.js';
import { count, pause, type World } from './world.js';

export type GateEnv = { Bindings: HttpBindings; Variables: { fault: Fault | undefined } };

/** The refusals of a provider, each in its own words. */
export type FaultAnswers = { '500': Answer } & { [kind in FaultKind]?: Answer };
type Answer = (c: Context<GateEnv>) => Response;

export function outerGate(
  world: World,
  target: 'signature' | 'payment',
  operation: string,
  answers: FaultAnswers,
  pageOf?: (query: Record<string, string>) => number,
): MiddlewareHandler<GateEnv> {
  return async (c, next) => {
    count(world.counters.calls, `${target}.${operation}`);
    if (world.faults.isEmpty) return next();
    const fault = world.faults.take(target, operation, undefined, {
      idempotencyKey: c.req.header('Idempotency-Key'),
      about: await aboutOf(world, c),
      page: pageOf && (() => pageOf(c.req.query())),
    });
    if (!fault) return next();
    if (fault.kind === 'timeout') {
      await pause(UNTIL_GIVEN_UP_MS, c.req.raw.signal, world.closing);
      return lose(c);
    }
    if (fault.kind === '404_html') return c.html(NOT_FOUND_PAGE, 404);
    const answer = fault.kind === 'reset' ? lose : answers[fault.kind];
    if (answer) {
      await pause(fault.delayMs ?? 0, world.closing);
      return answer(c);
    }
    if (fault.kind === 'interim') sendInterim(c);
    c.set('fault', fault);
    return next();
  };
}

function sendInterim(c: Context<GateEnv>): void {
  const outgoing = (c.env as Partial<HttpBindings> | undefined)?.outgoing;
  outgoing?.writeContinue();
  outgoing?.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
}

/** The longest time that a timer takes: the caller gives up, or the sandbox closes, long before. */
const UNTIL_GIVEN_UP_MS = 2 ** 31 - 1;

/** In the words of web servers and proxies. */
const NOT_FOUND_PAGE =
  '<!doctype html><html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>';

/** All that a fault about one thing may name it by. */
async function aboutOf({ sessions, signatureRequests }: World, c: Context<GateEnv>): Promise<string> {
  const id = c.req.param('id') ?? '';
  const [session, request] = [sessions.get(id), signatureRequests.get(id)];
  const isFile = c.req.header('Content-Type')?.startsWith('multipart/') ?? false;
  return [
    c.req.path,
    // A page is not about the thing behind which it begins.
    ...Object.values({ ...c.req.query(), starting_after: '' }),
    isFile ? '' : await c.req.text(),
    session?.customer_email,
    session?.client_reference_id,
    request?.name,
    request?.externalId,
    ...(request?.signers.map(({ info }) => info.email) ?? []),
  ].join('\n');
}

export function innerGate(world: World, answers: FaultAnswers): MiddlewareHandler<GateEnv> {
  return async (c, next) => {
    const fault = c.get('fault');
    if (!fault || fault.kind === 'answer_late') return next();
    await pause(fault.delayMs ?? (fault.kind === 'delay' ? 1000 : 0), world.closing);
    if (fault.kind === '500_stored') return answers['500'](c);
    await next();
    return undefined;
  };
}

/** Outermost: after everything, stored results included, the answer arrives late or never. */
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

/** Whether an in-process call must see a broken connection. */
export function isLost(answer: Response): boolean {
  return answer.headers.has(LOST);
}
