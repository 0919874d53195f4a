/** esignctl failed: the list with its filters and true totals, replays, removals (rules 5). */
import { describe, expect, test } from 'vitest';
import { takeDaemonLock } from '../../../src/db/installation/daemon-lock.js';
import { answered, aReceiver } from '../../support/receiver.js';
import { happened, subscribed } from '../../support/subscriptions.js';
import { json, jsonError, jsonList, startCli } from '../support.js';

describe('failed list', () => {
  test('piped: a header and tab-separated lines, times in UTC, the newest first; the count beside them', async () => {
    const cli = await startCli();
    const older = await cli.addFailedJob({ requestId: null, error: 'first\tline\nsecond' });
    const newer = await cli.addFailedJob({ failedAt: '2026-03-03T00:00:00.000Z', requestId: 7, attempt: 4 });

    const { code, stdout, stderr } = await cli.run('failed', 'list');

    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'ID\tKIND\tATTEMPTS\tFAILED AT\tREQUEST\tERROR\tNAME',
      `${newer}\tsend-mail\t4\t2026-03-03T00:00:00.000Z\t7\tthe mail server answered 451\t`,
      `${older}\tsend-mail\t7\t2026-03-02T09:14:07.123Z\t\tfirst line second\t`,
      '',
    ]);
    expect(stderr).toBe('2 failed jobs\n');
  });

  test('the request’s reference and the customer’s name stand beside the error, also at 80 columns', async () => {
    const cli = await startCli();
    const { request, owner } = await cli.waitingRequest();
    const id = await cli.addFailedJob({ kind: 'create-payment-session', requestId: request.id });
    const { reference } = request;
    const name = `${owner.firstName} ${owner.lastName}`;

    const about = { requestId: request.id, reference, customer: owner.username, name };
    expect(jsonList(await cli.run('failed', 'list', '--json'))).toMatchObject([about]);
    expect(json(await cli.run('failed', 'show', String(id), '--json'))).toMatchObject(about);
    const shown = async (columns: number) =>
      (await cli.runIn({ terminal: { stdout: columns }, env: { NO_COLOR: '1' } }, 'failed', 'list')).stdout;
    expect(await shown(80)).toBe(
      [
        `ID  KIND                    REQUEST          ERROR                  NAME`,
        ` ${id}  create-payment-session  ${reference}  the mail server answ…  ${name}`,
        '',
      ].join('\n'),
    );
    expect(await shown(40)).toContain(`NAME             ${name}\n`);
  });

  test('--stats groups by kind and error, the most frequent first', async () => {
    const cli = await startCli();
    await cli.addFailedJob({ kind: 'create-payment-session', error: 'answered 503' });
    for (let i = 0; i < 2; i += 1) await cli.addFailedJob();

    expect(jsonList(await cli.run('failed', 'list', '--stats', '--json'))).toEqual([
      { kind: 'send-mail', error: 'the mail server answered 451', count: 2 },
      { kind: 'create-payment-session', error: 'answered 503', count: 1 },
    ]);
    const piped = await cli.run('failed', 'list', '--stats');
    expect(piped.stdout.split('\n')[1]).toBe('2\tsend-mail\tthe mail server answered 451');
    expect(piped.stderr).toBe('3 failed jobs\n');
    const limited = await cli.run('failed', 'list', '--stats', '--limit', '1');
    expect(limited.stderr).toBe('1 of 2 errors shown; --limit shows more\n3 failed jobs\n');
    expect((await cli.run('failed', 'list', '--stats', '--csv')).code).toBe(2);
  });
});

describe('failed show', () => {
  test('everything about one job; an unknown id is exit 4', async () => {
    const cli = await startCli();
    const id = await cli.addFailedJob({ requestId: 7 });

    expect(json(await cli.run('failed', 'show', String(id), '--json'))).toMatchObject({
      id,
      kind: 'send-mail',
      state: 'failed',
      attempts: 7,
      replays: 0,
      requestId: 7,
      payload: { mail: 'contract-ended' },
      errors: [{ attempt: 7, at: '2026-03-02T09:14:07.123Z', error: 'the mail server answered 451' }],
    });
    const { stdout } = await cli.run('failed', 'show', String(id));
    expect(stdout).toContain('FIELD\tVALUE\n');
    expect(stdout).toContain('attempt 7\t2026-03-02T09:14:07.123Z the mail server answered 451\n');

    const unknown = await cli.run('failed', 'show', '999', '--json');
    expect(unknown).toMatchObject({ code: 4, stdout: '' });
    expect(jsonError(unknown).code).toBe('job_not_found');
  });
});

describe('failed replay', () => {
  test('without a daemon it runs the job itself: one line, the mail goes out, the reason is kept', async () => {
    const cli = await startCli();
    const id = await cli.addFailedJob();

    const { code, stdout } = await cli.run('failed', 'replay', String(id), '--reason', 'server is back');

    expect({ code, stdout }).toEqual({ code: 0, stdout: `replayed ${id} send-mail\n` });
    expect(cli.sandbox.mails().filter(({ to }) => to.includes('office@acme.test'))).toHaveLength(1);
    const details = cli.ctx.db.raw
      .prepare("SELECT detail FROM history WHERE what = 'job.replayed'")
      .pluck()
      .all();
    expect(details.map((detail) => JSON.parse(detail as string))).toMatchObject([
      { reason: 'server is back' },
    ]);
  });

  test('a batch continues after failures and exits 1; the failed one is back with its new error', async () => {
    const cli = await startCli();
    const bad = await cli.addFailedJob({
      kind: 'complete-signature',
      payload: { contractId: 999, provedAt: null },
    });
    const good = await cli.addFailedJob();

    const ran = await cli.run('failed', 'replay', String(bad), String(good), '--json');

    expect(ran.code).toBe(1);
    expect(json(ran)).toEqual({
      replayed: 1,
      failed: 1,
      results: [
        { id: bad, kind: 'complete-signature', state: 'failed', error: expect.any(String) },
        { id: good, kind: 'send-mail', state: 'completed', error: null },
      ],
    });
    const shown = jsonList(await cli.run('failed', 'list', '--json'));
    expect(shown).toMatchObject([{ id: bad, attempts: 8 }]);
  });

  test('an unknown id in a batch fails alone: exit 1; alone it is exit 4', async () => {
    const cli = await startCli();
    const id = await cli.addFailedJob();
    const { code, stdout } = await cli.run('failed', 'replay', '999', String(id));
    expect(code).toBe(1);
    expect(stdout).toBe(
      `failed 999: There is no failed job 999.\nreplayed ${id} send-mail\nreplayed 1, failed 1\n`,
    );
    expect((await cli.run('failed', 'replay', '999')).code).toBe(4);
  });

  test('--all with filters takes just those, the oldest first', async () => {
    const cli = await startCli();
    const newer = await cli.addFailedJob({ failedAt: '2026-03-03T00:00:00.000Z' });
    const older = await cli.addFailedJob();
    await cli.addFailedJob({ kind: 'deliver-webhook' });

    const ran = await cli.run('failed', 'replay', '--all', '--kind', 'send-mail', '--yes', '--json');

    expect((json(ran)['results'] as { id: number }[]).map(({ id }) => id)).toEqual([older, newer]);
    expect(jsonList(await cli.run('failed', 'list', '--json'))).toHaveLength(1);
  });

  test('--all asks: without a terminal exit 2, with none failed there is nothing to ask', async () => {
    const cli = await startCli();
    expect(await cli.run('failed', 'replay', '--all')).toMatchObject({
      code: 0,
      stdout: 'replayed 0, failed 0\n',
    });
    await cli.addFailedJob();
    const { code, stderr } = await cli.run('failed', 'replay', '--all');
    expect(code).toBe(2);
    expect(stderr).toContain('Run 1 failed job again?');
    expect(stderr).toContain('--yes');
  });

  test('--per-minute leaves a pause between two jobs', async () => {
    const cli = await startCli();
    await cli.addFailedJob();
    await cli.addFailedJob();
    const begun = performance.now();
    const { code } = await cli.run('failed', 'replay', '--all', '--yes', '--per-minute', '200');
    expect(code).toBe(0);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(299);
  });

  test('with a daemon it waits for the daemon’s outcome', async () => {
    const cli = await startCli();
    const id = await cli.addFailedJob();
    const lock = takeDaemonLock(cli.dataDir);
    await cli.ctx.jobs.start();

    const ran = await cli.run('failed', 'replay', String(id), '--json');
    lock?.release();

    expect(ran.code).toBe(0);
    expect(json(ran)).toMatchObject({ replayed: 1, failed: 0 });
  });

  test('Ctrl-C ends it after the job under way: exit 130, the rest untouched in the list', async () => {
    const cli = await startCli();
    const ids = [await cli.addFailedJob(), await cli.addFailedJob(), await cli.addFailedJob()];
    const stop = new AbortController();

    const { code, stderr } = await cli.runIn(
      { signal: stop.signal, onOutput: (text) => text.includes('replayed') && stop.abort() },
      'failed',
      'replay',
      ...ids.map(String),
    );

    expect({ code, stderr }).toEqual({
      code: 130,
      stderr: 'esignctl: interrupted: 1 of 3 jobs tried; the others are still in the list\n',
    });
    expect(cli.jobs('send-mail').map(({ state }) => state)).toEqual(['completed', 'failed', 'failed']);
  });
});

describe('failed replay of deliveries that cannot be sent', () => {
  /** Two deliveries that have used up their tries, to a receiver that works again. */
  async function aDeafReceiver() {
    const cli = await startCli({}, undefined, { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' });
    const receiver = await aReceiver(answered(500));
    const hook = await subscribed(cli, { url: receiver.url });
    for (const id of [1, 2]) {
      await happened(cli, id);
      cli.ctx.db.raw.exec("UPDATE jobs SET attempt = 6 WHERE state = 'available'");
      await cli.drain();
    }
    receiver.answer = answered(204);
    receiver.received.length = 0;
    const ids = cli.jobs('deliver-webhook').map(({ id }) => id);
    const states = () => cli.jobs('deliver-webhook').map(({ state }) => state);
    expect(states()).toEqual(['failed', 'failed']);
    return { cli, receiver, hook, ids, states };
  }

  test('the subscription is off: each is reported with the command that fixes it, exit 1, all stay in the list', async () => {
    const { cli, receiver, hook, ids, states } = await aDeafReceiver();
    await cli.run('webhooks', 'disable', String(hook.id));

    const ran = await cli.run('failed', 'replay', '--all', '--yes');

    const why = `Webhook ${hook.id} is switched off. Switch it on first: \`esignctl webhooks enable ${hook.id}\`.`;
    const lines = ids.map((id) => `failed ${id} deliver-webhook: ${why}\n`);
    expect(ran).toMatchObject({ code: 1, stdout: `${lines.join('')}replayed 0, failed 2\n` });
    expect(json(await cli.run('failed', 'replay', '--all', '--yes', '--json'))).toEqual({
      replayed: 0,
      failed: 2,
      results: ids.map((id) => ({ id, kind: 'deliver-webhook', state: 'failed', error: why })),
    });
    const dry = await cli.run('failed', 'replay', '--all', '--dry-run');
    expect(dry).toMatchObject({ code: 1 });
    expect(dry.stdout).toContain(`would not replay ${ids[0]} deliver-webhook: ${why}\n`);
    expect(dry.stdout).toContain('would replay 0 jobs\n');
    expect(states()).toEqual(['failed', 'failed']);
    expect(cli.jobs('deliver-webhook').map(({ replays }) => replays)).toEqual([0, 0]);
    expect(receiver.received).toEqual([]);

    await cli.run('webhooks', 'enable', String(hook.id));
    expect(await cli.run('failed', 'replay', '--all', '--yes')).toMatchObject({ code: 0 });
    expect(receiver.received).toHaveLength(2);
  });

  test('the account of its owner is closed, or the subscription deleted: told as such', async () => {
    const { cli, ids, states } = await aDeafReceiver();
    cli.ctx.db.raw.exec("UPDATE users SET enabled = 0 WHERE role = 'ROLE_ADMIN'");
    const closed = await cli.run('failed', 'replay', String(ids[0]), '--json');
    expect([closed.code, jsonError(closed).hint]).toEqual([
      3,
      expect.stringMatching(/esignctl users enable .+@/),
    ]);
    cli.ctx.db.raw.exec('DELETE FROM webhooks');
    const deleted = await cli.run('failed', 'replay', String(ids[0]), '--json');
    expect([deleted.code, jsonError(deleted).code]).toEqual([3, 'webhook_deleted']);
    expect(states()).toEqual(['failed', 'failed']);
  });
});

describe('failed remove', () => {
  test('--yes removes; what is not there is told and makes the exit code 1', async () => {
    const cli = await startCli();
    const id = await cli.addFailedJob();

    const ran = await cli.run('failed', 'remove', String(id), '999', '--yes');

    expect(ran).toEqual({
      code: 1,
      stdout: `removed ${id} send-mail\n`,
      stderr: 'There is no failed job 999.\n',
    });
    expect(cli.jobs('send-mail')).toEqual([]);
  });

  test('none of the ids exists: exit 4, without a question', async () => {
    const cli = await startCli();
    expect((await cli.run('failed', 'remove', '999')).code).toBe(4);
  });

  test('it asks: exit 2 without a terminal, kept when the answer is no', async () => {
    const cli = await startCli();
    const id = await cli.addFailedJob();
    expect((await cli.run('failed', 'remove', String(id))).code).toBe(2);

    const { code, stderr } = await cli.runIn(
      { stdin: 'n\r', terminal: { stdin: true, stderr: 80 } },
      'failed',
      'remove',
      String(id),
    );
    expect(code).toBe(130);
    expect(stderr).toContain(`Remove failed job ${id} send-mail for good?`);
    expect(cli.jobs('send-mail')).toHaveLength(1);
  });
});
