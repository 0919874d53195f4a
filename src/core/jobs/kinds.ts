/** Every kind of job. */
import type { JobRow } from '../../db/schema.js';
import { mailJob } from '../mail/mail-job.js';
import { paymentJob } from '../payment/payment-job.js';
import { completionJob, endJob } from '../signature/completion-job.js';
import { signerJob } from '../users/signer-job.js';
import { deliveryJob } from '../webhooks/delivery-job.js';
import type { JobKind, JobOf } from './kind.js';
import type { JobName } from './names.js';

const KINDS = [paymentJob, completionJob, endJob, mailJob, deliveryJob, signerJob] as const;

type Kind = (typeof KINDS)[number];

export type Job = Kind extends infer K ? (K extends JobKind<infer N, infer P> ? JobOf<N, P> : never) : never;

export const JOB_KINDS: readonly JobKind<JobName>[] = KINDS;

const BY_NAME = new Map<string, JobKind<JobName>>(KINDS.map((kind) => [kind.name, kind]));

/** Loads all handlers and what they call with, so that a program that runs for months never loads files of a later version. */
export async function loadHandlers(): Promise<void> {
  await Promise.all([...KINDS.map((kind) => kind.load()), import('@node-rs/argon2')]);
}

export function kindOf({ kind }: Pick<JobRow, 'kind'>): JobKind<JobName> {
  const found = BY_NAME.get(kind);
  if (!found) throw new Error(`there is no kind of job called ${kind}`);
  return found;
}

export function parseJob(row: JobRow): Job {
  return { ...row, kind: kindOf(row).name, payload: JSON.parse(row.payload) };
}
