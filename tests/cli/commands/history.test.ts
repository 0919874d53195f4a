/** esignctl history: who did what, when and why, about requests, users, webhooks, settings, restores and prunes. */
import { expect, test } from 'vitest';
import { reloadSettings } from '../../../src/core/settings/reload.js';
import { requireUser } from '../../../src/db/users/users.js';
import { subscribed } from '../../support/subscriptions.js';
import { json, jsonError, jsonList, startCli } from '../support.js';

test('history finds entries by who, about what and which kind, the newest first, with the sentence and the reason', async () => {
  const cli = await startCli({}, undefined, { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' });
  const history = async (...words: string[]) => jsonList(await cli.run('history', ...words, '--json'));
  const { request } = await cli.waitingRequest();
  const customer = requireUser(cli.ctx.db, { id: request.ownerId });
  const hook = await subscribed(cli, { url: 'https://a.example/' });
  await cli.run('users disable', customer.username, '--reason', 'moved away');
  await cli.run(`webhooks disable ${hook.id} --reason noise`);
  await cli.run('prune --reason disk');
  await reloadSettings(cli.ctx, { ...cli.ctx.config, apiKey: 'a new key' });

  const ofRequest = await history('--about', request.reference);
  expect(ofRequest.length).toBeGreaterThan(2);
  expect(new Set(ofRequest.map((each) => each['about']))).toEqual(new Set([request.reference]));
  expect(ofRequest.map((each) => each['id'])).toEqual(
    ofRequest.map((each) => Number(each['id'])).toSorted((a, b) => b - a),
  );

  expect(await history('--about', `webhook:${hook.id}`)).toMatchObject([
    { what: 'webhook.disabled', about: `webhook ${hook.id}`, message: 'Webhook switched off', note: 'noise' },
  ]);
  expect(await history('--what', 'user.disabled')).toMatchObject([
    { about: customer.username, actor: expect.stringMatching(/^cli:/), note: 'moved away', requestId: null },
  ]);
  // The account and the customer's requests.
  const ofCustomer = await history('--about', customer.username);
  expect(ofCustomer[0]).toMatchObject({ what: 'user.disabled' });
  expect(ofCustomer.slice(1)).toEqual(ofRequest);

  const [pruned] = await history('--what', 'data');
  expect(pruned).toMatchObject({ what: 'data.pruned', about: null, note: 'disk' });
  expect(await history('--by', String(pruned?.['actor']).slice('cli:'.length))).toEqual(
    (await history()).filter((each) => each['actor'] === pruned?.['actor']),
  );
  expect(await history('--what', 'settings')).toMatchObject([
    { actor: 'signal', message: 'Settings changed: ESIGN_API_KEY' },
  ]);
  expect(JSON.stringify(await history('--what', 'settings'))).not.toContain('a new key');
});

test('history of a deleted request is still found; an unknown name is exit 4, an unknown word exit 2 with the words there are', async () => {
  const cli = await startCli();
  const { id, reference } = await cli.addRequest();
  cli.ctx.db.raw
    .prepare(
      `INSERT INTO history (at, actor, what, requestId, detail)
       VALUES ('2026-03-02T09:00:00.000Z', 'user:x@example.org', 'request.deleted', ?, '{"reference":"x"}')`,
    )
    .run(id);
  cli.ctx.db.raw.prepare('DELETE FROM requests WHERE id = ?').run(id);

  expect(jsonList(await cli.run('history --about', reference, '--json'))[0]).toMatchObject({
    what: 'request.deleted',
    about: `request ${id}`,
  });
  const unknown = await cli.run('history --about REQ-2026-999 --json');
  expect(unknown.code).toBe(4);
  const wrong = await cli.run('history --what nonsense --json');
  expect(wrong.code).toBe(2);
  expect(jsonError(wrong)['message']).toContain('webhook');
  expect(json(await cli.run('history --about webhook:99 --json'))).toEqual([]);
});
