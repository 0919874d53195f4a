/** esignctl status and doctor: the state in numbers, and every check with its fix. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.js';
import { signedPdfPath } from '../../../src/core/contracts/contract-files.js';
import { readDashboard } from '../../../src/core/status/dashboard.js';
import { checkDatabase } from '../../../src/core/doctor/database-check.js';
import type { Check as Examined } from '../../../src/core/doctor/examine.js';
import { checkClock } from '../../../src/core/doctor/service-checks.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { receiveWebhook } from '../../../src/core/signature/receive-webhook.js';
import { startSignature } from '../../../src/core/signature/start-signature.js';
import { takeDaemonLock } from '../../../src/db/installation/daemon-lock.js';
import { temporaryDirectory, TESTER } from '../../support/app.js';
import { json, startCli, type Cli } from '../support.js';

/** As the document shows it. */
type Check = Omit<Examined, 'fix'> & { fix: string | null };

/** What stands in for the daemon: it holds the lock, and answers signature webhooks as the daemon does. */
async function withDaemon(cli: Cli): Promise<void> {
  const server = createServer((request, response) => {
    void buffer(request).then(async (rawBody) => {
      const signature = request.headers['x-esign-signature-256'] as string | undefined;
      const { status } = await receiveWebhook(cli.ctx, { rawBody, signature, address: '127.0.0.1' });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const lock = takeDaemonLock(cli.dataDir);
  onTestFinished(() => {
    lock?.release();
    server.close();
  });
  cli.env['ESIGN_PORT'] = String((server.address() as AddressInfo).port);
}

async function examined(cli: Cli): Promise<{ code: number; state: Record<string, string>; checks: Check[] }> {
  const ran = await cli.run('doctor --json');
  const { checks } = json(ran) as unknown as { checks: Check[] };
  const state = Object.fromEntries(checks.map(({ name, state: found }) => [name, found]));
  return { code: ran.code, state, checks };
}

const fixOf = (checks: Check[], name: string) => checks.find((check) => check.name === name)?.fix;

describe('doctor', () => {
  test('all is well: every check is ok, and exit 0', async () => {
    const cli = await startCli();
    await withDaemon(cli);
    const { code, state } = await examined(cli);
    expect({ code, state: { ...state, disk: 'ok' } }).toEqual({
      code: 0,
      state: {
        settings: 'ok',
        secrets: 'ok',
        'data directory': 'ok',
        'file modes': 'ok',
        database: 'ok',
        'write-ahead log': 'ok',
        'signed PDFs': 'ok',
        work: 'ok',
        'scheduled work': 'ok',
        'times of scheduled work': 'ok',
        'scheduled backups': 'warning',
        'off-site copy': 'warning',
        disk: 'ok',
        firm: 'ok',
        daemon: 'ok',
        'signature provider': 'ok',
        clock: 'ok',
        'payment provider': 'ok',
        'mail server': 'ok',
        'webhook secret': 'ok',
      },
    });
  });

  /** What happens; the states that the checks then have, and one fix. */
  test.each<[string, (cli: Cli) => unknown, Record<string, string>, [check: string, fix: RegExp]?]>([
    [
      'the daemon is down: what could not be tried is said',
      () => undefined,
      { daemon: 'warning', 'webhook secret': 'warning', database: 'ok' },
      ['daemon', /systemctl start esignd/],
    ],
    [
      'the daemon goes by another webhook secret',
      async (cli) => {
        await withDaemon(cli);
        cli.env['ESIGN_WEBHOOK_SECRET'] = 'the secret of next year';
      },
      { 'webhook secret': 'failed' },
    ],
    [
      'keys are open to others, and the schema is behind',
      (cli) => {
        chmodSync(join(cli.dataDir, 'keys'), 0o755);
        cli.ctx.db.raw.pragma('user_version = 49');
      },
      { 'file modes': 'failed', database: 'failed' },
      ['database', /esignctl migrate/],
    ],
    [
      'the data directory is named from where one stands',
      (cli) => (cli.env['ESIGN_DATA_DIR'] = relative(process.cwd(), cli.dataDir)),
      { 'data directory': 'ok', database: 'ok' },
    ],
    [
      'the database cannot be opened, which is no reason to restore one',
      async (cli) => {
        await cli.ctx.close();
        rmSync(join(cli.dataDir, 'esign.db'));
        mkdirSync(join(cli.dataDir, 'esign.db'));
      },
      { database: 'failed' },
      ['database', /^(?!.*restore).*The data is undamaged/s],
    ],
    [
      'the data directory is not there yet, and none is made',
      (cli) => (cli.env['ESIGN_DATA_DIR'] = join(temporaryDirectory(), 'none')),
      { 'data directory': 'warning', database: 'warning' },
    ],
  ])('%s', async (_, happens, states, [check, words] = ['daemon', /^/]) => {
    const cli = await startCli();
    await happens(cli);
    const { code, state, checks } = await examined(cli);
    expect(state).toMatchObject(states);
    expect(code).toBe(Object.values(states).includes('failed') ? 1 : 0);
    expect(fixOf(checks, check) ?? '').toMatch(words);
  });

  const aSigned = async (cli: Cli) => {
    const { request, contract, signId } = await cli.waitingRequest();
    cli.sandbox.sign(signId);
    await checkSignature(cli.ctx, request.id, { actor: TESTER });
    return signedPdfPath(cli.ctx, contract.id);
  };

  test.each<[string, (cli: Cli) => unknown, check: string]>([
    ['a signed PDF is gone', async (cli) => rmSync(await aSigned(cli)), 'signed PDFs'],
    [
      'a PDF is not the one that was signed, be it of the same size',
      async (cli) => {
        const file = await aSigned(cli);
        writeFileSync(file, readFileSync(file).fill(' ', 100, 110));
      },
      'signed PDFs',
    ],
    [
      'files are open to others',
      (cli) => {
        writeFileSync(join(cli.dataDir, 'keys', 'jwt.secret'), 'k'.repeat(43), { mode: 0o644 });
        for (const name of ['esign.db', 'esign.db-wal', 'contracts', 'keys'])
          chmodSync(join(cli.dataDir, name), 0o755);
      },
      'file modes',
    ],
  ])('%s: the command that is named fixes it', async (_, happens, check) => {
    const cli = await startCli();
    await happens(cli);
    const before = await examined(cli);
    expect(before).toMatchObject({ code: 1, state: { [check]: 'failed' } });
    const [, command = ''] = /^Run: (.*)$/.exec(fixOf(before.checks, check) ?? '') ?? [];
    if (command.startsWith('esignctl')) await cli.run(...command.split(' ').slice(1));
    else execFileSync('sh', ['-c', command]);
    expect((await examined(cli)).state[check]).toBe('ok');
  });

  test.each([
    [-600_000, 'failed', /no contract expires until the clock is right/],
    [600_000, 'failed', /^(?!.*expires)/],
    [-60_000, 'warning', /./],
    [undefined, 'warning', /./],
  ])('a clock of the provider that is %s ms off is told as %s', (ms, state, message) => {
    const check = checkClock(ms === undefined ? ms : new Date(Date.now() + ms));
    expect(check).toMatchObject({ state, message: expect.stringMatching(message) });
  });

  test('a contract that a restore has lost sight of is named, with what can be done', async () => {
    const cli = await startCli();
    const { contract, signId } = await cli.waitingRequest();
    cli.sandbox.sign(signId);
    cli.ctx.db.raw.exec(
      "DELETE FROM contracts; DELETE FROM jobs; UPDATE requests SET status = 'in_progress'",
    );
    const { code, state, checks } = await examined(cli);
    expect(code).toBe(0);
    expect(state['signatures unknown here']).toBe('warning');
    const told = checks.find(({ name }) => name === 'signatures unknown here');
    for (const word of [signId, contract.externalId, 'done', '“REQ-']) expect(told?.message).toContain(word);
    expect(told?.fix).toContain('esignctl check-signature --all');
  });

  test('wrong settings are reported with variable, fault and fix, and nothing else is looked at', async () => {
    const cli = await startCli();
    cli.env['ESIGN_API_URL'] = 'not an address';
    cli.env['ESIGN_API_KEY'] = '';
    const { code, checks } = await examined(cli);
    expect(code).toBe(1);
    expect(checks.map(({ name, state }) => `${name} ${state}`).toSorted()).toEqual([
      'setting ESIGN_API_KEY failed',
      'setting ESIGN_API_URL failed',
    ]);
  });

  test('a service that is in trouble fails with its fix', async () => {
    const cli = await startCli();
    for (const [name, fault, fix] of [
      ['signature provider', 'signature.list:401', 'ESIGN_API_KEY'],
      ['signature provider', 'signature.list:403', 'ESIGN_API_KEY, or add the missing feature'],
      ['signature provider', 'signature.list:404_html', 'ESIGN_API_URL'],
      ['signature provider', 'signature.list:429', 'Try again in 1 s.'],
      ['signature provider', 'signature.list:500', 'ESIGN_API_URL'],
      ['payment provider', 'payment.list:401', 'ESIGN_PAYMENT_API_KEY'],
      ['mail server', 'smtp:421', 'ESIGN_SMTP_URL'],
    ] as const) {
      const { id } = cli.sandbox.faults.add(fault);
      const { code, state, checks } = await examined(cli);
      cli.sandbox.faults.remove(id);
      expect([fault, code, state[name]]).toEqual([fault, 1, 'failed']);
      expect(fixOf(checks, name)).toContain(fix);
    }
  });

  test('a database too large to be read in a moment: it says so and how all is read; --full finds no damage either', async () => {
    const cli = await startCli();
    cli.ctx.db.raw.exec('CREATE TABLE large (content); INSERT INTO large VALUES (zeroblob(70000000))');
    const { config } = cli.ctx;
    const [database] = await checkDatabase(config, false, { isFull: false, readingMsMax: 1 });
    expect(database).toEqual({
      name: 'database',
      state: 'ok',
      message: expect.stringMatching(
        /0\.001 s of reading found no damage, but are not enough for all of its \d+ MB/,
      ),
      fix: ['Everything: ', { name: 'doctor', about: [], options: ['--full'] }],
    });
    const [whole] = await checkDatabase(config, false, { isFull: true, readingMsMax: 1 });
    expect(whole).toMatchObject({ state: 'ok', message: expect.stringContaining('undamaged'), fix: null });
  });

  test('--full looks at everything and says so; without it, nothing is said to be well that was not looked at', async () => {
    const cli = await startCli();
    const { request, signId } = await cli.waitingRequest();
    cli.sandbox.sign(signId);
    await checkSignature(cli.ctx, request.id, { actor: TESTER });
    // One more has been signed than are looked at.
    cli.ctx.db.raw.exec(`DROP INDEX contractAliveByRequest;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO contracts (key, externalId, requestId, status, amount, currency, createdAt, expiredAt, signedAt, pdfSha256, pdfSize)
      SELECT hex(randomblob(8)), hex(randomblob(8)), requestId, status, amount, currency, createdAt, expiredAt, '2020-01-01', pdfSha256, pdfSize FROM contracts, n`);
    const newest = readFileSync(signedPdfPath(cli.ctx, 1));
    for (let id = 3; id <= 1_001; id += 1) writeFileSync(signedPdfPath(cli.ctx, id), newest);

    const briefly = await cli.run('doctor');
    const full = await cli.run('doctor --full');

    expect(briefly.stdout).toMatch(
      /signed PDFs\tok\tthe newest 1000 are present; \d+ were read and are genuine\. Everything: esignctl doctor --full/,
    );
    expect(briefly).toMatchObject({
      code: 0,
      stderr: 'nothing failed, but only a part was looked at; --full looks at everything\n',
    });
    expect(full.code).toBe(1);
    expect(full.stdout).toContain('signed PDFs\tfailed\tof all 1001, 1 are missing: contract 2');
  });

  test('jobs that failed, and work that lies about with and without a daemon', async () => {
    const cli = await startCli();
    await cli.addFailedJob();
    const failedOnly = await examined(cli);
    expect(failedOnly.state['work']).toBe('warning');
    expect(fixOf(failedOnly.checks, 'work')).toContain('esignctl failed list');
    cli.ctx.db.raw.exec(
      `UPDATE jobs SET state = 'available', finishedAt = NULL, runAt = '2026-01-01T00:00:00.000Z'`,
    );
    expect(fixOf((await examined(cli)).checks, 'work')).toContain('systemctl start esignd');
    await withDaemon(cli);
    expect(fixOf((await examined(cli)).checks, 'work')).toContain('systemctl restart esignd');
  });

  test('secrets that can be guessed, are used twice, or lie in a file open to others', async () => {
    const cli = await startCli();
    const file = join(temporaryDirectory(), "the firm's $(touch x)`y`.env");
    writeFileSync(file, `ESIGN_PAYMENT_WEBHOOK_SECRET=${cli.env['ESIGN_WEBHOOK_SECRET']}\n`);
    chmodSync(file, 0o644);
    delete cli.env['ESIGN_PAYMENT_WEBHOOK_SECRET'];
    cli.env['ESIGN_ENV_FILE'] = file;
    const twice = await examined(cli);
    expect(twice.checks.find(({ name }) => name === 'secrets')?.message).toContain(
      'the same in ESIGN_WEBHOOK_SECRET and ESIGN_PAYMENT_WEBHOOK_SECRET',
    );
    const fix = fixOf(twice.checks, 'settings files') ?? '';
    execFileSync('sh', ['-c', /^Run: (chmod o-rwx .*)$/.exec(fix)?.[1] ?? 'false']);
    cli.env['ESIGN_WEBHOOK_SECRET'] = 'aaaaaaaaaaaaaaaaaaaa';
    const weak = await examined(cli);
    expect(weak.checks.find(({ name }) => name === 'secrets')?.message).toBe(
      'easy to guess: ESIGN_WEBHOOK_SECRET',
    );
    expect(weak.state['settings files']).toBe('ok');
  });

  test('no secret stands in what it prints', async () => {
    const cli = await startCli();
    cli.sandbox.faults.add('signature.list:401');
    const { stdout, stderr } = await cli.run('doctor');
    expect(stdout).toContain('CHECK\tSTATE\tFOUND\n');
    for (const secret of ['sandbox-api-key', 'sandbox-payment-key', 'test-webhook-secret-1']) {
      expect(stdout + stderr).not.toContain(secret);
    }
    expect(stderr).toBe('1 check failed\n');
  });
});

describe('status', () => {
  test('the documented object', async () => {
    const cli = await startCli();
    const { request, signId } = await cli.waitingRequest();
    await cli.waitingRequest();
    cli.sandbox.sign(signId);
    await checkSignature(cli.ctx, request.id, { actor: TESTER });
    await cli.addFailedJob();
    await cli.run('expire-contracts');

    expect(json(await cli.run('status --json'))).toEqual({
      daemon: { running: false, pid: null },
      requests: {
        new: 0,
        in_progress: 0,
        WAITING_SIGNATURE: 2,
        WAITING_PAYMENT: 1,
        COMPLETE: 0,
        CANCELED: 0,
      },
      contracts: { PENDING: 2, SIGNED: 1, EXPIRED: 0 },
      jobs: { available: 2, running: 0 },
      failed: 1,
      oldestWaiting: {
        signature: {
          requestId: expect.any(Number),
          reference: expect.any(String),
          since: expect.any(String),
          seconds: expect.any(Number),
        },
        payment: {
          requestId: request.id,
          reference: request.reference,
          since: expect.any(String),
          seconds: expect.any(Number),
        },
      },
      lastExpiry: {
        startedAt: expect.any(String),
        finishedAt: expect.any(String),
        result: { expired: 0 },
      },
      lastReconcile: null,
      lastBackup: null,
      copies: {
        here: { madeAt: null, ageSeconds: null, where: null },
        offSite: { madeAt: null, ageSeconds: null, where: null, isLate: false },
      },
      runs: [
        'expire',
        'reconcile',
        'trails',
        'payments',
        'reminders',
        'housekeeping',
        'digest',
        'backup',
      ].map((run) => expect.objectContaining({ run, isFailing: false })),
      failing: [],
      todo: [
        expect.objectContaining({
          kind: 'job_failed',
          next: expect.stringMatching(/^esignctl failed replay/),
        }),
      ],
      isMoreToDo: false,
    });
  });

  test('the longest wait is reported with its start and length, not the next job', async () => {
    const DAY = 86_400_000;
    let ago = 5 * DAY;
    const clock = { now: () => new Date(Date.now() - ago) };
    const cli = await startCli({}, clock);
    const made = await cli.addRequest();
    ago = 3 * DAY;
    const first = await cli.waitingRequest();
    const paying = await cli.waitingRequest();
    cli.sandbox.sign(paying.signId);
    ago = 2 * DAY;
    await checkSignature(cli.ctx, paying.request.id, { actor: TESTER });
    await startSignature(cli.ctx, made.id, { actor: TESTER });
    ago = 0;
    // Tried again in a while: a time to come.
    cli.ctx.db.raw.exec("UPDATE jobs SET runAt = '2099-01-01T00:00:00.000Z' WHERE state = 'available'");

    const { oldestWaiting } = json(await cli.run('status --json'));

    const of = (days: number, { id: requestId, reference }: { id: number; reference: string }) => ({
      requestId,
      reference,
      since: expect.any(String) as string,
      seconds: expect.closeTo(days * 86_400, -2) as number,
    });
    expect(oldestWaiting).toEqual({ signature: of(3, first.request), payment: of(2, paying.request) });
    const { stdout } = await cli.run('status');
    expect(stdout).toContain(`longest waiting signature\t${first.request.reference}, 3 days, since 20`);
    expect(stdout).toContain(`longest waiting payment\t${paying.request.reference}, 2 days, since 20`);
    expect(stdout).not.toContain('2099');
    const office = readDashboard({ ...cli.ctx, clock: systemClock });
    expect(office.waitingSignature.map(({ request }) => request.id)).toEqual([first.request.id, made.id]);
  });

  test('piped: a line each; --watch is only for a terminal', async () => {
    const cli = await startCli();
    const { stdout } = await cli.run('status');
    expect(stdout).toContain('daemon\tnot running\n');
    expect(stdout).toMatch(/last bulk check\tnever, next \d{4}-/);
    expect((await cli.run('status --watch')).code).toBe(2);
  });

  test('--watch draws again until Ctrl-C, which is exit 130', async () => {
    const cli = await startCli();
    const stop = new AbortController();
    const { code, stdout } = await cli.runIn(
      {
        terminal: { stdout: 80 },
        signal: stop.signal,
        onOutput: (text) => text.includes('Ctrl-C ends it') && stop.abort(),
      },
      'status --watch',
    );
    expect(code).toBe(130);
    expect(stdout).toContain('\u001b[H\u001b[J');
    expect(stdout).toMatch(/as of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [A-Z]{3}/);
  });
});
