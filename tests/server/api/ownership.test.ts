/** What belongs to somebody else is answered like what is not there, to the byte: nobody learns which ids are taken (rules 6). */
import { expect, test } from 'vitest';
import { createUser } from '../../../src/core/users/create-user.js';
import { createApp } from '../../../src/server/app.js';
import { startApp, TESTER } from '../../support/app.js';
import { describedBy, type DescribedOperation } from './docs/described.js';

const PASSWORD = 'what nobody would guess';
const TAKEN = 1;
const FREE = 999;

test('no operation tells an item of somebody else from one that is not there', async () => {
  const { operations, ask } = await annasThings();
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    expect([operation.name, (await ask('anna', operation, TAKEN)).status]).toEqual([operation.name, 200]);
  }
  for (const operation of operations) {
    const { name } = operation;
    const missing = await ask('ben', operation, FREE);
    expect([name, missing.status]).toEqual([name, 404]);
    expect([name, await ask('ben', operation, TAKEN)]).toEqual([name, missing]);
  }
});

test('no list has anything of somebody else', async () => {
  const { lists, ask } = await annasThings();
  const found = async (who: string) => {
    const answers = await Promise.all(lists.map((operation) => ask(who, operation, TAKEN)));
    return answers.map(({ text }) => (JSON.parse(text) as Record<string, number>)['hydra:totalItems']);
  };
  expect(await found('anna')).toEqual(lists.map(() => 1));
  expect(await found('admin')).toEqual(lists.map(() => 1));
  expect(await found('ben')).toEqual(lists.map(() => 0));
});

type Ask = (
  who: string,
  operation: DescribedOperation,
  id: number,
) => Promise<{ status: number; text: string }>;

/** Anna, whose id is 1 like those of all that is hers; Ben, who has nothing; and the operations on single items. */
async function annasThings(): Promise<{
  operations: DescribedOperation[];
  lists: DescribedOperation[];
  ask: Ask;
}> {
  const service = await startApp({
    env: { ESIGN_RATE_LIMIT_IP: '0', ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' },
  });
  const app = createApp(service.ctx);
  const tokens = new Map<string, string>();
  const send = (who: string, method: string, path: string, body?: object) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = {
      Authorization: `Bearer ${tokens.get(who)}`,
      ...(body && { 'Content-Type': type }),
    };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return app.request(path, init, { incoming: { socket: { remoteAddress: '192.0.2.1' } } });
  };
  for (const who of ['anna', 'ben', 'admin']) {
    const username = `${who}@example.org`;
    const role = who === 'admin' ? 'ROLE_ADMIN' : 'ROLE_USER';
    const names = { firstName: 'Anna', lastName: 'Weber' };
    await createUser(service.ctx, { username, password: PASSWORD, role, ...names }, TESTER);
    const answer = await send(who, 'POST', '/api/login_check', { username, password: PASSWORD });
    tokens.set(who, ((await answer.json()) as { token: string }).token);
  }

  const request = '/api/requests/1';
  const equipment = { name: 'Boiler', model: 'B-200', serialNumber: 'SN-1' };
  const hook = { url: 'https://127.0.0.1/', event: 'request.created', secret: 'a secret of my own' };
  await send('anna', 'POST', '/api/equipments', equipment);
  await send('anna', 'POST', '/api/requests', {
    title: 't',
    description: 'd',
    equipment: '/api/equipments/1',
  });
  await send('anna', 'POST', '/api/troubleshootings', { request, description: 'Cold again' });
  await send('anna', 'POST', '/api/webhooks', hook);
  await send('anna', 'POST', '/api/webhooks/1/ping');
  await send('admin', 'POST', '/api/offers', { request, amount: 12_000 });
  await send('admin', 'POST', `${request}/signature`);

  const { operations } = await describedBy(app);
  return {
    // The price list is nobody's: it is for administrators (prices.test.ts).
    operations: operations.filter(({ path }) => /^\/api\/(?!prices).*\{id\}/.test(path)),
    lists: operations.filter(
      ({ method, path }) =>
        method === 'GET' && /^\/api\/(requests|contracts|equipments|offers|troubleshootings)$/.test(path),
    ),
    async ask(who, { method, path, bodies }, id) {
      const takesJson = Object.keys(bodies).some((type) => type.endsWith('json'));
      const answer = await send(who, method, path.replace('{id}', String(id)), takesJson ? {} : undefined);
      return { status: answer.status, text: await answer.text() };
    },
  };
}
