/** esignctl payments: check, renew and give up, as a person and as a script read them. */
import { expect, test } from 'vitest';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { TESTER } from '../../support/app.js';
import { deliverPayment } from '../../support/webhooks.js';
import { json, startCli, type Cli } from '../support.js';

async function aRequestWaitingForPayment(cli: Cli) {
  const { request, signId } = await cli.waitingRequest();
  cli.sandbox.sign(signId);
  await checkSignature(cli.ctx, request.id, { actor: TESTER });
  return { id: String(request.id), paymentId: cli.request(request.id).paymentId as string };
}

test('check: paid there is complete here; a link that is over names the command that renews it', async () => {
  const cli = await startCli();
  const { id, paymentId } = await aRequestWaitingForPayment(cli);
  expect(await cli.run('payments check', id)).toMatchObject({
    code: 0,
    stdout: 'The customer has not paid yet; the payment link works. [check_payment_info.open]\n',
  });
  cli.sandbox.expireSession(paymentId);
  expect((await cli.run('payments check', id)).stderr).toBe(`hint: esignctl payments renew ${id}\n`);

  const renewed = await cli.run('payments renew', id, '--reason', 'on holiday', '--json');
  expect(renewed.code).toBe(0);
  expect(Object.keys(json(renewed))).toEqual(['requestId', 'paymentId', 'paymentUrl', 'expiresAt']);
  cli.sandbox.pay(json(renewed)['paymentId'] as string);
  expect(json(await cli.run('payments check', id, '--json'))).toEqual({
    type: 'success',
    key: 'check_payment_success',
    message: 'The customer has paid. The request is complete.',
  });
});

test('a payment whose contract is unknown here is in todo and doctor until it is settled with a reason', async () => {
  const cli = await startCli();
  const { id } = await aRequestWaitingForPayment(cli);
  const { externalId } = cli.ctx.db.raw.prepare('SELECT externalId FROM contracts').get() as {
    externalId: string;
  };
  const client_reference_id = externalId.replace(/[0-9a-f]{16}$/, 'deadbeefdeadbeef');
  await deliverPayment(cli, 'cs_lost', { object: { client_reference_id } });
  const next = 'esignctl payments check --settle cs_lost --reason "…"';
  expect((await cli.run('todo')).stdout).toContain(next);
  expect((await cli.run('doctor')).stdout).toContain('cs_lost');

  expect((await cli.run('payments check --settle cs_lost')).code).toBe(2);
  const settle = ['payments', 'check', '--settle', 'cs_lost', '--reason', 'refunded'];
  expect((await cli.run(...settle, id)).code).toBe(2);
  expect((await cli.run(...settle)).stdout).toBe('settled cs_lost\n');
  expect((await cli.run(...settle)).code).toBe(4);
  expect((await cli.run('todo')).stdout).not.toContain('cs_lost');
  expect((await cli.run('history --what payment.settled')).stdout).toContain('refunded');
});

test('--all counts, shows what changed, and is exit 5 when the provider is down', async () => {
  const cli = await startCli();
  const { id, paymentId } = await aRequestWaitingForPayment(cli);
  cli.sandbox.pay(paymentId);
  expect((await cli.run('payments check --all --dry-run')).stdout).toContain(
    'checked 1, would change 1, failed 0\n',
  );
  cli.sandbox.faults.add('payment.get:401');
  expect((await cli.run('payments check --all')).code).toBe(5);
  cli.sandbox.faults.clear();
  expect((await cli.run('payments check --all')).stdout).toBe(
    `request ${id}: The customer has paid. The request is complete. [check_payment_success]\nchecked 1, changed 1, failed 0\n`,
  );
});

test('a dry run of completing a request by hand says which money it would accept, and changes nothing', async () => {
  const cli = await startCli();
  const { id, paymentId } = await aRequestWaitingForPayment(cli);
  const dry = ['requests', 'complete', id, '--reason', 'agreed', '--dry-run'];
  expect((await cli.run(...dry)).stdout).toMatch(/^would complete request 1 REQ-\S+\n$/);
  await deliverPayment(cli, paymentId, { object: { amount_total: 9900 } });
  expect((await cli.run(...dry)).stdout).toMatch(
    new RegExp(`^would complete request 1 REQ-\\S+: accepting payment ${paymentId} \\(€99\\.00\\)\\n$`),
  );
  expect(cli.request(Number(id)).status).toBe('WAITING_PAYMENT');
});
