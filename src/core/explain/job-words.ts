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
  switch (job.kind) {
    case 'send-mail':
      return mailName(say, job.payload.mail);
    case 'deliver-webhook':
      return say('job.name.delivery', { delivery: job.payload.deliveryId });
    case 'create-payment-session':
    case 'complete-signature':
      return jobName(say, job.kind);
  }
}
