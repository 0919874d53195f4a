/**
 * Checks that jobs end together with their effect, and that the office hears of each job that fails for good. While a job's process lives and
 * its lease holds, nobody else takes it away.
 */
import { pidOf } from '../../src/core/installation/process.js';
import type { Process } from '../machine/scheduler.js';
import { gaveUpEarly, type FailedJob } from '../rules/jobs.js';
import type { MailJobs } from '../rules/mails.js';
import type { Evidence } from './evidence.js';

interface Failed extends FailedJob {
  /** Its failure is reported elsewhere, or is one of a mail about failures. */
  isQuiet: number;
}

/** Failed for good. */
const FAILED = `SELECT id, kind, attempt, errors, finishedAt, kind = 'deliver-webhook'
    OR (kind = 'send-mail' AND payload ->> '$.mail' IN ('jobs-failed', 'digest')) AS isQuiet
  FROM jobs WHERE state = 'failed'`;

export class JobEnds {
  readonly #of: Evidence;
  readonly #mails: MailJobs;
  #lastSent = 0;
  #failed = new Set<string>();

  constructor(of: Evidence, mails: MailJobs) {
    this.#of = of;
    this.#mails = mails;
  }

  /** After each commit. */
  committed(): void {
    this.#sentMails();
    this.#failures();
  }

  /** The data is that of an older time. */
  restored(): void {
    this.#lastSent = this.#of.rows<{ id: number | null }>('SELECT max(id) AS id FROM sentMails')[0]?.id ?? 0;
    this.#failed = new Set(this.#of.rows<Failed>(FAILED).map(keyOf));
  }

  /** A mail is recorded as sent in the same commit that ends its job. */
  #sentMails(): void {
    const sent = this.#of.rows<{ id: number; mail: string; messageId: string }>(
      'SELECT id, mail, messageId FROM sentMails WHERE id > ? ORDER BY id',
      this.#lastSent,
    );
    if (sent.length === 0) return;
    this.#lastSent = sent.at(-1)?.id ?? 0;
    for (const { mail, messageId } of sent) {
      const id = this.#mails.idOf(`<${messageId}>`) ?? 0;
      if (this.#of.rows("SELECT 1 FROM jobs WHERE id = ? AND state = 'running'", id).length > 0)
        this.#of.broken(`the mail ${mail} is recorded as sent, but its job ${id} is still running`);
    }
  }

  #failures(): void {
    const failed = this.#of.rows<Failed>(FAILED);
    const news = failed.filter((job) => !this.#failed.has(keyOf(job)));
    this.#failed = new Set(failed.map(keyOf));
    // When the clock is set back, an hour comes twice but is reported once.
    if (this.#of.world.clockSetAt > -Infinity) return;
    for (const job of news) for (const each of gaveUpEarly(this.#of.rows, job)) this.#of.broken(each);
    this.#areTold(news.filter(({ isQuiet }) => isQuiet === 0));
  }

  /** The office gets a mail about each job that fails for good, within the hour. */
  #areTold(news: readonly Failed[]): void {
    if (news.length === 0) return;
    const mails = this.#of.rows(
      "SELECT 1 FROM jobs WHERE kind = 'send-mail' AND payload ->> '$.mail' = 'jobs-failed' AND state IN ('available', 'running')",
    );
    for (const { id, kind } of mails.length > 0 ? [] : news)
      this.#of.broken(`job ${id} (${kind}) has failed for good, and no mail will tell the office`);
  }
}

function keyOf({ id, finishedAt }: Failed): string {
  return `${id} ${finishedAt}`;
}

interface Running {
  id: number;
  kind: string;
  leaseToken: string;
  leaseHolder: string;
  leaseUntil: string;
}

export class Leases {
  readonly #of: Evidence;
  #running = new Map<number, Running>();

  constructor(of: Evidence) {
    this.#of = of;
  }

  /** After each commit, with the process that made it. */
  committed(process: Process): void {
    const sql = "SELECT id, kind, leaseToken, leaseHolder, leaseUntil FROM jobs WHERE state = 'running'";
    const running = new Map(this.#of.rows<Running>(sql).map((job) => [job.id, job]));
    for (const job of this.#running.values()) {
      if (running.get(job.id)?.leaseToken === job.leaseToken || pidOf(job.leaseHolder) === process.pid)
        continue;
      if (this.#holds(job))
        this.#of.broken(
          `job ${job.id} (${job.kind}) was taken from process ${job.leaseHolder}, which works on it, by ${process.name}`,
        );
    }
    this.#running = running;
  }

  /** The data is that of an older time. */
  restored(): void {
    this.#running.clear();
  }

  #holds({ leaseHolder, leaseUntil }: Running): boolean {
    const { scheduler, office } = this.#of.world;
    const isAlive = scheduler.processes.get(pidOf(leaseHolder) ?? 0)?.isAlive ?? false;
    const now = scheduler.now + office.machine.aheadMs;
    return isAlive && Date.parse(leaseUntil) > now && this.#of.world.areLeasesKept();
  }
}
