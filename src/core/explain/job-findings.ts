/** What is owed beside the status: mails and deliveries that failed, are tried again, or wait for a daemon. */
import type { Job } from '../jobs/kinds.js';
import { finding, type Facts, type Finding } from './finding.js';
import { nameOfJob } from './job-words.js';
import { errorOf } from './signature-findings.js';

/** The mail server does not take mails to this address, and will not later. */
const REFUSED = /answered RCPT TO: 5\d\d/;

/** Of all jobs but those that `main` is about already. */
export function jobFindings(facts: Facts, main: Finding): Finding[] {
  const { file, isDaemonRunning } = facts;
  const [, told] = /^esignctl (?:failed replay|jobs push) (\d+)$/.exec(main.next ?? '') ?? [];
  const open = file.jobs.filter(({ id }) => String(id) !== told);
  const failed = open.filter(({ state }) => state === 'failed');
  const waiting = open.filter(({ state }) => state === 'available');
  const retrying = waiting.filter(({ attempt }) => attempt > 0);
  const isRefused = ({ kind, lastError }: Job) => kind === 'send-mail' && REFUSED.test(lastError ?? '');
  const due = waiting.filter(({ attempt, runAt }) => attempt === 0 && runAt <= file.now);
  const findings: Finding[] = [];
  const tell = (
    level: 'trouble' | 'waiting',
    key: 'mail_refused' | 'jobs_failed' | 'jobs_retrying' | 'daemon_down',
    jobs: Job[],
    verb: string,
  ) => {
    const [first] = jobs;
    if (!first) return;
    const names = [...new Set(jobs.map((job) => nameOfJob(facts.say, job)))].join(', ');
    const next = `${verb} ${jobs.map(({ id }) => id).join(' ')}`;
    findings.push(finding(facts, level, key, next, { ...errorOf(first), names }));
  };
  tell('trouble', 'mail_refused', failed.filter(isRefused), 'failed replay');
  tell('trouble', 'mail_refused', retrying.filter(isRefused), 'jobs push');
  tell('trouble', 'jobs_failed', failed.filter(not(isRefused)), 'failed replay');
  tell('waiting', 'jobs_retrying', retrying.filter(not(isRefused)), 'jobs push');
  if (!isDaemonRunning) tell('trouble', 'daemon_down', due, 'jobs push');
  return findings;
}

function not<T>(isSo: (value: T) => boolean): (value: T) => boolean {
  return (value) => !isSo(value);
}
