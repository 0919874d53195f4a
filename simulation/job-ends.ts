/** Watches how jobs end: together with their effect, and never for good without a word to the office. */
import type { Rows } from './rules/facts.js';
import type { MailJobs } from './rules/mails.js';
import type { World } from './world.js';

interface FailedJob {
  id: number;
  kind: string;
  finishedAt: string;
}

/** Failed for good, but for those whose failure is told elsewhere: deliveries, and mails about failures. */
const FAILED = `SELECT id, kind, finishedAt FROM jobs WHERE state = 'failed' AND kind <> 'deliver-webhook'
  AND NOT (kind = 'send-mail' AND payload ->> '$.mail' IN ('jobs-failed', 'digest'))`;

export class JobEnds {
  readonly #world: World;
  readonly #rows: Rows;
  readonly #mails: MailJobs;
  #lastSent = 0;
  #failed = new Set<string>();

  constructor(world: World, rows: Rows, mails: MailJobs) {
    this.#world = world;
    this.#rows = rows;
    this.#mails = mails;
  }

  /** After each commit. */
  committed(): void {
    this.#sentMails();
    this.#failures();
  }

  /** The data is that of an older time. */
  restored(): void {
    this.#lastSent = this.#rows<{ id: number | null }>('SELECT max(id) AS id FROM sentMails')[0]?.id ?? 0;
    this.#failed = new Set(this.#rows<FailedJob>(FAILED).map(keyOf));
  }

  /** That a mail was sent is on disk only together with the end of its job. */
  #sentMails(): void {
    const sent = this.#rows<{ id: number; mail: string; messageId: string }>(
      'SELECT id, mail, messageId FROM sentMails WHERE id > ? ORDER BY id',
      this.#lastSent,
    );
    if (sent.length === 0) return;
    this.#lastSent = sent.at(-1)?.id ?? 0;
    for (const { mail, messageId } of sent) {
      const id = this.#mails.idOf(`<${messageId}>`) ?? 0;
      if (this.#rows("SELECT 1 FROM jobs WHERE id = ? AND state = 'running'", id).length > 0)
        this.#world.trace.broken(`the mail ${mail} is kept as sent, and its job ${id} still runs`);
    }
  }

  /** A job that fails for good is told to the office by a mail, which is due within the hour. */
  #failures(): void {
    const failed = this.#rows<FailedJob>(FAILED);
    const news = failed.filter((job) => !this.#failed.has(keyOf(job)));
    this.#failed = new Set(failed.map(keyOf));
    // An hour that comes twice is told of once.
    if (news.length === 0 || this.#world.clockSetAt > -Infinity) return;
    const mails = this.#rows(
      "SELECT 1 FROM jobs WHERE kind = 'send-mail' AND payload ->> '$.mail' = 'jobs-failed' AND state IN ('available', 'running')",
    );
    for (const { id, kind } of mails.length > 0 ? [] : news)
      this.#world.trace.broken(`job ${id} (${kind}) has failed for good, and no mail will tell the office`);
  }
}

function keyOf({ id, finishedAt }: FailedJob): string {
  return `${id} ${finishedAt}`;
}
