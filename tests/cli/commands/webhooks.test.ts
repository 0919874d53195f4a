/** esignctl webhooks: who is told, what was sent, sending it again, ping, on and off; the history keeps who did it and why. */
import { expect, test } from 'vitest';
import { answered, aReceiver } from '../../support/receiver.js';
import { deliveries, happened, subscribed } from '../../support/subscriptions.js';
import { json, jsonError, jsonList, startCli, type Cli } from '../support.js';

const startLocal = () => startCli({}, undefined, { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' });

/** What the history says about webhooks, newest last. */
const told = (cli: Cli) =>
  cli.ctx.db.raw
    .prepare("SELECT what, actor, requestId, detail FROM history WHERE what LIKE 'webhook.%' ORDER BY id")
    .all()
    .map((row) => {
      const { detail, ...rest } = row as { what: string; actor: string; requestId: number; detail: string };
      return { ...rest, detail: JSON.parse(detail) as object };
    });

test('deliveries: the newest first, of one webhook or of all, or only what never arrived; one with its bytes and its log', async () => {
  const cli = await startLocal();
  const receiver = await aReceiver(answered(200, {}, 'thanks'));
  const { id } = await subscribed(cli, { url: receiver.url });
  const other = await subscribed(cli, { url: receiver.url, event: 'offer.created' });
  await happened(cli, 1);
  await happened(cli, 2, 'offer.created');
  await cli.run(`webhooks disable ${other.id}`);
  await cli.drain();

  const list = async (...words: string[]) =>
    jsonList(await cli.run('webhooks deliveries', ...words, '--json'));
  expect((await list()).map((each) => each['id'])).toEqual([2, 1]);
  expect(await list(String(id))).toEqual([
    {
      id: 1,
      webhookId: id,
      url: receiver.url,
      event: 'request.updated',
      requestId: 1,
      messageId: deliveries(cli)[0]?.messageId,
      state: 'delivered',
      attempts: 1,
      lastOutcome: 'delivered',
      lastError: null,
      createdAt: expect.any(String),
      finishedAt: expect.any(String),
      nextTryAt: null,
    },
  ]);
  expect(await list('--failed')).toMatchObject([{ id: 2, state: 'failed', lastOutcome: 'webhook_disabled' }]);
  expect(await list(String(id), '--failed')).toEqual([]);
  expect((await cli.run('webhooks deliveries 99')).code).toBe(4);

  expect(json(await cli.run('webhooks delivery 1 --json'))).toMatchObject({
    body: receiver.received[0]?.body,
    attempts: [{ outcome: 'delivered', status: 200, answer: 'thanks', headers: expect.any(Object) }],
  });
  expect((await cli.run('webhooks delivery 1')).stdout).toMatch(
    /^attempt 1\t\S+ delivered after \d+ ms thanks$/m,
  );
  expect((await cli.run('webhooks delivery 99')).code).toBe(4);
});

test('redeliver sends the same bytes under the same id, and says what came of it', async () => {
  const cli = await startLocal();
  const receiver = await aReceiver();
  const { id } = await subscribed(cli, { url: receiver.url });
  await happened(cli, 1);
  await cli.drain();

  const previewed = await cli.run('webhooks redeliver 1 --dry-run');
  expect(previewed.stdout).toBe(`would send 1 request.updated to ${receiver.url}\n`);
  const ran = await cli.run('webhooks redeliver 1 --reason', 'they lost a day');
  expect(ran).toMatchObject({ code: 0, stdout: 'delivered 1\n' });

  const [first, second] = receiver.received;
  expect(receiver.received).toHaveLength(2);
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(told(cli)).toEqual([
    {
      what: 'webhook.redelivered',
      actor: expect.stringMatching(/^cli:/),
      requestId: 1,
      detail: { webhookId: id, deliveryId: 1, event: 'request.updated', reason: 'they lost a day' },
    },
  ]);
});

test('redeliver: a receiver that fails is exit 1, and it is tried again; one of several fails alone; off is exit 3', async () => {
  const cli = await startLocal();
  const receiver = await aReceiver(answered(500));
  const { id } = await subscribed(cli, { url: receiver.url });
  await happened(cli, 1);
  await cli.drain();
  const failed = await cli.run('webhooks redeliver 1');
  expect(failed.code).toBe(1);
  expect(failed.stdout).toMatch(/^failed 1: http_500; next attempt \S+\n$/);
  // It is no failure yet, and does not go unsaid where only failures are sent.
  const again = await cli.run('webhooks redeliver 1 --json');
  expect([again.code, json(again)]).toMatchObject([1, { redelivered: 0, waiting: 1, failed: 0 }]);
  const onlyFailed = await cli.run('webhooks redeliver --failed');
  expect(onlyFailed.stderr).toContain('1 delivery waits for the next attempt; at once: esignctl jobs push');

  receiver.answer = answered(204);
  const batch = await cli.run('webhooks redeliver 99 1 --json');
  expect(batch.code).toBe(1);
  expect(json(batch)).toEqual({
    redelivered: 1,
    waiting: 0,
    failed: 1,
    results: [
      { id: 99, state: null, outcome: 'There is no delivery 99.', nextTryAt: null },
      { id: 1, state: 'delivered', outcome: 'delivered', nextTryAt: null },
    ],
  });
  expect((await cli.run('webhooks redeliver 99')).code).toBe(4);

  await cli.run(`webhooks disable ${id}`);
  const off = await cli.run('webhooks redeliver 1 --json');
  expect(off.code).toBe(3);
  expect(jsonError(off)).toMatchObject({
    code: 'webhook_disabled',
    hint: expect.stringContaining(`esignctl webhooks enable ${id}`),
  });
});

test('off and on: told once each, by whom and why; the same again is no news', async () => {
  const cli = await startLocal();
  const { id } = await subscribed(cli, { url: 'https://hooks.example.org/' });
  for (const verb of ['disable', 'disable', 'enable', 'enable'])
    expect((await cli.run(`webhooks ${verb} ${id} --reason`, 'receiver moves')).code).toBe(0);
  const entry = { actor: expect.stringMatching(/^cli:/), requestId: null };
  const detail = { webhookId: id, reason: 'receiver moves' };
  expect(told(cli)).toEqual([
    { what: 'webhook.disabled', ...entry, detail },
    { what: 'webhook.enabled', ...entry, detail },
  ]);
});

test('ping: the receiver answers, or the word for its trouble and exit 1', async () => {
  const cli = await startLocal();
  const receiver = await aReceiver();
  const { id } = await subscribed(cli, { url: receiver.url });
  const ping = (...words: string[]) => cli.run(`webhooks ping ${id}`, ...words);

  expect((await ping('--dry-run')).stdout).toBe(`would ping webhook ${id} at ${receiver.url}\n`);
  expect(receiver.received).toEqual([]);
  expect(await ping()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^webhook \d+ answered 204 after \d+ ms/),
  });
  receiver.answer = answered(503, { 'Retry-After': '60' });
  expect(await ping()).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('did not accept the ping: http_503'),
  });
  expect(receiver.received.map(({ headers }) => headers['x-webhook-event'])).toEqual(['ping', 'ping']);
  expect(json(await ping('--json'))).toMatchObject({
    event: 'ping',
    state: 'failed',
    attempts: [{ status: 503 }],
  });
});
