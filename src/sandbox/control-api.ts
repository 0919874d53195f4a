/** For tests and scripts in other processes: look at everything, act as customer and provider, switch faults. */
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { actionsOn } from './handle.js';
import { mailState, stateOf } from './state.js';
import type { World } from './world.js';

const text = z.string().optional();

const options = z.object({
  completedAt: z.union([z.string(), z.number()]).optional(),
  signerId: text,
  reason: text,
  permanent: z.boolean().optional(),
  status: text,
  async: z.boolean().optional(),
  outcome: z.enum(['succeeded', 'failed']).optional(),
});

const targets = z.object({
  webhookUrl: z.url().optional(),
  webhookHeader: text,
  webhookSecret: text,
  paymentWebhookUrl: z.url().optional(),
  paymentWebhookSecret: text,
});

const fault = z.union([
  z.object({ fault: z.string() }),
  z.object({
    target: z.string(),
    kind: z.string(),
    times: z.number().optional(),
    rate: z.number().optional(),
    delayMs: z.number().optional(),
    operation: text,
    about: text,
    timesPerKey: z.number().optional(),
  }),
]);

export function controlApi(world: World): Hono {
  const api = new Hono();
  api.onError((error, c) => {
    if (error instanceof z.ZodError) return c.json({ error: z.prettifyError(error) }, 400);
    if (error instanceof RangeError)
      return c.json({ error: error.message }, error.message.startsWith('nothing') ? 404 : 400);
    throw error;
  });

  api.get('/state', (c) => c.json(stateOf(world)));
  api.post('/signature_requests/:id/:action', (c) => act(world, c, signatureAction));
  api.post('/sessions/:id/:action', (c) => act(world, c, sessionAction));

  api.get('/mails', (c) => c.json(world.mailbox.list().map(mailState)));
  api.get('/mails/:number', (c) => {
    const mail = world.mailbox.find(Number(c.req.param('number')));
    return mail ? c.json(mailState(mail)) : c.json({ error: 'no such mail' }, 404);
  });
  api.delete('/mails', (c) => {
    world.mailbox.clear();
    return c.body(null, 204);
  });

  api.get('/faults', (c) => c.json(world.faults.list()));
  api.post('/faults', async (c) => {
    const sent = fault.parse(await body(c));
    return c.json(world.faults.add('fault' in sent ? sent.fault : sent), 201);
  });
  api.delete('/faults', (c) => {
    world.faults.clear();
    return c.body(null, 204);
  });
  api.delete('/faults/:id', (c) => {
    if (world.faults.remove(Number(c.req.param('id')))) return c.body(null, 204);
    return c.json({ error: 'no such fault' }, 404);
  });

  api.put('/webhook-targets', async (c) => {
    world.webhooks.setTargets(targets.parse(await body(c)));
    return c.body(null, 204);
  });
  api.post('/webhook-targets', async (c) => {
    world.webhooks.subscribe(targets.parse(await body(c)));
    return c.body(null, 204);
  });
  api.post('/settled', async (c) => {
    await world.webhooks.settled({ retries: c.req.query('retries') === 'true' });
    return c.body(null, 204);
  });
  return api;
}

type Options = z.output<typeof options>;
type Action = (world: World, id: string, action: string, given: Options) => boolean;

/** 200 when something happened, 409 when the thing was in no state for it. */
async function act(world: World, c: Context, action: Action): Promise<Response> {
  const given = options.parse(await body(c));
  const done = action(world, c.req.param('id') ?? '', c.req.param('action') ?? '', given);
  return c.json({ done }, done ? 200 : 409);
}

function signatureAction(world: World, id: string, action: string, given: Options): boolean {
  const actions = actionsOn(world);
  switch (action) {
    case 'sign':
      return actions.sign(id, given);
    case 'decline':
      return actions.decline(id, given);
    case 'expire':
      return actions.expire(id);
    case 'cancel':
      return actions.cancel(id, given);
    case 'reject':
      return actions.reject(id);
    case 'delete':
      return actions.delete(id, given);
    case 'status':
      return actions.setStatus(id, given.status ?? 'paused');
    default:
      throw new RangeError(`nothing here is called ${action}`);
  }
}

function sessionAction(world: World, id: string, action: string, given: Options): boolean {
  const actions = actionsOn(world);
  switch (action) {
    case 'pay':
      return actions.pay(id, given);
    case 'settle':
      return actions.settlePayment(id, given.outcome ?? 'succeeded');
    case 'expire':
      return actions.expireSession(id);
    default:
      throw new RangeError(`nothing here is called ${action}`);
  }
}

/** An empty body means no options. */
async function body(c: Context): Promise<unknown> {
  const sent = await c.req.text();
  if (sent.trim() === '') return {};
  try {
    return JSON.parse(sent) as unknown;
  } catch {
    throw new RangeError('the body is not valid JSON');
  }
}
