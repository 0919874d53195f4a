/** Findings beside the status: jobs, outbound deliveries, the signed PDF, rejected inbound deliveries. */
import type { RejectedDeliveryRow } from '../../db/schema.js';
import { command, type Command } from '../commands.js';
import { isToCustomer } from '../mail/mail-job.js';
import { isServersTrouble } from '../mail/mail-server.js';
import type { Job } from '../jobs/kinds.js';
import { pastErrors } from '../jobs/past-errors.js';
import { outcomeWords } from '../webhooks/words.js';
import { finding, type Facts, type Finding } from './finding.js';
import { nameOfJob } from './timeline-jobs.js';

/** About all jobs except deliveries and those already covered by `main`. */
export function jobFindings(facts: Facts, main: Finding): Finding[] {
  const all = untold(facts, main).filter(({ kind }) => kind !== 'deliver-webhook');
  const isServers = (job: Job) => isServersTrouble(facts.ctx.db, job);
  const jobs = all.filter((job) => !isServers(job));
  const refused = jobs.filter(isRefused);
  const toCustomer = refused.filter((job) => isForCustomer(job) && isOpen(job));
  const toOffice = refused.filter((job) => !isForCustomer(job));
  const mail = (cause: 'server' | 'customer' | 'other', instead?: Command) => (what: What, next: Command) =>
    finding(facts, 'mail_refused', { cause, ...what }, instead ?? next);
  const rest = jobs.filter((job) => !isRefused(job));
  return [
    // Told once for all requests, by what needs the office.
    ...told(facts, all.filter(isServers), mail('server', command('doctor'))),
    // Correcting the address sends what was refused.
    ...told(facts, toCustomer, mail('customer', setEmail(facts))),
    ...told(facts, failed(toOffice), mail('other')),
    ...told(facts, retrying(toOffice), mail('other')),
    ...unfinished(facts, rest),
  ];
}

function isForCustomer(job: Job): boolean {
  return job.kind === 'send-mail' && isToCustomer(job.payload);
}

const isOpen = ({ state }: Job) => state === 'failed' || state === 'available';

/** Its fix: the address is for a person to find out. */
export function setEmail({ file }: Facts): Command {
  return command('users set-email', file.customer.username, '…');
}

/** The mail server does not take mail for this address. */
function isRefused(job: Job): boolean {
  return pastErrors(job).at(-1)?.reason === 'recipient_refused';
}

/** About deliveries that would be sent if tried; the others are reported with their subscription. */
export function deliveryJobFindings(facts: Facts, main: Finding): Finding[] {
  const live = new Set(facts.file.deliveries.filter(({ active }) => active).map(({ id }) => id));
  const isLive = (job: Job) => job.kind === 'deliver-webhook' && live.has(job.payload.deliveryId);
  return unfinished(facts, untold(facts, main).filter(isLive));
}

function untold({ file }: Facts, { key, next }: Finding): Job[] {
  if (key === 'signer_differs') return file.jobs.filter(({ kind }) => kind !== 'correct-signer');
  if (key === 'unpayable') return file.jobs.filter(({ kind }) => kind !== 'create-payment-session');
  const isAboutJobs = next?.name === 'failed replay' || next?.name === 'jobs push';
  return isAboutJobs ? file.jobs.filter(({ id }) => !next.about.includes(id)) : file.jobs;
}

function unfinished(facts: Facts, jobs: Job[]): Finding[] {
  const due = jobs.filter(
    ({ state, attempt, runAt }) => state === 'available' && attempt === 0 && runAt <= facts.file.now,
  );
  return [
    ...told(facts, failed(jobs), (what, next) => finding(facts, 'jobs_failed', what, next)),
    ...told(facts, retrying(jobs), (what, next) => finding(facts, 'jobs_retrying', what, next)),
    ...whyNotDone(facts, due),
  ];
}

/** About work that is due and that nobody does. */
function whyNotDone(facts: Facts, due: Job[]): Finding[] {
  if (due.length === 0 || facts.isHeld) return [];
  return facts.isDaemonRunning() ? [] : [finding(facts, 'daemon_down', {}, running(...due))];
}

const failed = (jobs: Job[]) => jobs.filter(({ state }) => state === 'failed');
const retrying = (jobs: Job[]) => jobs.filter(({ state, attempt }) => state === 'available' && attempt > 0);

/** One finding for all of them, with the command that runs them. */
function told(facts: Facts, jobs: Job[], tell: (what: What, next: Command) => Finding): Finding[] {
  const [first] = jobs;
  return first ? [tell(whatOf(facts, first, jobs), running(...jobs))] : [];
}

function running(...jobs: Job[]) {
  const name = jobs[0]?.state === 'failed' ? 'failed replay' : 'jobs push';
  return command(name, ...jobs.map(({ id }) => id));
}

interface What {
  names: string;
  error: string;
}

function whatOf({ say }: Facts, first: Job, jobs: readonly Job[]): What {
  const names = [...new Set(jobs.map((job) => nameOfJob(say, job)))].join(', ');
  return { names, error: errorOf(say, first) };
}

function errorOf(say: Facts['say'], { lastError }: Job): string {
  return lastError === null ? '–' : outcomeWords(say, lastError);
}

const STUCK = {
  'complete-signature': 'completion_stuck',
  'create-payment-session': 'payment_job_stuck',
} as const;

/** The newest job of this kind for the current contract, until it is done. */
export function openJob({ file: { jobs, contract } }: Facts, kind: Job['kind']): Job | undefined {
  const job = jobs.findLast((each) => each.kind === kind && each.contractId === contract?.id);
  return job?.state === 'completed' ? undefined : job;
}

/** About that job; undefined when there is none. */
export function unfinishedJob(facts: Facts, kind: keyof typeof STUCK): Finding | undefined {
  const job = openJob(facts, kind);
  if (!job) return undefined;
  const isTried = job.state === 'failed' || (job.state === 'available' && job.attempt > 0);
  if (!isTried) return finding(facts, 'busy');
  const cause = job.state === 'failed' ? 'failed' : 'retrying';
  return finding(facts, STUCK[kind], { cause, error: errorOf(facts.say, job) }, running(job));
}

/** About deliveries that failed, by subscription. One whose job is in the failed list is reported with that job. */
export function deliveryFindings(facts: Facts): Finding[] {
  const { deliveries, jobs } = facts.file;
  const inFailedList = new Set(
    failed(jobs).flatMap((job) => (job.kind === 'deliver-webhook' ? [job.payload.deliveryId] : [])),
  );
  const missed = deliveries.filter(({ state }) => state === 'failed');
  // When the owner disabled it, nobody waits for it.
  const off = missed.filter(({ active, disabledReason }) => !active && disabledReason !== null);
  const disabled = [...new Set(off.map(({ webhookId }) => webhookId))].map((webhook) =>
    finding(facts, 'subscription_disabled', { webhook }, command('webhooks enable', webhook)),
  );
  const lost = missed.filter(({ id, active }) => active && !inFailedList.has(id)).map(({ id }) => id);
  if (lost.length === 0) return disabled;
  const next = command('webhooks redeliver', ...lost);
  return [...disabled, finding(facts, 'delivery_missed', { deliveries: lost.join(', ') }, next)];
}

/** The signed PDF on disk is missing or changed. */
export function pdfFinding(facts: Facts): Finding[] {
  const { pdf } = facts;
  if (!pdf || pdf.state === 'whole') return [];
  const { contractId: contract, state: cause } = pdf;
  return [finding(facts, 'pdf_lost', { cause, contract }, command('contracts fetch-pdf', contract))];
}

/** Worth knowing even if harmless. */
export function forgeries(facts: Facts, main: Finding): Finding[] {
  const count = facts.file.rejected.filter(isUnproven).length;
  const isTold = count === 0 || (main.key === 'webhook_missed' && main.cause === 'wrong_signature');
  return isTold ? [] : [finding(facts, 'deliveries_turned_away', { count })];
}

export function isUnproven({ reason }: RejectedDeliveryRow): boolean {
  return reason === 'wrong_signature' || reason === 'missing_signature';
}
