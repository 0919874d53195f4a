/** For tests and scripts in other processes: look at everything, act as customer and provider, switch faults. */
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { faultSchema } from './faults.js';
import { actionsOn, UnknownName } from './handle.js';
import { webhookTargets } from './options.js';
import { charged } from './payment/session.js';
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
  charged: charged.optional(),
  outcome: z.enum(['succeeded', 'failed']).optional(),
});

export function controlApi(world: World): Hono {
  const { setStatus, announce, pay, settlePayment, expireSession, ...actions } = actionsOn(world);
  const signatureActions: Record<string, Action> = {
    ...actions,
    status: (id, { status = 'paused' }) => setStatus(id, status),
    announce: (id, { status = 'declined' }) => announce(id, status),
  };
  const sessionActions: Record<string, Action> = {
    pay,
    settle: (id, { outcome = 'succeeded' }) => settlePayment(id, outcome),
    expire: expireSession,
  };
  const api = new Hono();
  api.onError((error, c) => {
    if (error instanceof z.ZodError) return c.json({ error: z.prettifyError(error) }, 400);
    if (error instanceof RangeError)
      return c.json({ error: error.message }, error instanceof UnknownName ? 404 : 400);
    throw error;
  });

  api.get('/state', (c) => c.json(stateOf(world)));
  api.post('/signature_requests/:id/:action', (c) => act(c, signatureActions));
  api.post('/sessions/:id/:action', (c) => act(c, sessionActions));

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
    const sent = faultSchema.parse(await body(c));
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
    world.webhooks.setTargets(webhookTargets.parse(await body(c)));
    return c.body(null, 204);
  });
  api.post('/webhook-targets', async (c) => {
    world.webhooks.subscribe(webhookTargets.parse(await body(c)));
    return c.body(null, 204);
  });
  api.post('/settled', async (c) => {
    await world.webhooks.settled({ retries: c.req.query('retries') === 'true' });
    return c.body(null, 204);
  });
  return api;
}

type Action = (id: string, given: z.output<typeof options>) => boolean;

/** 200 when something happened, 409 when the state did not allow it. */
async function act(c: Context, actions: Record<string, Action>): Promise<Response> {
  const given = options.parse(await body(c));
  const name = c.req.param('action') ?? '';
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw new UnknownName(`nothing here is called ${name}`);
  const done = action(c.req.param('id') ?? '', given);
  return c.json({ done }, done ? 200 : 409);
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
