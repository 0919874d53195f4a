/** esignctl failed: the list with its filters and true totals, replays, removals (rules 5). */
import { describe, expect, test } from 'vitest';
import { json, jsonError, jsonList, startCli } from '../support.js';

describe('failed list', () => {
  test('piped: a header and tab-separated lines, times in UTC, the newest first; the count beside them', async () => {
    const cli = await startCli();
    const older = await cli.addFailedJob({ requestId: null, error: 'first\tline\nsecond' });
    const newer = await cli.addFailedJob({ failedAt: '2026-03-03T00:00:00.000Z', requestId: 7, attempt: 4 });

    const { code, stdout, stderr } = await cli.run('failed list');

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
    expect(jsonList(await cli.run('failed list --json'))).toMatchObject([about]);
    expect(json(await cli.run(`failed show ${id} --json`))).toMatchObject(about);
    const shown = async (columns: number) =>
      (await cli.runIn({ terminal: { stdout: columns }, env: { NO_COLOR: '1' } }, 'failed list')).stdout;
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

    expect(jsonList(await cli.run('failed list --stats --json'))).toEqual([
      { kind: 'send-mail', error: 'the mail server answered 451', count: 2 },
      { kind: 'create-payment-session', error: 'answered 503', count: 1 },
    ]);
    const piped = await cli.run('failed list --stats');
    expect(piped.stdout.split('\n')[1]).toBe('2\tsend-mail\tthe mail server answered 451');
    expect(piped.stderr).toBe('3 failed jobs\n');
    const limited = await cli.run('failed list --stats --limit 1');
    expect(limited.stderr).toBe('1 of 2 errors shown; --limit shows more\n3 failed jobs\n');
    expect((await cli.run('failed list --stats --csv')).code).toBe(2);
  });
});

describe('failed show', () => {
  test('everything about one job; an unknown id is exit 4', async () => {
    const cli = await startCli();
    const id = await cli.addFailedJob({ requestId: 7 });

    expect(json(await cli.run(`failed show ${id} --json`))).toMatchObject({
      id,
      kind: 'send-mail',
      state: 'failed',
      attempts: 7,
      replays: 0,
      requestId: 7,
      payload: { mail: 'contract-ended' },
      errors: [{ attempt: 7, at: '2026-03-02T09:14:07.123Z', error: 'the mail server answered 451' }],
    });
    const { stdout } = await cli.run(`failed show ${id}`);
    expect(stdout).toContain('FIELD\tVALUE\n');
    expect(stdout).toContain('attempt 7\t2026-03-02T09:14:07.123Z the mail server answered 451\n');

    const unknown = await cli.run('failed show 999 --json');
    expect(unknown).toMatchObject({ code: 4, stdout: '' });
    expect(jsonError(unknown).code).toBe('job_not_found');
  });
});

describe('failed replay', () => {
  test('without a daemon it runs the job itself: one line, the mail goes out, the reason is kept', async () => {
    const cli = await startCli();
    const id = await cli.addFailedJob();

    const { code, stdout } = await cli.run(`failed replay ${id} --reason`, 'server is back');

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

  test('an unknown id in a batch fails alone: exit 1; alone it is exit 4', async () => {
    const cli = await startCli();
    const id = await cli.addFailedJob();
    const { code, stdout } = await cli.run(`failed replay 999 ${id}`);
    expect(code).toBe(1);
    expect(stdout).toBe(
      `failed 999: There is no failed job 999.\nreplayed ${id} send-mail\nreplayed 1, failed 1\n`,
    );
    expect((await cli.run('failed replay 999')).code).toBe(4);
  });

  test('a dry run says of each what would become of it, and runs none', async () => {
    const cli = await startCli();
    const good = await cli.addFailedJob();
    const pointless = await cli.addFailedJob({ kind: 'deliver-webhook' });
    const { code, stdout } = await cli.run(`failed replay ${good} ${pointless} 999 --dry-run`);
    expect([code, stdout.split('\n')]).toEqual([
      1,
      [
        `would replay ${good} send-mail: the mail server answered 451`,
        `would not replay ${pointless} deliver-webhook: Its webhook was deleted, so there is nowhere left to send it. Take it off the list: \`esignctl failed remove ${pointless}\`.`,
        'would not replay 999: There is no failed job 999.',
        'would replay 1 job',
        '',
      ],
    ]);
    expect(cli.jobs().map(({ state }) => state)).toEqual(['failed', 'failed']);
  });

  test('--all with filters takes just those, the oldest first', async () => {
    const cli = await startCli();
    const newer = await cli.addFailedJob({ failedAt: '2026-03-03T00:00:00.000Z' });
    const older = await cli.addFailedJob();
    await cli.addFailedJob({ kind: 'deliver-webhook' });

    const ran = await cli.run('failed replay --all --kind send-mail --yes --json');

    expect((json(ran)['results'] as { id: number }[]).map(({ id }) => id)).toEqual([older, newer]);
    expect(jsonList(await cli.run('failed list --json'))).toHaveLength(1);
  });

  test('--all asks: without a terminal exit 2, with none failed there is nothing to ask', async () => {
    const cli = await startCli();
    expect(await cli.run('failed replay --all')).toMatchObject({
      code: 0,
      stdout: 'replayed 0, failed 0\n',
    });
    await cli.addFailedJob();
    const { code, stderr } = await cli.run('failed replay --all');
    expect(code).toBe(2);
    expect(stderr).toContain('Run 1 failed job again?');
    expect(stderr).toContain('--yes');
  });

  test('--per-minute leaves a pause between two jobs', async () => {
    const cli = await startCli();
    await cli.addFailedJob();
    await cli.addFailedJob();
    const begun = performance.now();
    const { code } = await cli.run('failed replay --all --yes --per-minute 200');
    expect(code).toBe(0);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(299);
  });

  test('Ctrl-C ends it after the job under way: exit 130, the rest untouched in the list', async () => {
    const cli = await startCli();
    const ids = [await cli.addFailedJob(), await cli.addFailedJob(), await cli.addFailedJob()];
    const stop = new AbortController();

    const { code, stderr } = await cli.runIn(
      { signal: stop.signal, onOutput: (text) => text.includes('replayed') && stop.abort() },
      'failed replay',
      ...ids.map(String),
    );

    expect({ code, stderr }).toEqual({
      code: 130,
      stderr: 'esignctl: interrupted: 1 of 3 jobs tried; the others are still in the list\n',
    });
    expect(cli.jobs('send-mail').map(({ state }) => state)).toEqual(['completed', 'failed', 'failed']);
  });
});

describe('failed remove', () => {
  test('--yes removes; what is not there is told and makes the exit code 1', async () => {
    const cli = await startCli();
    const id = await cli.addFailedJob();

    const ran = await cli.run(`failed remove ${id} 999 --yes`);

    expect(ran).toEqual({
      code: 1,
      stdout: `removed ${id} send-mail\n`,
      stderr: 'There is no failed job 999.\n',
    });
    expect(cli.jobs('send-mail')).toEqual([]);
  });

  test('it asks: exit 2 without a terminal, kept when the answer is no', async () => {
    const cli = await startCli();
    const id = await cli.addFailedJob();
    expect((await cli.run(`failed remove ${id}`)).code).toBe(2);

    const { code, stderr } = await cli.runIn(
      { stdin: 'n\r', terminal: { stdin: true, stderr: 80 } },
      `failed remove ${id}`,
    );
    expect(code).toBe(130);
    expect(stderr).toContain(`Remove failed job ${id} send-mail for good?`);
    expect(cli.jobs('send-mail')).toHaveLength(1);
  });
});
