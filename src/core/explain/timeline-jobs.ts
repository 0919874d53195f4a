/** Entries from jobs: each recorded failed attempt, and the current state. */
import { label, type Say } from '../texts/index.js';
import { type Job } from '../jobs/kinds.js';
import { pastErrors } from '../jobs/past-errors.js';
import { outcomeWords } from '../webhooks/words.js';
import type { CaseFile } from './case-file.js';
import { entry, type TimelineEntry } from './timeline-entry.js';

/** A job's name for people; a mail is named by its content: `mail with the payment link to the customer`. */
export function nameOfJob(say: Say, job: Job): string {
  if (job.kind === 'deliver-webhook') return say('job.name.delivery', { delivery: job.payload.deliveryId });
  return job.kind === 'send-mail' ? say(`mail.name.${job.payload.mail}`) : jobName(say, job.kind);
}

/** As the history has stored it. */
export function mailName(say: Say, mail: string): string {
  return label(say, `mail.name.${mail}`, mail);
}

export function jobName(say: Say, kind: string): string {
  return label(say, `job.name.${kind}`, kind);
}

export function jobEntries(say: Say, { jobs, deliveries, now }: CaseFile): TimelineEntry[] {
  const lost = new Set(deliveries.filter(({ state }) => state === 'failed').map(({ id }) => id));
  return jobs.flatMap((job) => {
    const isLost = job.kind === 'deliver-webhook' && lost.has(job.payload.deliveryId);
    return [...failedTries(say, job), ...standing(say, job, { now, isLost })];
  });
}

function failedTries(say: Say, job: Job): TimelineEntry[] {
  const tries = pastErrors(job);
  return tries.flatMap(({ attempt, at, error }, i) => {
    const isLast = job.state === 'failed' && i === tries.length - 1;
    const failed = jobEntry(say, job, isLast ? 'failed' : 'try_failed', at, {
      level: 'trouble',
      note: outcomeWords(say, error),
      attempt,
    });
    // Only the first and the last nine attempts are kept.
    const missing = attempt - (tries[i - 1]?.attempt ?? attempt - 1) - 1;
    return missing > 0
      ? [jobEntry(say, job, 'tries_not_kept', at, { attempt: attempt - 1 }), failed]
      : [failed];
  });
}

function standing(say: Say, job: Job, { now, isLost }: { now: string; isLost: boolean }): TimelineEntry[] {
  const { state, kind, attempt, runAt, finishedAt } = job;
  switch (state) {
    case 'completed': {
      const at = finishedAt ?? runAt;
      // Nobody got it: the subscription is off or its receiver gone.
      if (isLost) return [jobEntry(say, job, 'dropped', at, { level: 'trouble' })];
      // Sent mails and created sessions are in the history.
      const isTold = kind !== 'complete-signature' && kind !== 'deliver-webhook' && attempt <= 1;
      return isTold ? [] : [jobEntry(say, job, 'completed', at, { level: 'good' })];
    }
    case 'available':
      return [jobEntry(say, job, runAt > now ? 'next_try' : 'due', runAt, { what: 'job.waiting' })];
    case 'running':
      return [jobEntry(say, job, 'running', runAt)];
    case 'failed':
      return [];
  }
}

type JobWord =
  | 'failed'
  | 'try_failed'
  | 'tries_not_kept'
  | 'dropped'
  | 'completed'
  | 'next_try'
  | 'due'
  | 'running';

interface More extends Partial<Pick<TimelineEntry, 'what' | 'level' | 'note'>> {
  attempt?: number;
}

function jobEntry(
  say: Say,
  job: Job,
  word: JobWord,
  at: string,
  { attempt = job.attempt, ...more }: More = {},
): TimelineEntry {
  const { id: jobId, kind, contractId } = job;
  // Numbers are for programs.
  const name = kind === 'deliver-webhook' ? jobName(say, kind) : nameOfJob(say, job);
  const message = say(`timeline.job.${word}`, { name });
  return entry({ actor: 'job', at, what: `job.${word}`, message, contractId, jobId, attempt, ...more });
}
