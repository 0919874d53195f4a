/** The Message-ID of a mail, as the simulator and the soak know it from outside. */
import { createHash } from 'node:crypto';

export interface MailJob {
  id: number;
  createdAt: string;
  uniqueKey: string;
  /** The contract's; null when it is about none. */
  key: string | null;
}

/** All mails; more conditions may follow. */
export const MAIL_JOBS = `SELECT j.*, c.key FROM jobs j
  LEFT JOIN contracts c ON c.id = payload ->> '$.contractId' WHERE j.kind = 'send-mail'`;

export function messageIdOf({ id, createdAt, uniqueKey, key }: MailJob, host: string): string {
  const name =
    key === null
      ? `job-${id}.${createdAt.replaceAll(/\D/g, '')}`
      : `mail-${createHash('sha256').update(`${key} ${uniqueKey}`).digest('hex').slice(0, 32)}`;
  return `<${name}@${host}>`;
}

/** A mail about no request names the version of its words, too. */
export function withoutVersion(messageId: string): string {
  return messageId.replace(/^(<job-\d+\.\d+)\.[0-9a-f]{16}@/, '$1@');
}
