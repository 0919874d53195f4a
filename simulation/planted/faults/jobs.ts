/** Faults of the queue, and of mail. */
import { fault, type PlantedFault } from '../fault.js';

export const JOB_FAULTS: readonly PlantedFault[] = [
  fault(
    'leases are ignored',
    {
      file: 'core/jobs/runner.js',
      find: ': job.leaseUntil < now || hasEnded(job.leaseHolder, this.#holder);',
      put: ': true;',
    },
    { requests: 18 },
  ),
  fault('jobs of a process that died are not released', {
    file: 'core/jobs/runner.js',
    find: ': job.leaseUntil < now || hasEnded(job.leaseHolder, this.#holder);',
    put: ': false;',
  }),
  fault('a job that has used up its attempts is lost', {
    file: 'core/jobs/release.js',
    find: "state: retry ? 'available' : 'failed',\n        runAt",
    put: "state: retry ? 'available' : 'completed',\n        runAt",
  }),
  fault('a job gives up before its last try', {
    file: 'core/jobs/retry-policy.js',
    find: 'const wait = waitsMs[attempt - 1];',
    put: 'const wait = waitsMs.slice(0, -1)[attempt - 1];',
  }),
  fault('a job waits half as long as promised', {
    file: 'core/jobs/retry-policy.js',
    find: 'Math.max(wait, atLeastMs)',
    put: 'Math.max(wait / 2, atLeastMs)',
  }),
  fault('a replay of all failed jobs leaves one out', {
    file: 'core/jobs/failed.js',
    find: 'return listFailedIds(db, filter);',
    put: 'return listFailedIds(db, filter).slice(1);',
  }),
  {
    name: 'a job that is done can be replayed',
    edits: [
      {
        file: 'core/jobs/failed.js',
        find: "return job?.state === 'failed' ? job : undefined;",
        put: "return job?.state !== 'running' ? job : undefined;",
      },
      {
        file: 'core/jobs/failed.js',
        find: "if (job.state !== 'failed')\n        throw refused",
        put: "if (job.state === 'running')\n        throw refused",
      },
    ],
  },
  fault('a mail that the server did not take counts as sent', {
    file: 'core/mail/send-mail.js',
    find: 'await send(ctx, letter, messageId);',
    put: 'await send(ctx, letter, messageId).catch(() => undefined);',
  }),
  fault('a mail that was taken is sent once more', {
    file: 'core/mail/send-mail.js',
    find: 'await send(ctx, letter, messageId);',
    put: "await send(ctx, letter, messageId);\n    if (job.attempt === 1) throw new Error('who knows');",
  }),
  fault('each try of a mail has a Message-ID of its own', {
    file: 'core/mail/send-mail.js',
    find: 'messageIdOf(ctx, job, letter)',
    put: 'messageIdOf(ctx, job.attempt > 1 ? { ...job, uniqueKey: `${job.uniqueKey}${job.attempt}`, createdAt: `${job.attempt}${job.createdAt}` } : job, letter)',
  }),
  fault('the link to pay is sent although it was paid, canceled or replaced', {
    file: 'core/mail/send-mail.js',
    find: 'if (isAskedToPay(db, contract))\n        return undefined;',
    put: 'return undefined;',
  }),
  {
    name: 'a change that fails leaves its half behind',
    edits: [
      { file: 'db/writer.js', find: 'this.#steps.undo.run();', put: '' },
      // A change that has a commit of its own.
      {
        file: 'db/writer.js',
        find: 'this.#steps.rollback.run();\n            return { error };',
        put: 'this.#steps.commit.run();\n            return { error };',
      },
    ],
    world: { requests: 18, often: ['disk', 'clock'] },
  },
  fault(
    'commits do not wait for the disk',
    { file: 'db/open.js', find: "raw.pragma('synchronous = FULL');", put: '' },
    { often: 'power' },
  ),
  fault('a job and its effect are two transactions', {
    file: 'core/jobs/attempts.js',
    find: 'return await change(this.#parts, { actor: JOB }, (tx) => {\n                const word = settle?.(tx);',
    put: 'const word = await change(this.#parts, { actor: JOB }, (tx) => settle?.(tx));\n            return await change(this.#parts, { actor: JOB }, (tx) => {',
  }),
];
