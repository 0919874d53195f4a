/** What only a date brought, and no process wrote down: the last moment to sign, the end of a link. */
import type { ContractRow, PaymentRow } from '../../db/schema.js';
import type { CaseFile } from './case-file.js';
import { entry, type Say, type TimelineEntry } from './timeline-entry.js';

export function passedDates(say: Say, { contracts, payments, now }: CaseFile): TimelineEntry[] {
  const dates = [
    ...contracts.flatMap((contract) => contractDates(say, contract)),
    ...payments.flatMap((payment) => paymentDates(say, payment)),
  ];
  return dates.filter(({ at }) => at <= now);
}

function contractDates(say: Say, { id, expiredAt, signedAt, status, signUrlExpiresAt }: ContractRow) {
  const dates: TimelineEntry[] = [];
  const about = { contractId: id, level: 'trouble' } as const;
  if (signedAt !== null) return dates;
  if (expiredAt !== null) {
    const message = say('timeline.date.sign_before', { contract: id });
    dates.push(entry({ ...about, at: expiredAt, what: 'date.sign_before', message }));
  }
  if (status === 'PENDING' && signUrlExpiresAt !== null) {
    const message = say('timeline.date.sign_link', { contract: id });
    dates.push(entry({ ...about, at: signUrlExpiresAt, what: 'date.sign_link', message }));
  }
  return dates;
}

function paymentDates(say: Say, payment: PaymentRow): TimelineEntry[] {
  const { contractId, paymentId, status, expiresAt, pendingSince } = payment;
  // Once the customer has paid there, its time does not run out.
  if (status !== 'open' || expiresAt === null || pendingSince !== null) return [];
  const message = say('timeline.date.payment_link', { paymentId });
  return [entry({ at: expiresAt, what: 'date.payment_link', message, level: 'trouble', contractId })];
}
