/** Each mail has a job and comes at least once, and again only as the same mail. */
import { createHash } from 'node:crypto';
import type { Rows } from './facts.js';

interface MailJob {
  id: number;
  createdAt: string;
  uniqueKey: string;
  /** The contract's; null when it is about none. */
  key: string | null;
}

const MAIL_JOBS = `SELECT j.*, c.key FROM jobs j
  LEFT JOIN contracts c ON c.id = payload ->> '$.contractId' WHERE j.kind = 'send-mail'`;

/** As it is known from outside. */
function messageIdOf({ id, createdAt, uniqueKey, key }: MailJob, host: string): string {
  const name =
    key === null
      ? `job-${id}.${createdAt.replaceAll(/\D/g, '')}`
      : `mail-${createHash('sha256').update(`${key} ${uniqueKey}`).digest('hex').slice(0, 32)}`;
  return `<${name}@${host}>`;
}

/** The jobs of an installation's mails, by their Message-IDs. */
export class MailJobs {
  readonly #rows: Rows;
  readonly #host: string;
  readonly #ids = new Map<string, number>();
  #last = 0;

  constructor(rows: Rows, host: string) {
    this.#rows = rows;
    this.#host = host;
  }

  /** The number of the mail's job. The Message-ID of a mail about no request also contains a digest of its text. */
  idOf(messageId: string): number | undefined {
    for (const job of this.#rows<MailJob>(`${MAIL_JOBS} AND j.id > ?`, this.#last)) {
      this.#ids.set(messageIdOf(job, this.#host), job.id);
      this.#last = Math.max(this.#last, job.id);
    }
    return this.#ids.get(messageId.replace(/^(<job-\d+\.\d+)\.[0-9a-f]{16}@/, '$1@'));
  }

  /** The data is that of an older time. */
  restored(): void {
    this.#ids.clear();
    this.#last = 0;
  }

  /**
   * Counted as sent. Those about no contract are summaries for the office, which are not sent when nothing is left to
   * tell. Nor is anybody asked to pay for what is over.
   */
  lost(hasCome: (messageId: string) => boolean): string[] {
    const sent = this.#rows<MailJob>(`${MAIL_JOBS} AND j.state = 'completed' AND j.contractId IS NOT NULL
      AND NOT (payload ->> '$.mail' IN ('payment-link', 'payment-reminder') AND (
        j.contractId <> (SELECT max(id) FROM contracts WHERE requestId = j.requestId)
        OR EXISTS (SELECT 1 FROM requests WHERE id = j.requestId AND status <> 'WAITING_PAYMENT')))`);
    return sent.flatMap((job) =>
      hasCome(messageIdOf(job, this.#host))
        ? []
        : [`the mail ${job.uniqueKey} counts as sent and never arrived`],
    );
  }
}

/** `letters`: by Message-ID, to whom each went and what it was. */
export function cameAsAnother(letters: Map<string, string>, messageId: string, letter: string): string[] {
  const before = letters.get(messageId) ?? letter;
  letters.set(messageId, letter);
  return before === letter ? [] : [`the mail ${messageId} came as "${before}" and as "${letter}"`];
}

/** Who has signed has the signed document; who is to pay has a link. */
export function neverGot(rows: Rows, hasGot: (username: string, what: string) => boolean): string[] {
  const signed = rows<{ id: number; username: string; pdfSha256: string }>(
    `SELECT c.id, u.username, c.pdfSha256 FROM contracts c JOIN requests r ON r.id = c.requestId
     JOIN users u ON u.id = r.ownerId WHERE c.pdfSha256 IS NOT NULL`,
  );
  const unpaid = rows<{ id: number; username: string }>(
    `SELECT r.id, u.username FROM requests r JOIN users u ON u.id = r.ownerId
     WHERE r.status = 'WAITING_PAYMENT' AND r.paymentUrl IS NOT NULL`,
  );
  return [
    ...signed
      .filter(({ username, pdfSha256 }) => !hasGot(username, pdfSha256))
      .map(({ id, username }) => `${username} has signed contract ${id} and never got it`),
    ...unpaid
      .filter(({ id, username }) => !hasGot(username, `request ${id}`))
      .map(({ id, username }) => `${username} is to pay for request ${id} and never got the link`),
  ];
}

/** Customer and office are told of each signature. */
export function toldNobody(rows: Rows): string[] {
  return rows<{ id: number; mail: string }>(
    `SELECT c.id, m.value AS mail FROM contracts c, json_each('["admin-signed", "contract-signed"]') m
     WHERE c.status = 'SIGNED' AND NOT EXISTS (
       SELECT 1 FROM jobs WHERE kind = 'send-mail' AND contractId = c.id AND payload ->> '$.mail' = m.value)`,
  ).map(({ id, mail }) => `contract ${id} is signed, and there is no mail ${mail}`);
}
