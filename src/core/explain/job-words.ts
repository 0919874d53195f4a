/** What a job is for, in words. */
import type { Job } from '../jobs/kinds.js';
import { isTextKey } from '../texts/index.js';
import type { Say } from './timeline-entry.js';

/** `mail with the payment link to the customer`; a mail that has no name is called by its word. */
export function mailName(say: Say, mail: string): string {
  const key = `mail.name.${mail}`;
  return isTextKey(key) ? say(key) : mail;
}

export function jobName(say: Say, kind: string): string {
  const key = `job.name.${kind}`;
  return isTextKey(key) ? say(key) : kind;
}

/** The job as people call it: a mail by what it brings. */
export function nameOfJob(say: Say, job: Job): string {
  return job.kind === 'send-mail' ? mailName(say, job.payload.mail) : jobName(say, job.kind);
}
