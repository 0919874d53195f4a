/** `esignctl contracts accept-late`, and the answers that lead to it. */
import { expect, test } from 'vitest';
import { addMs } from '../../../src/core/clock.js';
import { DAY } from '../../support/clock.js';
import { json, jsonError, startCli } from '../support.js';

/** Sent 35 days ago, signed 3 days ago: two days after the last moment. */
async function late() {
  let ms = -35 * DAY;
  const cli = await startCli({}, { now: () => addMs(new Date(), ms) });
  const { request, contract, signId } = await cli.waitingRequest();
  const signedAt = `${new Date(Date.now() - 3 * DAY).toISOString().slice(0, 19)}.000Z`;
  cli.sandbox.sign(signId, { completedAt: signedAt });
  ms = 0;
  return { cli, request, contract, signedAt };
}

test('the check names the command, the command accepts it, with the reason in the history', async () => {
  const { cli, request, contract, signedAt } = await late();

  const checked = await cli.run(`check-signature ${request.id}`);
  expect(checked.code).toBe(3);
  expect(checked.stderr).toContain('The signature counts only if you accept it');
  expect(checked.stderr).toContain(`esignctl contracts accept-late ${contract.id} --reason "…" accepts it`);
  expect(checked.stderr).toContain(`esignctl reset-signature ${request.id} sends a new contract`);

  const words = ['contracts', 'accept-late', String(contract.id), '--reason', 'agreed by phone'];
  const dry = json(await cli.run(...words, '--dry-run', '--json'));
  expect(dry).toEqual({
    dryRun: true,
    contractId: contract.id,
    requestId: request.id,
    signedAt,
    lastMoment: cli.contract(request.id).expiredAt,
  });
  expect(cli.contract(request.id).status).not.toBe('SIGNED');

  const ran = await cli.run(...words);
  expect(ran.code).toBe(0);
  expect(ran.stdout).toContain(
    `accepted the signature of request ${request.id} ${request.reference}: contract ${contract.id}, signId `,
  );
  expect(ran.stdout).toContain(`signed on ${signedAt}; the deadline was`);
  expect(ran.stdout).not.toContain('to be signed by');
  expect(cli.request(request.id).status).toBe('WAITING_PAYMENT');

  const told = await cli.run(`explain ${request.id} --offline`);
  expect(told.stdout).toContain('Late signature of contract 1 accepted');
  expect(told.stdout).toContain('agreed by phone');

  const again = await cli.run(...words, '--yes', '--json');
  expect(again.code).toBe(3);
  expect(jsonError(again).code).toBe('not_waiting_signature');
});

test('show: the contract with its link; exit 4 for one that is not there', async () => {
  const cli = await startCli();
  const { contract } = await cli.waitingRequest();
  expect(json(await cli.run(`contracts show ${contract.id} --json`))).toMatchObject({
    id: contract.id,
    signUrl: contract.signUrl,
    pdfSha256: null,
  });
  expect((await cli.run('contracts show 999')).code).toBe(4);
});
