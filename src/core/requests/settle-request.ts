/** Settles a request's case (rules 2): a person has dealt with the signature or payment that does not count. */
import type { Db } from '../../db/db.js';
import { requireRequest } from '../../db/requests/requests.js';
import { listCasesOf } from '../../db/cases/cases.js';
import type { CaseKind, CaseRow, RequestRow } from '../../db/schema.js';
import { decideCase, openCasesOf, settledMeanwhile } from '../cases/cases.js';
import { mustHaveReason } from '../calls/reason.js';
import { change, type Change, type Deciding } from '../change.js';
import { command } from '../commands.js';
import type { Context } from '../context.js';
import { AppError } from '../errors.js';
import { ofContract, ofRequest } from '../history/history.js';
import { ourPayments, type OurPayments } from '../payment/our-payments.js';
import { isLinkSent } from '../payment/pay-link.js';
import { decidePayments, paymentsToSettle } from '../payment/payment-cases.js';
import { paymentJob } from '../payment/payment-job.js';
import { getRequest } from './requests.js';

/** A signature that does not count. */
const SIGNED = ['canceled_signed'] as const;
/** A term that ends and is not to be renewed. */
const TERM = ['term_ends'] as const;

const SETTLED: readonly CaseKind[] = ['payment', ...SIGNED, ...TERM];

/** What is, or was, to be dealt with. */
export interface Settled {
  payments: readonly string[];
  signature: boolean;
  term: boolean;
}

interface SettleOptions extends Deciding {
  /**
   * Only these payments; with `signature`, that too. Without both: all that does not count. A payment that counts once the signature is
   * known has to be named, after a refund.
   */
  payments?: readonly string[] | undefined;
  signature?: boolean | undefined;
}

/**
 * Returns the request, whose status stays, and what was settled. Throws `invalid` without a reason. Refuses with
 * `nothing_to_settle` when nothing of this waits for a decision, also the second of two calls.
 */
export async function settleRequest(
  ctx: Context,
  requestId: number,
  options: SettleOptions,
): Promise<{ request: RequestRow; settled: Settled }> {
  const { reason, dryRun = false, actor } = options;
  const request = getRequest(ctx, requestId);
  mustHaveReason(reason);
  const settled = toSettle(ctx, ctx.db, request, options);
  if (dryRun) return { request, settled };
  return change(ctx, { actor, reason }, (tx) => {
    const fresh = requireRequest(tx.db, { id: requestId });
    const now = toSettle(ctx, tx.db, fresh, options);
    // What has been reported meanwhile is not settled unseen.
    const known: Settled = {
      payments: now.payments.filter((id) => settled.payments.includes(id)),
      signature: now.signature && settled.signature,
      term: now.term && settled.term,
    };
    if (isNothing(known)) throw nothingToSettle(ctx, tx.db, fresh, options);
    const signed = known.signature ? openCasesOf(tx.db, requestId, SIGNED) : [];
    decideCase(
      tx,
      SIGNED,
      signed.map(({ subject }) => subject),
      'settled',
    );
    if (known.term) {
      const ends = openCasesOf(tx.db, requestId, TERM).map(({ subject }) => subject);
      decideCase(tx, TERM, ends, 'settled');
    }
    const { payments, signature, term } = known;
    tx.record('request.settled', ofRequest(requestId), {
      reason,
      payments,
      signature,
      term: term || undefined,
    });
    settlePayments(tx, requestId, known.payments);
    return { request: fresh, settled: known };
  });
}

function settlePayments(tx: Change, requestId: number, ids: readonly string[]): void {
  const { db } = tx;
  const { request, contract, payments } = ourPayments(db, requestId);
  decidePayments(
    tx,
    payments.filter(({ paymentId }) => ids.includes(paymentId)),
    'settled',
  );
  if (request.status !== 'WAITING_PAYMENT' || !contract) return;
  // The link that was held back is due now; a customer who has it gets a new page by it.
  if (!isLinkSent(db, contract))
    tx.enqueueAgain(paymentJob, { requestId, contractId: contract.id }, ofContract(contract));
}

function toSettle(ctx: Context, db: Db, request: RequestRow, asked: SettleOptions): Settled {
  const ours = ourPayments(db, request.id);
  const open = openCase(db, ours);
  // Beside the end of a term there is nothing to choose from: a form names no payment then.
  const isTermAlone = open.payments.length === 0 && !open.signature;
  const namesPayments = asked.payments !== undefined && !(isTermAlone && asked.payments.length === 0);
  const isAll = !namesPayments && !asked.signature;
  const payments = isAll ? open.payments : [...new Set(asked.payments)];
  const signature = isAll ? open.signature : asked.signature === true;
  // A refund says nothing of whether the contract is renewed.
  const term = isAll && isTermAlone && open.term;
  const undecided = ours.payments.filter(({ state }) => state === 'case').map(({ paymentId }) => paymentId);
  const isOpen = payments.every((id) => undecided.includes(id)) && (open.signature || !signature);
  if (!isOpen || isNothing({ payments, signature, term })) throw nothingToSettle(ctx, db, request, asked);
  return { payments, signature, term };
}

function isNothing({ payments, signature, term }: Settled): boolean {
  return payments.length === 0 && !signature && !term;
}

/** The payments and the signature that do not count, and wait for somebody to settle them. */
export function openCase(db: Db, ours: OurPayments): Settled {
  return {
    payments: paymentsToSettle(ours).map(({ paymentId }) => paymentId),
    signature: openCasesOf(db, ours.request.id, SIGNED).length > 0,
    term: openCasesOf(db, ours.request.id, TERM).length > 0,
  };
}

/** A form that was open while somebody else settled it is told so. */
function nothingToSettle(ctx: Context, db: Db, { id }: RequestRow, { payments }: SettleOptions): AppError {
  const last = listCasesOf(db, { requestId: id })
    .filter(
      ({ kind, subject }) => SETTLED.includes(kind) && (!payments?.length || payments.includes(subject)),
    )
    .reduce<CaseRow | undefined>((a, b) => ((b.decidedAt ?? '') > (a?.decidedAt ?? '') ? b : a), undefined);
  const { message = 'Nothing of the request waits for a decision.', ...said } =
    settledMeanwhile(ctx, last) ?? {};
  const hint = ['`', command('explain', id), '` shows how it stands.'];
  return new AppError('refused', 'nothing_to_settle', message, { hint, ...said });
}
