/** What was tried, and how it went: each failed try that is kept, and where the job stands. */
import type { Job } from '../jobs/kinds.js';
import { RETRY_WAITS_MS, type PastError } from '../jobs/retry-policy.js';
import type { CaseFile } from './case-file.js';
import { nameOfJob } from './job-words.js';
import { entry, type Say, type TimelineEntry } from './timeline-entry.js';

export function jobEntries(say: Say, { jobs, deliveries, now }: CaseFile): TimelineEntry[] {
  const lost = new Set(deliveries.filter(({ state }) => state === 'failed').map(({ id }) => id));
  return jobs.flatMap((job) =>
    job.kind === 'deliver-webhook' && job.state === 'completed' && lost.has(job.payload.deliveryId)
      ? [...failedTries(say, job), dropped(say, job)]
      : [...failedTries(say, job), ...standing(say, job, now)],
  );
}

function failedTries(say: Say, job: Job): TimelineEntry[] {
  const tries = JSON.parse(job.errors) as PastError[];
  return tries.flatMap(({ attempt, at, error }, i) => {
    const before = tries[i - 1];
    const missing = before ? attempt - before.attempt - 1 : 0;
    const isLast = job.state === 'failed' && i === tries.length - 1;
    const params = { name: nameOfJob(say, job), job: job.id, attempt, tries: triesOf(job) };
    const about = { at, actor: 'job', note: error, level: 'trouble', ...ids(job) } as const;
    const failed = isLast
      ? entry({ ...about, what: 'job.failed', message: say('timeline.job.failed', params) })
      : entry({ ...about, what: 'job.try_failed', message: say('timeline.job.try_failed', params) });
    // Of many tries the first and the last nine are kept.
    return missing > 0 ? [gap(say, job, { at, missing }), failed] : [failed];
  });
}

function triesOf({ kind }: Job): number {
  return RETRY_WAITS_MS[kind].length + 1;
}

function ids({ id, contractId }: Job) {
  return { jobId: id, contractId };
}

function gap(say: Say, job: Job, { at, missing }: { at: string; missing: number }): TimelineEntry {
  const params = { name: nameOfJob(say, job), job: job.id, missing };
  return entry({
    at,
    actor: 'job',
    what: 'job.tries_not_kept',
    message: say('timeline.job.tries_not_kept', params),
    ...ids(job),
  });
}

/** Its job is done with, and nobody got it: the subscription is off, or its receiver said that it is gone. */
function dropped(say: Say, job: Job): TimelineEntry {
  const message = say('timeline.job.dropped', { name: nameOfJob(say, job), job: job.id });
  const at = job.finishedAt as string;
  return entry({ actor: 'job', ...ids(job), at, what: 'job.dropped', level: 'trouble', message });
}

function standing(say: Say, job: Job, now: string): TimelineEntry[] {
  const params = { name: nameOfJob(say, job), job: job.id, attempt: job.attempt };
  const about = { actor: 'job', ...ids(job) };
  switch (job.state) {
    case 'completed': {
      const at = job.finishedAt as string;
      // A mail that went out, and a session that was made, stand in the history.
      if (job.kind !== 'complete-signature' && job.kind !== 'deliver-webhook' && job.attempt <= 1) return [];
      return [
        entry({
          ...about,
          at,
          what: 'job.completed',
          level: 'good',
          message: say('timeline.job.completed', params),
        }),
      ];
    }
    case 'available': {
      const key = job.runAt > now ? 'timeline.job.next_try' : 'timeline.job.due';
      return [entry({ ...about, at: job.runAt, what: 'job.waiting', message: say(key, params) })];
    }
    case 'running':
      return [
        entry({ ...about, at: job.runAt, what: 'job.running', message: say('timeline.job.running', params) }),
      ];
    case 'failed':
      return [];
  }
}
