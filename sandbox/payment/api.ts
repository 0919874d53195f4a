/** The payment provider's Checkout Sessions: create, get, list, expire. */
import { Hono, type MiddlewareHandler } from 'hono';
import { innerGate, loseAnswers, outerGate, type GateEnv } from '../fault-gate.js';
import { count, type World } from '../world.js';
import { expireSession, findSession, listSessions } from './actions.js';
import { checkNewSession, type NewSession } from './checks.js';
import {
  answerProblem,
  FAULT_ANSWERS,
  noSuchSession,
  PaymentProblem,
  unknownParameter,
  wrongKey,
} from './errors.js';
import { decodeForm } from './form.js';
import { idempotent } from './idempotency.js';
import { emailOf, sessionView, type PaymentSession } from './session.js';

export function paymentApi(world: World): Hono<GateEnv> {
  const api = new Hono<GateEnv>();
  const gate = (
    operation: string,
    pageOf?: (query: Record<string, string>) => number,
  ): MiddlewareHandler<GateEnv> => outerGate(world, 'payment', operation, FAULT_ANSWERS, pageOf);
  const once = idempotent(world);
  const inner = innerGate(world, FAULT_ANSWERS);
  const authenticate = keyOnly(world);

  api.use(loseAnswers(world));
  api.onError((error, c) => {
    if (error instanceof PaymentProblem) return answerProblem(c, error);
    throw error;
  });

  api.post('/', gate('create'), authenticate, once, inner, async (c) => {
    const fresh = checkNewSession(decodeForm(await c.req.text()), seconds(world));
    const session = createSession(world, fresh, c.req.header('Idempotency-Key') ?? null);
    return c.json(sessionView(world, session));
  });

  api.get(
    '/',
    gate('list', (query) => Math.floor(startOf(world, query) / limitOf(query)) + 1),
    authenticate,
    inner,
    (c) => {
      const query = c.req.query();
      const limit = limitOf(query);
      if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
        throw new PaymentProblem(400, 'limit must be from 1 to 100', { param: 'limit' });
      }
      const isFirstAgain = c.get('fault')?.kind === 'first_page';
      const sessions = wantedSessions(world, query);
      const start = isFirstAgain ? 0 : startOf(world, query);
      return c.json({
        object: 'list',
        url: '/v1/checkout/sessions',
        has_more: isFirstAgain || start + limit < sessions.length,
        data: sessions.slice(start, start + limit).map((session) => sessionView(world, session)),
      });
    },
  );

  api.get('/:id', gate('get'), authenticate, inner, (c) =>
    c.json(sessionView(world, getSession(world, c.req.param('id')))),
  );

  api.post('/:id/expire', gate('expire'), authenticate, once, inner, (c) => {
    const session = getSession(world, c.req.param('id'));
    if (!expireSession(world, session)) {
      throw new PaymentProblem(400, `Only open sessions can be expired; this one is ${session.status}.`);
    }
    return c.json(sessionView(world, session));
  });

  return api;
}

/** As bearer token, or as the user name of basic authentication. */
function keyOnly(world: World): MiddlewareHandler<GateEnv> {
  const key = world.settings.paymentKey;
  const accepted = [`Bearer ${key}`, `Basic ${Buffer.from(`${key}:`).toString('base64')}`];
  return (c, next) => {
    if (accepted.includes(c.req.header('Authorization') ?? '')) return next();
    throw wrongKey();
  };
}

function getSession(world: World, id: string): PaymentSession {
  const session = findSession(world, id);
  if (!session) throw noSuchSession(id);
  return session;
}

function createSession(world: World, fresh: NewSession, idempotencyKey: string | null): PaymentSession {
  const session: PaymentSession = {
    id: `cs_test_${world.ids.token(58)}`,
    status: 'open',
    payment_status: 'unpaid',
    created: seconds(world),
    payment_intent: null,
    charged: null,
    idempotencyKey,
    ...fresh,
  };
  world.sessions.set(session.id, session);
  count(world.counters.sessionsByKey, idempotencyKey ?? '-');
  return session;
}

const seconds = (world: World): number => Math.floor(world.now() / 1000);

type Wanted = (session: PaymentSession) => boolean;

const FILTERS: Readonly<Record<string, (value: string) => Wanted>> = {
  'created[gt]': (value) => byTime(value, (created, at) => created > at),
  'created[gte]': (value) => byTime(value, (created, at) => created >= at),
  'created[lt]': (value) => byTime(value, (created, at) => created < at),
  'created[lte]': (value) => byTime(value, (created, at) => created <= at),
  'customer_details[email]': (value) => (session) => emailOf(session) === value,
  payment_intent: (value) => (session) => session.payment_intent === value,
  status: (value) => (session) => session.status === value,
};

const PAGING = ['limit', 'starting_after'];

const limitOf = (query: Record<string, string>): number => Number(query['limit'] ?? 10);

const wantedSessions = (world: World, query: Record<string, string>): PaymentSession[] =>
  listSessions(world).filter(isWanted(query));

/** Of the page that is asked for, among those that are wanted. */
function startOf(world: World, query: Record<string, string>): number {
  const after = query['starting_after'];
  return after === undefined ? 0 : wantedSessions(world, query).findIndex(({ id }) => id === after) + 1;
}

/** Throws for a parameter that the provider does not know. */
function isWanted(query: Record<string, string>): Wanted {
  const filters = Object.entries(query)
    .filter(([name]) => !PAGING.includes(name))
    .map(([name, value]) => {
      const filter = FILTERS[name];
      if (!filter) throw unknownParameter(name);
      return filter(value);
    });
  return (session) => filters.every((isMatch) => isMatch(session));
}

function byTime(value: string, compare: (created: number, at: number) => boolean): Wanted {
  if (!/^\d+$/.test(value)) throw new PaymentProblem(400, `Invalid integer: ${value}`, { param: 'created' });
  return ({ created }) => compare(created, Number(value));
}
