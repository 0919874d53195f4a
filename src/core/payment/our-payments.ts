/** A request's payments as our rows have them, for the decision and for everybody who shows how they stand. */
import { listContractsOfRequest } from '../../db/contracts/lists.js';
import type { Db } from '../../db/db.js';
import { listPaymentsOf } from '../../db/payments/payments.js';
import { requireRequest } from '../../db/requests/requests.js';
import type { ContractRow, PaymentRow, RequestRow } from '../../db/schema.js';
import { isHeld } from '../installation/hold.js';
import { answerAbout, type Answer, type Answers } from './answers.js';
import {
  newestPage,
  standingOf,
  type PaymentStanding,
  type PaymentFacts,
  type SessionFacts,
  type Shown,
} from './decide.js';
import { isPriceOf } from './price.js';

export interface OurPayments {
  request: RequestRow;
  /** The one that counts. */
  contract: ContractRow | undefined;
  /** All that the request has had, the oldest first. */
  contracts: ContractRow[];
  /** Of all of them, the oldest first. */
  payments: PaymentRow[];
}

export function ourPayments(db: Db, requestId: number): OurPayments {
  const contracts = listContractsOfRequest(db, { requestId });
  return {
    request: requireRequest(db, { id: requestId }),
    contract: contracts.at(-1),
    contracts,
    payments: listPaymentsOf(db, { requestId }),
  };
}

/** Where a payment is due, there is one. */
export function contractToPay({ request, contract }: OurPayments): ContractRow {
  if (!contract) throw new Error(`request ${request.id} has no contract to pay`);
  return contract;
}

type Rows = Pick<OurPayments, 'request' | 'contract' | 'payments'>;

/** The answer to "how does it stand?". */
export function standingOfPayments({ request, ...ours }: Rows): PaymentStanding {
  return standingOf(request.status, marked(ours));
}

export function paymentStanding(db: Db, requestId: number): PaymentStanding {
  return standingOfPayments(ourPayments(db, requestId));
}

/** The session that is shown: the one that was paid or whose money is on its way, the open page, or else the newest. */
export function shownPayment({ contract, payments }: Rows): PaymentRow | undefined {
  const own = ownPayments({ contract, payments });
  return (
    payments.findLast(({ state }) => state === 'paid') ??
    own.findLast(({ state }) => state === 'pending') ??
    newestPage(marked({ contract, payments })) ??
    own.at(-1)
  );
}

/** Those of the contract that counts whose money is on its way. */
export function pendingPayments({ contract, payments }: Omit<Rows, 'request'>): PaymentRow[] {
  return ownPayments({ contract, payments }).filter(({ state }) => state === 'pending');
}

/** Those of the contract that counts, the oldest first. */
export function ownPayments({ contract, payments }: Omit<Rows, 'request'>): PaymentRow[] {
  return payments.filter(({ contractId }) => contractId === contract?.id);
}

/** When the bank refused the money; undefined: it did not, or another page was made since. */
export function refusedSince({ contract, payments }: Omit<Rows, 'request'>): string | undefined {
  const own = ownPayments({ contract, payments });
  const since = own.at(-1)?.createdAt ?? '';
  return own.map(({ refusedAt }) => refusedAt ?? '').findLast((at) => at >= since);
}

function marked(ours: Omit<Rows, 'request'>) {
  const own = ownPayments(ours);
  return ours.payments.map((row) => ({ ...row, isOfCurrentContract: own.includes(row) }));
}

/** What the decision looks at: our rows beside the answers, also about sessions that are unknown here. */
export function factsOf(
  db: Db,
  ours: OurPayments,
  answers: Answers,
  wants: PaymentFacts['wants'] = null,
): PaymentFacts {
  const { request, payments } = ours;
  const known = payments.map((row) =>
    sessionFacts(ours, row.paymentId, row, answerAbout(answers, row.paymentId)),
  );
  const unknown = [...answers].filter(([id]) => !payments.some(({ paymentId }) => paymentId === id));
  const sessions = [
    ...known,
    ...unknown.map(([paymentId, answer]) => sessionFacts(ours, paymentId, undefined, answer)),
  ];
  return { status: request.status, shown: shownBy(ours), sessions, wants, isHeld: isHeld({ db }) };
}

function sessionFacts(
  { contract, contracts }: OurPayments,
  paymentId: string,
  row: PaymentRow | undefined,
  answer: Answer,
): SessionFacts {
  const { theirs } = answer;
  const contractId = row?.contractId ?? answer.contractId;
  const own = contracts.find(({ id }) => id === contractId);
  // Before it is complete, the provider need not say the amount.
  const isUnsaid = theirs !== 'paid' && answer.money.amount === null;
  const money = row && theirs !== 'paid' ? row : answer.money;
  return {
    paymentId,
    ours: row?.state ?? null,
    theirs,
    isOfCurrentContract: contractId === contract?.id,
    hasPrice: own !== undefined && ((!row && isUnsaid) || isPriceOf(own, money)),
    expiresAt: row?.expiresAt ?? answer.expiresAt,
  };
}

/** A page without an address cannot be shown better. */
function shownBy({ request: { paymentId, paymentUrl }, payments }: OurPayments): Shown | null {
  const row = payments.find((one) => one.paymentId === paymentId);
  if (paymentId === null) return null;
  if (paymentUrl !== null || (row?.state === 'open' && row.paymentUrl === null))
    return { paymentId, isPage: true };
  return row?.state === 'pending' ? { paymentId, isPage: false } : null;
}
