/** esignctl inbox: what the providers told us, and working it through again. */
import { expect, test } from 'vitest';
import { deliver, deliverRaw, eventBody } from '../../support/webhooks.js';
import { json, jsonError, jsonList, startCli, type Cli } from '../support.js';

async function clockwork(): Promise<Cli> {
  const cli = await startCli();
  cli.env['ESIGN_PAYMENT_WEBHOOK_SECRET'] = 'test-payment-secret-1';
  return cli;
}

const eventIds = async (cli: Cli) =>
  jsonList(await cli.run('inbox list --json')).map(({ id }) => id as number);

test('list: the newest first, by subject; show: with the body', async () => {
  const cli = await clockwork();
  const { signId, contract, request } = await cli.waitingRequest();
  const other = await cli.waitingRequest();
  cli.sandbox.sign(signId);
  await deliver(cli, signId);
  await deliver(cli, other.signId, { name: 'signer.notified' });

  const [second, first] = jsonList(await cli.run('inbox list --json'));

  expect(first).toMatchObject({
    source: 'signature',
    state: 'done',
    outcome: 'completed',
    contractId: contract.id,
  });
  expect(second).toMatchObject({ subjectId: other.signId, state: 'ignored', outcome: 'not_used' });
  expect(jsonList(await cli.run('inbox list --subject', signId, '--json'))).toHaveLength(1);
  expect((await cli.run('inbox list --cursor 12')).code).toBe(2);
  const shown = json(await cli.run('inbox show', String(first?.['id']), '--json'));
  expect(shown).toMatchObject({ requestId: request.id, eventName: 'signature_request.done' });
  expect(shown['body']).toContain(signId);
  const onTerminal = await cli.runIn({ terminal: { stdout: 100 } }, 'inbox show', String(first?.['id']));
  expect(onTerminal.stdout).toMatch(/^outcome +the contract was completed$/m);
  expect((await cli.run('inbox show 999')).code).toBe(4);
});

test('--rejected: what was turned away, with the reason', async () => {
  const cli = await clockwork();
  const { signId } = await cli.waitingRequest();
  await deliverRaw(cli, eventBody(cli, signId), 'sha256=00');
  expect(jsonList(await cli.run('inbox list --rejected --json'))).toMatchObject([
    { source: 'signature', reason: 'wrong_signature', address: '192.0.2.7', claimedId: signId },
  ]);
  expect((await cli.run('inbox list --rejected')).stderr).toContain('1 rejected since the installation');
  const narrowed = await cli.run('inbox list --rejected --status done');
  expect(narrowed).toMatchObject({ code: 2, stdout: '' });
  expect(narrowed.stderr).toContain('With --rejected');
});

test('replay: an event whose work failed is done when the cause is fixed; once more changes nothing', async () => {
  const cli = await clockwork();
  const { signId, request } = await cli.waitingRequest();
  cli.sandbox.faults.add('pdf:not_pdf');
  cli.sandbox.sign(signId);
  await deliver(cli, signId);
  await cli.ctx.jobs.idle();
  cli.sandbox.faults.clear();
  const [id] = await eventIds(cli);

  expect((await cli.run(`inbox replay ${id} --dry-run`)).stdout).toBe(
    `would process ${id} signature_request.done\n`,
  );
  const both = await cli.run(`inbox replay ${id} 4711 --dry-run`);
  expect([both.code, both.stdout]).toEqual([
    1,
    expect.stringMatching(
      new RegExp(
        `^would process ${id} signature_request.done\\nwould not process 4711: .+\\nwould process 1 event\\n$`,
      ),
    ),
  ]);
  expect(cli.request(request.id).status).toBe('WAITING_SIGNATURE');
  const ran = await cli.run(`inbox replay ${id} --reason`, 'provider fixed');
  expect(ran).toMatchObject({ code: 0, stdout: `replayed ${id}: completed\n` });
  expect(cli.request(request.id).status).toBe('WAITING_PAYMENT');
  expect((await cli.run(`inbox replay ${id}`)).stdout).toBe(`replayed ${id}: repeat\n`);
  const people = await cli.runIn({ terminal: { stdout: 80 } }, `inbox replay ${id}`);
  expect(people.stdout).toBe(`replayed ${id}: it had already been processed\n`);
  expect(cli.history(request.id).filter((what) => what === 'contract.signed')).toHaveLength(1);
  expect((await cli.run(`explain ${request.id}`)).stdout).toContain('processed again: provider fixed');
});

test('an event that asks nothing of us is refused: exit 3; in a batch it fails alone', async () => {
  const cli = await clockwork();
  const { signId } = await cli.waitingRequest();
  await deliver(cli, signId, { name: 'signer.notified' });
  const [id] = await eventIds(cli);
  const refusal = await cli.run(`inbox replay ${id} --json`);
  expect(refusal.code).toBe(3);
  expect(jsonError(refusal).code).toBe('not_replayable');
  const batch = await cli.run(`inbox replay ${id} 999`);
  expect(batch.code).toBe(1);
  expect(batch.stdout).toContain('failed 999: There is no such event.');
});
