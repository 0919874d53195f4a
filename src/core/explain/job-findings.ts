/** What is owed beside the status: mails and deliveries that failed, are tried again, or wait for a daemon. */
import type { Job } from '../jobs/kinds.js';
import { finding, type Facts, type Finding } from './finding.js';
import { nameOfJob } from './job-words.js';
import { errorOf } from './signature-findings.js';

/** The mail server does not take mails to this address, and will not later. */
const REFUSED = /answered RCPT TO: 5\d\d/;

/** Of all jobs but deliveries, and those that `main` is about already. */
export function jobFindings(facts: Facts, main: Finding): Finding[] {
  const jobs = untold(facts, main).filter(({ kind }) => kind !== 'deliver-webhook');
  const isRefused = ({ kind, lastError }: Job) => kind === 'send-mail' && REFUSED.test(lastError ?? '');
  const refused = jobs.filter(isRefused);
  return [
    ...told(facts, 'trouble', 'mail_refused', failed(refused)),
    ...told(facts, 'trouble', 'mail_refused', retrying(refused)),
    ...unfinished(
      facts,
      jobs.filter((job) => !isRefused(job)),
    ),
  ];
}

/** Of the deliveries that would be sent if they were tried; the others are told with their subscription. */
export function deliveryJobFindings(facts: Facts, main: Finding): Finding[] {
  const live = new Set(facts.file.deliveries.filter(({ active }) => active).map(({ id }) => id));
  const isLive = (job: Job) => job.kind === 'deliver-webhook' && live.has(job.payload.deliveryId);
  return unfinished(facts, untold(facts, main).filter(isLive));
}

function untold({ file }: Facts, main: Finding): Job[] {
  const [, told] = /^esignctl (?:failed replay|jobs push) (\d+)$/.exec(main.next ?? '') ?? [];
  return file.jobs.filter(({ id }) => String(id) !== told);
}

function unfinished(facts: Facts, jobs: Job[]): Finding[] {
  const due = jobs.filter(
    ({ state, attempt, runAt }) => state === 'available' && attempt === 0 && runAt <= facts.file.now,
  );
  return [
    ...told(facts, 'trouble', 'jobs_failed', failed(jobs)),
    ...told(facts, 'waiting', 'jobs_retrying', retrying(jobs)),
    ...(facts.isDaemonRunning ? [] : told(facts, 'trouble', 'daemon_down', due)),
  ];
}

const failed = (jobs: Job[]) => jobs.filter(({ state }) => state === 'failed');
const retrying = (jobs: Job[]) => jobs.filter(({ state, attempt }) => state === 'available' && attempt > 0);

/** One finding about all of them, with the command that runs them; none where there are none. */
function told(
  facts: Facts,
  level: 'trouble' | 'waiting',
  key: 'mail_refused' | 'jobs_failed' | 'jobs_retrying' | 'daemon_down',
  jobs: Job[],
): Finding[] {
  const [first] = jobs;
  if (!first) return [];
  const names = [...new Set(jobs.map((job) => nameOfJob(facts.say, job)))].join(', ');
  const verb = first.state === 'failed' ? 'failed replay' : 'jobs push';
  const next = `${verb} ${jobs.map(({ id }) => id).join(' ')}`;
  return [finding(facts, level, key, next, { ...errorOf(first), names })];
}
