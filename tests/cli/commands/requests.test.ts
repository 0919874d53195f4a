/** The operator's lists and pages: requests, contracts, jobs. */
import { describe, expect, test } from 'vitest';
import { cursorOf } from '../../../src/core/calls/cursor.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { pushJobs } from '../../../src/core/jobs/push.js';
import { JOB_NAMES } from '../../../src/core/jobs/names.js';
import { takeDaemonLock } from '../../../src/db/installation/daemon-lock.js';
import { TESTER } from '../../support/app.js';
import { json, jsonError, jsonList, run, startCli } from '../support.js';

describe('requests', () => {
  test('list: the newest first, by status in any letter case, customer and time; the true total beside a limit', async () => {
    const cli = await startCli();
    const { request, owner } = await cli.waitingRequest();
    const other = await cli.addRequest();

    expect(jsonList(await cli.run('requests', 'list', '--json'))).toEqual([
      expect.objectContaining({ id: other.id, status: 'in_progress' }),
      {
        id: request.id,
        reference: request.reference,
        status: 'WAITING_SIGNATURE',
        statusSince: request.statusSince,
        title: 'Yearly maintenance',
        name: 'Ada Lovelace',
        customer: owner.username,
        phone: owner.phone,
        createdAt: request.createdAt,
      },
    ]);
    const ids = async (...filter: string[]) =>
      jsonList(await cli.run('requests', 'list', '--json', ...filter)).map(({ id }) => id);
    expect(await ids('--status', 'waiting_signature,new')).toEqual([request.id]);
    for (const whose of [owner.username.toUpperCase(), String(owner.id)])
      expect(await ids('--owner', whose)).toEqual([request.id]);
    expect(await ids('--since', '2100-01-01')).toEqual([]);
    expect(await ids('--until', request.createdAt)).not.toContain(request.id);
    const limited = await cli.run('requests', 'list', '--limit', '1');
    expect(limited.stdout.split('\n')[0]).toBe(
      'ID\tREFERENCE\tPHONE\tSTATUS\tSTATUS SINCE\tCREATED AT\tCUSTOMER\tNAME\tTITLE',
    );
    expect(limited.stderr).toBe(
      `1 of 2 requests shown: --cursor ${cursorOf({ id: other.id, key: other.createdAt })} goes on, --limit shows more\n`,
    );
  });

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

  test('an unknown status is exit 2, an unknown customer exit 4', async () => {
    const cli = await startCli();
    expect((await cli.run('requests', 'list', '--status', 'lost')).code).toBe(2);
    expect((await cli.run('requests', 'list', '--csv', '--json')).code).toBe(2);
    expect((await cli.run('requests', 'list', '--owner', 'nobody@example.org')).code).toBe(4);
    expect((await cli.run('requests', 'list', '--owner', '999')).code).toBe(4);
  });

  test('show: the request with its contracts and payments', async () => {
    const cli = await startCli();
    const { request, contract, signId } = await cli.waitingRequest();
    cli.sandbox.sign(signId);
    await checkSignature(cli.ctx, request.id, { actor: TESTER });
    const shown = json(await cli.run('requests', 'show', request.reference, '--json'));
    expect(shown).toMatchObject({
      id: request.id,
      status: 'WAITING_PAYMENT',
      customerName: 'Ada Lovelace',
      contracts: [{ id: contract.id, status: 'SIGNED', signId }],
      payments: [{ state: 'open', amount: 12_000, currency: 'eur' }],
    });
    const read = (await cli.run('requests', 'show', String(request.id))).stdout;
    expect(read).toContain(`contract ${contract.id}\tSIGNED ${signId}\n`);
    expect((await cli.run('requests', 'show', '999')).code).toBe(4);
  });

  test('cancel and reopen: need a reason, refuse what does not fit, and say what is next', async () => {
    const cli = await startCli();
    const { request } = await cli.waitingRequest();
    const id = String(request.id);
    const reopen = ['requests', 'reopen', id, '--reason', 'wanted after all'];
    expect((await cli.run('requests', 'cancel', id)).code).toBe(2);
    expect((await cli.run('requests', 'reopen', id)).code).toBe(2);
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
    expect((await cli.run('requests', 'list', '--status', 'canceled')).stdout).toContain(request.reference);
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
    if (verb === 'reopen') await cli.run('requests', 'cancel', String(request.id), ...why);
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

  test('complete: needs a reason, refuses what waits for no payment, keeps the reason', async () => {
    const cli = await startCli();
    const { request, signId } = await cli.waitingRequest();
    const id = String(request.id);
    expect((await cli.run('requests', 'complete', id)).code).toBe(2);
    const refusal = await cli.run('requests', 'complete', id, '--reason', 'cash', '--json');
    expect({ code: refusal.code, key: jsonError(refusal).code }).toEqual({
      code: 3,
      key: 'not_waiting_payment',
    });
    cli.sandbox.sign(signId);
    await checkSignature(cli.ctx, request.id, { actor: TESTER });

    expect((await cli.run('requests', 'complete', id, '--reason', 'cash', '--dry-run')).stdout).toContain(
      'would complete',
    );
    expect(cli.request(request.id).status).toBe('WAITING_PAYMENT');
    expect(await cli.run('requests', 'complete', id, '--reason', 'cash')).toMatchObject({
      code: 0,
      stdout: `completed request ${id} ${request.reference}\n`,
    });
    expect((await cli.run('requests', 'complete', id, '--reason', 'cash')).stdout).toContain(
      'already complete',
    );
    const told = await cli.run('explain', id);
    expect(told.stdout).toContain('Status changed from “Waiting for payment” to “Complete”: cash');
  });
});

describe('contracts', () => {
  test('list by status and request; show, and exit 4 for one that is not there', async () => {
    const cli = await startCli();
    const { request, contract } = await cli.waitingRequest();
    await cli.waitingRequest();
    expect(jsonList(await cli.run('contracts', 'list', '--json'))).toHaveLength(2);
    expect(jsonList(await cli.run('contracts', 'list', '--status', 'SIGNED', '--json'))).toEqual([]);
    expect(
      jsonList(await cli.run('contracts', 'list', '--request', String(request.id), '--json')),
    ).toMatchObject([{ id: contract.id, requestId: request.id, status: 'PENDING' }]);
    expect(json(await cli.run('contracts', 'show', String(contract.id), '--json'))).toMatchObject({
      id: contract.id,
      signUrl: contract.signUrl,
      pdfSha256: null,
    });
    expect((await cli.run('contracts', 'show', '999')).code).toBe(4);
  });
});

describe('jobs', () => {
  async function waitingMails() {
    const cli = await startCli();
    const { request, signId } = await cli.waitingRequest();
    cli.sandbox.sign(signId);
    await checkSignature(cli.ctx, request.id, { actor: TESTER });
    return { cli, request, ids: cli.jobs('send-mail').map(({ id }) => id) };
  }

  test('list: what waits with its next try, in the documented shape', async () => {
    const { cli, request, ids } = await waitingMails();
    const list = jsonList(await cli.run('jobs', 'list', '--json'));
    expect(list.map(({ id }) => id)).toEqual(ids);
    expect(Object.keys(list[0] ?? {})).toEqual([
      'id',
      'kind',
      'state',
      'attempts',
      'runAt',
      'requestId',
      'error',
    ]);
    expect(list[0]).toMatchObject({
      kind: 'send-mail',
      state: 'available',
      attempts: 0,
      requestId: request.id,
    });
    expect(jsonList(await cli.run('jobs', 'list', '--kind', 'deliver-webhook', '--json'))).toEqual([]);
    const limited = await cli.run('jobs', 'list', '--limit', '1');
    const said = new RegExp(
      `^1 of ${ids.length} open jobs shown: --cursor (\\S+) goes on, --limit shows more\n$`,
    );
    const [, cursor = ''] = said.exec(limited.stderr) ?? [];
    const rest = jsonList(await cli.run('jobs', 'list', '--cursor', cursor, '--json'));
    expect(rest.map(({ id }) => id)).toEqual(ids.slice(1));
    // In a file, too, which has all that follows; and one that names no time is taken as it is.
    const file = await cli.run('jobs', 'list', '--cursor', cursor, '--csv');
    expect(file.stdout.trimEnd().split('\n')).toHaveLength(ids.length);
    expect((await cli.run('jobs', 'list', '--cursor', cursorOf({ id: 5 }))).code).toBe(0);
  });

  test('every kind of job is a value of --kind', async () => {
    const { stdout } = await run(['jobs', 'list', '--help']);
    for (const kind of JOB_NAMES) expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`"${kind}"`);
  });

  test('push: tries them here without a daemon, keeps who and why; one that fails says when it is tried again', async () => {
    const { cli, ids } = await waitingMails();
    const [first, second] = ids.map(String) as [string, string];
    expect((await cli.run('jobs', 'push', first, '--dry-run')).stdout).toBe(`would try ${first} send-mail\n`);
    expect(await cli.run('jobs', 'push', first, '--reason', 'urgent')).toMatchObject({
      code: 0,
      stdout: `done ${first} send-mail\n`,
    });
    expect(
      cli.ctx.db.raw.prepare(`SELECT detail FROM history WHERE what = 'job.pushed'`).pluck().get(),
    ).toContain('urgent');
    cli.sandbox.faults.add('smtp:451');
    const failed = await cli.run('jobs', 'push', second, '--json');
    expect(failed.code).toBe(1);
    expect(json(failed)).toMatchObject({
      pushed: 0,
      failed: 1,
      results: [{ id: Number(second), state: 'available', runAt: expect.any(String) }],
    });
  });

  test('push --kind and --all: ask with the numbers of each kind, and try everything that waits', async () => {
    const { cli, request, ids } = await waitingMails();
    const hook = await cli.addFailedJob({ kind: 'complete-signature', requestId: request.id });
    cli.ctx.db.raw.prepare("UPDATE jobs SET state = 'available', finishedAt = NULL WHERE id = ?").run(hook);

    expect(await cli.run('jobs', 'push', '--all')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(
        `Try 1 complete-signature job, ${ids.length} send-mail jobs now?`,
      ) as string,
    });
    expect((await cli.run('jobs', 'push', '--kind', 'send-mail', '--dry-run')).stdout).toBe(
      [...ids.map((id) => `would try ${id} send-mail`), `would try ${ids.length} jobs`, ''].join('\n'),
    );
    expect(await cli.run('jobs', 'push', '--kind', 'send-mail', '--yes')).toMatchObject({
      code: 0,
      stdout: [...ids.map((id) => `done ${id} send-mail`), `done ${ids.length}, failed 0`, ''].join('\n'),
    });
    expect(jsonList(await cli.run('jobs', 'list', '--json'))).toMatchObject([{ id: hook }]);
    expect((await cli.run('jobs', 'push', '--all', '--kind', 'send-mail')).stdout).toBe('done 0, failed 0\n');
    for (const words of [[], ['7', '--all'], ['7', '--kind', 'send-mail']]) {
      expect((await cli.run('jobs', 'push', ...words)).code).toBe(2);
    }
  });

  test('push --all passes over what a daemon has done meanwhile; numbers that do not wait are told', async () => {
    const { cli, ids } = await waitingMails();
    const by = { actor: TESTER };
    await cli.drain();
    expect(await pushJobs(cli.ctx, ids, { ...by, ifWaiting: true })).toEqual([]);
    const [one] = await pushJobs(cli.ctx, ids, by);
    expect(one).toMatchObject({ id: ids[0], kind: 'send-mail', state: null });
  });

  test('push with a daemon: the daemon does it, and the command waits for the outcome', async () => {
    const { cli, ids } = await waitingMails();
    cli.ctx.db.raw.exec(`UPDATE jobs SET runAt = '2100-01-01' WHERE state = 'available'`);
    const lock = takeDaemonLock(cli.dataDir);
    await cli.ctx.jobs.start();
    const ran = await cli.run('jobs', 'push', String(ids[0]));
    const rest = await cli.run('jobs', 'push', '--all', '--yes');
    lock?.release();
    expect(ran).toMatchObject({ code: 0, stdout: `done ${ids[0]} send-mail\n` });
    expect(rest).toMatchObject({ code: 0 });
    expect(rest.stdout).toContain(`done ${ids.length - 1}, failed 0`);
  });

  test('push of one that does not wait is refused with the command that fits; unknown is exit 4', async () => {
    const cli = await startCli();
    const id = await cli.addFailedJob();
    const refusal = await cli.run('jobs', 'push', String(id), '--json');
    expect(refusal.code).toBe(3);
    expect(jsonError(refusal)).toMatchObject({
      code: 'job_not_waiting',
      hint: `Run \`esignctl failed replay ${id}\` instead.`,
    });
    expect((await cli.run('jobs', 'push', '999')).code).toBe(4);
  });
});
