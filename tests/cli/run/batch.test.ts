/** An act on several requests: each is shown before the question, one that fails stops no other. */
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { json, jsonError, startCli, type Cli } from '../support.js';

/** Two that can be started and one that is canceled. */
async function three(cli: Cli) {
  const first = await cli.addRequest();
  const canceled = await cli.addRequest();
  const last = await cli.addRequest();
  await cli.run(`requests cancel ${canceled.id} --reason`, 'entered twice');
  return { first, canceled, last, ids: [first, canceled, last].map(({ id }) => String(id)) };
}

const statuses = (cli: Cli, ids: string[]) => ids.map((id) => cli.request(Number(id)).status);

test('each is done, a refused one stops no other, and the exit code is 1', async () => {
  const cli = await startCli();
  const { first, canceled, last, ids } = await three(cli);

  const ran = await cli.run('start-signature', ...ids, '--yes');

  expect(ran.code).toBe(1);
  expect(statuses(cli, ids)).toEqual(['WAITING_SIGNATURE', 'CANCELED', 'WAITING_SIGNATURE']);
  expect(ran.stdout.split('\n')).toEqual([
    expect.stringContaining(`started the signature of request ${first.id} ${first.reference}: contract `),
    expect.stringMatching(
      new RegExp(`^failed ${canceled.reference}: The request is canceled\\. \\[request_canceled\\]$`),
    ),
    expect.stringContaining(`started the signature of request ${last.id} ${last.reference}: contract `),
    'done 2, failed 1',
    '',
  ]);
  expect(ran.stderr).toContain(`requests reopen ${canceled.id} --reason`);
});

test('--json has one result for each, in the order typed', async () => {
  const cli = await startCli();
  const { first, ids } = await three(cli);

  const ran = await cli.run('start-signature', ...ids, '4711', '--yes', '--json');

  expect(ran.code).toBe(1);
  const { results, ...counts } = json(ran);
  expect(counts).toEqual({ done: 2, failed: 2 });
  expect(results).toMatchObject([
    { key: ids[0], requestId: first.id, result: { requestId: first.id, status: 'PENDING' }, error: null },
    { key: ids[1], result: null, error: { code: 'request_canceled' } },
    { key: ids[2], error: null },
    { key: '4711', requestId: null, reference: null, result: null, error: { code: 'request_not_found' } },
  ]);
});

test('without any failure the exit code is 0; a request that is named twice is done once', async () => {
  const cli = await startCli();
  const { first, last } = await three(cli);
  const ids = [first.id, last.id].map(String);
  const ran = await cli.run('requests cancel', ...ids, ...ids, '--reason', 'sold', '--json');
  expect(ran.code).toBe(0);
  expect(json(ran)).toMatchObject({ done: 2, failed: 0 });
  expect(statuses(cli, ids)).toEqual(['CANCELED', 'CANCELED']);
});

test('on a terminal each is shown with its customer, its price and what will happen, and no changes nothing', async () => {
  const cli = await startCli();
  const { first, canceled, ids } = await three(cli);
  const terminal = { stdin: true, stderr: 200 };

  const ran = await cli.runIn({ stdin: 'n\r', terminal }, 'start-signature', ...ids);

  expect(ran.code).toBe(130);
  expect(statuses(cli, ids)).toEqual(['in_progress', 'CANCELED', 'in_progress']);
  expect(ran.stderr).toContain('Start the signature of 2 requests?');
  expect(ran.stderr).toMatch(
    new RegExp(`${first.reference}, .*Ada Lovelace <.*, €[\\d,.]+, general price\\n.*\\n.*signing link`),
  );
  expect(ran.stderr).toMatch(
    new RegExp(`${canceled.reference}, .*\\n.*\\nThis is not possible for this request right now`),
  );
});

test('a question that is longer than a line of the terminal breaks no word', async () => {
  const cli = await startCli();
  const { id, reference } = await cli.addRequest();
  const terminal = { stdin: true, stderr: 80 };

  const ran = await cli.runIn({ stdin: 'n\r', terminal }, `requests cancel ${id} --reason sold`);

  const words = stripVTControlCharacters(ran.stderr).replaceAll(/\s+/g, ' ');
  expect(words).toContain(`? Cancel ${reference} `);
  expect(words).toContain(
    'A contract that is out for signature is withdrawn at the signature provider. The request can',
  );
});

test('where none is found, that is the answer: exit 4; one PDF is not for several', async () => {
  const cli = await startCli();
  const none = await cli.run('requests remind 4711 4712 --json');
  expect([none.code, jsonError(none).code]).toEqual([4, 'request_not_found']);
  expect((await cli.run('start-signature 1 2 --pdf terms.pdf')).code).toBe(2);
});
