/** esignctl requests: its list, a request's sheet, and the acts as a person and a script meet them. */
import { describe, expect, test } from 'vitest';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { TESTER } from '../../support/app.js';
import { json, jsonList, startCli } from '../support.js';

describe('requests', () => {
  const MOVED = "UPDATE requests SET statusSince = '2100-01-01T00:00:00.000Z' WHERE id = ?";
  const GONE = 'DELETE FROM requests WHERE id = ?';

  test.each([
    ['a list', 'has moved on', MOVED, []],
    ['a list', 'is gone', GONE, []],
    ['a searched list', 'has moved on', MOVED, ['--search', 'maintenance']],
    ['a searched list', 'is gone', GONE, ['--search', 'maintenance']],
  ])('%s goes on where it ended, although its last row %s', async (_what, _, change, search) => {
    const cli = await startCli();
    const owner = await cli.addUser();
    const ids: number[] = [];
    for (const _ of [1, 2, 3]) {
      ids.push((await cli.addRequest(owner)).id);
      cli.clock.advance(1_000);
    }
    const list = ['requests', 'list', ...search, '--order', 'statusSince-asc', '--json'];
    const { stderr } = await cli.run(...list, '--limit', '2');
    const [, cursor = ''] = /--cursor (\S+)/.exec(stderr) ?? [];
    cli.ctx.db.raw.prepare(change).run(ids[1]);
    const rest = jsonList(await cli.run(...list, '--cursor', cursor)).map(({ id }) => id);
    expect(rest).toEqual(change.startsWith('UPDATE') ? [ids[2], ids[1]] : [ids[2]]);
  });

  test('an unknown status is exit 2', async () => {
    const cli = await startCli();
    expect((await cli.run('requests list --status lost')).code).toBe(2);
    expect((await cli.run('requests list --csv --json')).code).toBe(2);
  });

  test.each([
    ['requests list --owner nobody@example.org', 'users list'],
    ['requests list --owner 999', 'users list'],
    ['requests list --equipment 999', 'equipments list'],
    ['equipments create --owner nobody@example.org --name B --model M --serial-number S', 'users list'],
    ['users set-password nobody@example.org --generate', 'users list'],
    ['webhooks disable 999', 'webhooks list'],
    ['prices remove boiler', 'prices list'],
    ['offers accept 999', 'offers list'],
  ])('who or what is not there is exit 4, with the command that lists them: %s', async (words, list) => {
    const { code, stderr } = await (await startCli()).run(words);
    expect(code).toBe(4);
    expect(stderr).toContain(`hint: See \`esignctl ${list}\`.\n`);
  });

  test('show: the request with its contracts and payments', async () => {
    const cli = await startCli();
    const { request, contract, signId } = await cli.waitingRequest();
    cli.sandbox.sign(signId);
    await checkSignature(cli.ctx, request.id, { actor: TESTER });
    const shown = json(await cli.run('requests show', request.reference, '--json'));
    expect(shown).toMatchObject({
      id: request.id,
      status: 'WAITING_PAYMENT',
      customerName: 'Ada Lovelace',
      contracts: [{ id: contract.id, status: 'SIGNED', signId }],
      payments: [{ state: 'open', amount: 12_000, currency: 'eur' }],
    });
    const read = (await cli.run(`requests show ${request.id}`)).stdout;
    expect(read).toContain(`contract ${contract.id}\tSIGNED ${signId}\n`);
    expect((await cli.run('requests show 999')).code).toBe(4);
  });

  test('cancel and reopen: need a reason, refuse what does not fit, and say what is next', async () => {
    const cli = await startCli();
    const { request } = await cli.waitingRequest();
    const id = String(request.id);
    const reopen = ['requests', 'reopen', id, '--reason', 'wanted after all'];
    expect((await cli.run('requests cancel', id)).code).toBe(2);
    expect((await cli.run('requests reopen', id)).code).toBe(2);
    expect(await cli.run(...reopen)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('not_canceled') as string,
    });
    const cancel = ['requests', 'cancel', id, '--reason', 'sold the boiler'];
    expect((await cli.run(...cancel, '--dry-run')).stdout).toContain('would cancel');
    expect(cli.request(request.id).status).toBe('WAITING_SIGNATURE');
    cli.sandbox.faults.add({ target: 'signature', kind: '500' });
    expect((await cli.run(...cancel)).code).toBe(5);
    cli.sandbox.faults.clear();
    expect((await cli.run(...cancel)).stdout).toBe(`canceled request ${id} ${request.reference}\n`);
    expect((await cli.run(...cancel)).stdout).toBe(`request ${id} is already canceled\n`);
    expect((await cli.run('requests list --status canceled')).stdout).toContain(request.reference);
    for (const change of [`requests edit ${id} --title Other`, `offers create ${id} 180`])
      expect(await cli.run(change)).toMatchObject({
        code: 3,
        stderr: `esignctl: The request is canceled. [request_canceled]\nhint: Run \`esignctl requests reopen ${id} --reason "…"\` first.\n`,
      });
    expect(await cli.run(...reopen)).toMatchObject({
      code: 0,
      stdout: `reopened request ${id} ${request.reference}\n`,
      stderr: `hint: to send a new contract: esignctl start-signature ${id}\n`,
    });
  });

  test.each([
    ['cancel', 'will stop working'],
    ['reopen', 'a new one will be mailed when the signature is started'],
  ])('%s asks on a terminal, names the customer and says what becomes of old links', async (verb, fate) => {
    const cli = await startCli();
    const { request, owner } = await cli.waitingRequest();
    const why = ['--reason', 'sold the boiler'];
    if (verb === 'reopen') await cli.run(`requests cancel ${request.id}`, ...why);
    const before = cli.request(request.id).status;
    const { code, stderr } = await cli.runIn(
      { stdin: 'n\r', terminal: { stdin: true, stderr: 200 } },
      'requests',
      verb,
      String(request.id),
      ...why,
    );
    expect(code).toBe(130);
    expect(stderr).toContain(`${owner.firstName} ${owner.lastName} <${owner.username}>`);
    expect(stderr).toContain(fate);
    expect(cli.request(request.id).status).toBe(before);
  });
});
