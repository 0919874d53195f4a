/**
 * Money through a page that bears this installation's name and whose contract is unknown here, because a restored backup is older. It counts
 * for nothing, and is a case until a person has paid it back, or entered the request anew.
 */
import { findCase, listOpenCasesOfKind } from '../../db/cases/cases.js';
import type { Db } from '../../db/db.js';
import type { CaseRow } from '../../db/schema.js';
import { decideCase, openCase } from '../cases/cases.js';
import { change, type Change, type Try } from '../change.js';
import { command, type Command } from '../commands.js';
import type { Context } from '../context.js';
import { notFound } from '../errors.js';
import { keyOfOwnName } from '../installation/identity.js';
import { mailJob } from '../mail/mail-job.js';
import type { Money } from '../texts/format.js';
import type { PaymentSession } from './session.js';

export interface UnknownPayment extends Money {
  paymentId: string;
  seenAt: string;
}

const KIND = 'unknown_payment';

export function isOursByName(db: Db, { name }: Pick<PaymentSession, 'name'>): boolean {
  return name !== null && keyOfOwnName(db, name) !== undefined;
}

/** The office is told once. */
export function tellUnknownPayment(
  tx: Change,
  { paymentId, money }: Pick<PaymentSession, 'paymentId' | 'money'>,
): void {
  const nobody = { requestId: null, contractId: null };
  if (!openCase(tx, { kind: KIND, subject: paymentId }, nobody, { ...money })) return;
  tx.record('payment.unknown', null, { paymentId, ...money });
  tx.enqueue(mailJob, { mail: 'unknown-payment', paymentId, ...money });
}

/** Those that wait for the office, the oldest first. */
export function listUnknownPayments(db: Db, limit: number): UnknownPayment[] {
  return listOpenCasesOfKind(db, { kind: KIND, limit }).map(paymentOf);
}

export function findUnknownPayment(db: Db, paymentId: string): UnknownPayment | undefined {
  const found = findCase(db, { kind: KIND, subject: paymentId });
  return found?.decidedAt === null ? paymentOf(found) : undefined;
}

function paymentOf({ subject, openedAt, detail }: CaseRow): UnknownPayment {
  const money: Money = JSON.parse(detail);
  return { paymentId: subject, seenAt: openedAt, ...money };
}

/** The command with which a person ends the case. */
export function settlingUnknown(paymentId: string): Command {
  return { ...command('payments check'), options: ['--settle', paymentId], reason: '…' };
}

/** A person has dealt with it. Throws `not_found` when none of this id waits for the office, also at the second of two calls. */
export async function settleUnknownPayment(
  ctx: Context,
  paymentId: string,
  { dryRun, ...by }: Try,
): Promise<void> {
  const mustBeOpen = (db: Db) => {
    if (!findUnknownPayment(db, paymentId))
      throw notFound('not_found', `No payment ${paymentId} is waiting for the office.`);
  };
  mustBeOpen(ctx.db);
  if (dryRun) return;
  await change(ctx, by, (tx) => {
    mustBeOpen(tx.db);
    decideCase(tx, [KIND], [paymentId], 'settled');
    tx.record('payment.settled', null, { paymentId, reason: tx.reason });
  });
}
