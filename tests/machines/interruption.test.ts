/** Ctrl-C while somebody outside does not answer: the program that is shipped ends at once, with 130 and the truth. */
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isLocked, requestLock } from '../../src/core/lock.js';
import { temporaryDirectory } from '../support/app.js';
import { ended, jsonError, launch, startCli, type Cli, type Ran } from '../cli/support.js';
import { PATIENCE } from '../support/patience.js';
import type { Program } from '../support/processes.js';

/** Loaded before the program: none of its time-outs ever comes, so that nothing but the signal can end it. */
const NO_TIME_OUTS = `data:text/javascript,${encodeURIComponent(
  'const real = setTimeout; globalThis.setTimeout = (work, ms, ...rest) => real(work, ms < 5e3 ? ms : 2 ** 31 - 1, ...rest);',
)}`;

/** Interrupts the program when `isUnderWay`. */
async function interrupted(
  cli: Cli,
  argv: string[],
  isUnderWay: (program: Program) => boolean,
  signals: NodeJS.Signals[] = ['SIGINT'],
): Promise<Ran> {
  const program = launch(argv, { ...cli.env, NODE_OPTIONS: `--import=${NO_TIME_OUTS}` });
  const end = ended(program);
  await expect.poll(() => isUnderWay(program), PATIENCE).toBe(true);
  for (const signal of signals) program.kill(signal);
  return end;
}

/** As Linux tells it of a process. */
function hasDatabaseOpen({ pid }: Program): boolean {
  try {
    const descriptors = `/proc/${pid}/fd`;
    return readdirSync(descriptors).some((fd) =>
      readlinkSync(join(descriptors, fd)).endsWith('esign.db-wal'),
    );
  } catch {
    return false;
  }
}

const calls = (cli: Cli, name: string) => cli.sandbox.state().counters.calls[name] ?? 0;

describe('Ctrl-C while the provider does not answer', () => {
  test.each<NodeJS.Signals>(['SIGINT', 'SIGTERM'])(
    'ends check-signature by %s: nothing has changed, nothing is locked',
    async (signal) => {
      const cli = await startCli();
      const { request, contract } = await cli.waitingRequest();
      cli.sandbox.faults.add('signature.get:timeout');

      const asked = () => calls(cli, 'signature.get') > 0;
      const ran = await interrupted(cli, ['check-signature', String(request.id)], asked, [signal]);

      expect(ran).toEqual({
        code: 130,
        stdout: '',
        stderr: `esignctl: interrupted: ${request.reference}: waiting for signature, contract ${contract.id}: to be signed, as before; the signature provider had not answered\n`,
      });
      expect(isLocked(cli.ctx, cli.ctx.db, requestLock(request.id))).toBe(false);
    },
  );

  test('a second one ends it without a word', async () => {
    const cli = await startCli();
    const { request } = await cli.waitingRequest();
    cli.sandbox.faults.add('signature.get:timeout');

    const asked = () => calls(cli, 'signature.get') > 0;
    const argv = ['check-signature', String(request.id)];
    expect(await interrupted(cli, argv, asked, ['SIGINT', 'SIGTERM'])).toMatchObject({ code: 130 });
  });

  test('ends check-signature --all: what was checked stands and is counted, with --json too', async () => {
    const cli = await startCli();
    const signed = await cli.waitingRequest();
    const waits = await cli.waitingRequest();
    cli.sandbox.sign(signed.signId);
    cli.sandbox.faults.add('signature.download:timeout');

    const asked = () => calls(cli, 'signature.download') > 0;
    const ran = await interrupted(cli, ['check-signature', '--all', '--json'], asked);

    expect(ran.code).toBe(130);
    const { checked, results } = JSON.parse(ran.stdout) as { checked: number; results: { type: string }[] };
    expect(results.filter(({ type }) => type === 'error')).toEqual([]);
    const words = checked === 0 ? 'no contract was checked' : `${checked} of 2 contracts checked`;
    expect(jsonError(ran)).toEqual({ code: 'interrupted', message: `interrupted: ${words}`, hint: null });
    for (const { request } of [signed, waits])
      expect(cli.request(request.id).status).toBe('WAITING_SIGNATURE');
  });

  test('ends start-signature: it may have been carried out there, and the same command makes no second one', async () => {
    const cli = await startCli();
    const { id, reference } = await cli.addRequest();
    cli.sandbox.faults.add('signature.create:timeout:1');

    const asked = () => calls(cli, 'signature.create') > 0;
    const ran = await interrupted(cli, ['start-signature', String(id)], asked);

    expect(ran.code).toBe(130);
    expect(ran.stderr).toContain(
      `esignctl: interrupted: now ${reference}: in progress, contract 1: to be signed; the sig`,
    );
    expect(ran.stderr).toContain('the signature provider had not answered, and may still carry out the call');
    expect(await cli.run('start-signature', String(id))).toMatchObject({ code: 0 });
    expect(cli.sandbox.state().signatureRequests.filter(({ status }) => status === 'ongoing')).toHaveLength(
      1,
    );
  });
});

describe('Ctrl-C', () => {
  test('ends a backup, and leaves nothing of it', async () => {
    const cli = await startCli();
    const target = temporaryDirectory();
    // Enough that it is not over before it is interrupted.
    for (let i = 1; i <= 200; i += 1) {
      writeFileSync(join(cli.dataDir, 'contracts', `${i}.pdf`), Buffer.alloc(1_000_000, i));
    }

    const file = join(target, 'backup.tar');
    const ran = await interrupted(cli, ['backup', file], () => readdirSync(target).length > 0);

    expect(ran).toEqual({
      code: 130,
      stdout: '',
      stderr: `esignctl: interrupted: no backup was written to ${file}\n`,
    });
    expect(readdirSync(target)).toEqual([]);
  });

  test('ends a command that waits for stdin', async () => {
    const cli = await startCli();
    const argv = ['users', 'create', 'anna@example.org', '--password-stdin'];
    expect(await interrupted(cli, argv, hasDatabaseOpen)).toEqual({
      code: 130,
      stdout: '',
      stderr: 'esignctl: interrupted: nothing was changed\n',
    });
  });

  test('ends a command that waits for another process to let go of the database', async () => {
    const cli = await startCli();
    const id = await cli.addFailedJob();
    const { raw } = cli.ctx.db;
    raw.exec('BEGIN IMMEDIATE');
    onTestFinished(() => void raw.exec('ROLLBACK'));

    const ran = await interrupted(cli, ['failed', 'replay', String(id)], hasDatabaseOpen);

    expect(ran).toMatchObject({ code: 130, stdout: '' });
    expect(ran.stderr).toBe('esignctl: interrupted: 0 of 1 job tried; the others are still in the list\n');
  });
});
