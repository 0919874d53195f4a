/** esignctl jobs: what waits is tried now. */
import { describe, expect, test } from 'vitest';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { TESTER } from '../../support/app.js';
import { json, jsonError, jsonList, startCli } from '../support.js';

describe('jobs', () => {
  async function waitingMails() {
    const cli = await startCli();
    const { request, signId } = await cli.waitingRequest();
    cli.sandbox.sign(signId);
    await checkSignature(cli.ctx, request.id, { actor: TESTER });
    return { cli, request, ids: cli.jobs('send-mail').map(({ id }) => id) };
  }

  test('push: tries them here without a daemon, keeps who and why; one that fails says when it is tried again', async () => {
    const { cli, ids } = await waitingMails();
    const [first, second] = ids.map(String) as [string, string];
    expect((await cli.run('jobs push', first, '--dry-run')).stdout).toBe(`would try ${first} send-mail\n`);
    expect(await cli.run('jobs push', first, '--reason', 'urgent')).toMatchObject({
      code: 0,
      stdout: `done ${first} send-mail\n`,
    });
    expect(
      cli.ctx.db.raw.prepare(`SELECT detail FROM history WHERE what = 'job.pushed'`).pluck().get(),
    ).toContain('urgent');
    cli.sandbox.faults.add('smtp:451');
    const failed = await cli.run('jobs push', second, '--json');
    expect(failed.code).toBe(1);
    expect(json(failed)).toMatchObject({
      pushed: 0,
      waiting: 1,
      failed: 0,
      results: [{ id: Number(second), state: 'available', runAt: expect.any(String) }],
    });
  });

  test('push --kind and --all: ask with the numbers of each kind, and try everything that waits', async () => {
    const { cli, request, ids } = await waitingMails();
    const hook = await cli.addFailedJob({ kind: 'complete-signature', requestId: request.id });
    cli.ctx.db.raw.prepare("UPDATE jobs SET state = 'available', finishedAt = NULL WHERE id = ?").run(hook);

    expect(await cli.run('jobs push --all')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(
        `Try 1 complete-signature job, ${ids.length} send-mail jobs now?`,
      ) as string,
    });
    expect((await cli.run('jobs push --kind send-mail --dry-run')).stdout).toBe(
      [...ids.map((id) => `would try ${id} send-mail`), `would try ${ids.length} jobs`, ''].join('\n'),
    );
    expect(await cli.run('jobs push --kind send-mail --yes')).toMatchObject({
      code: 0,
      stdout: [...ids.map((id) => `done ${id} send-mail`), `done ${ids.length}, failed 0`, ''].join('\n'),
    });
    const left = jsonList(await cli.run('jobs list --json')).map(({ id }) => id);
    expect(left).toContain(hook);
    expect(ids.filter((id) => left.includes(id))).toEqual([]);
    expect((await cli.run('jobs push --all --kind deliver-webhook')).stdout).toBe('done 0, failed 0\n');
    for (const words of [[], ['7', '--all'], ['7', '--kind', 'send-mail']]) {
      expect((await cli.run('jobs push', ...words)).code).toBe(2);
    }
  });

  test('push of one that does not wait is refused with the command that fits; unknown is exit 4', async () => {
    const cli = await startCli();
    const id = await cli.addFailedJob();
    const refusal = await cli.run(`jobs push ${id} --json`);
    expect(refusal.code).toBe(3);
    expect(jsonError(refusal)).toMatchObject({
      code: 'job_not_waiting',
      hint: `Run \`esignctl failed replay ${id}\` instead.`,
    });
    expect((await cli.run('jobs push 999')).code).toBe(4);
  });
});
