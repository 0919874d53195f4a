/** What the rules compare: an installation's records, and what others know. Whoever judges gathers both. */
import type { PaymentSession } from '../../sandbox/payment/session.js';
import type { SignatureRequest } from '../../sandbox/signature/types.js';

/** Reads an installation's database from outside. */
export type Rows = <T>(sql: string, ...values: unknown[]) => T[];

export interface ContractRow {
  id: number;
  requestId: number;
  status: string;
  signId: string | null;
  externalId: string;
  expiredAt: string | null;
  createdAt: string;
  signedAt: string | null;
  pdfSha256: string | null;
  signerEmail: string | null;
}

export interface RequestRow {
  id: number;
  status: string;
  title: string;
  paymentId: string | null;
  username: string;
}

export const REQUESTS = `SELECT r.id, r.status, r.title, r.paymentId, u.username
  FROM requests r JOIN users u ON u.id = r.ownerId`;

export type Signature = Pick<
  SignatureRequest,
  'id' | 'status' | 'externalId' | 'completedAt' | 'expirationDate' | 'timezone'
> & {
  signers: readonly { info: { email: string } }[];
};

export type Session = Pick<
  PaymentSession,
  | 'id'
  | 'status'
  | 'payment_status'
  | 'expires_at'
  | 'client_reference_id'
  | 'customer_email'
  | 'amount'
  | 'currency'
  | 'charged'
>;

export interface Outside {
  now: () => number;
  /** By their ids. */
  signatures: ReadonlyMap<string, Signature>;
  sessions: ReadonlyMap<string, Session>;
  /** Payments that were refused after days. */
  refused: ReadonlySet<string>;
  /** Sessions whose money was on its way when the office asked for another payment: both may be paid. */
  givenUp: ReadonlySet<string>;
  /** The customer whose address it is or was; for anybody else, the address itself. */
  nameOf: (address: string) => string;
}

/** The customer's name. */
export function customerOf(rows: Rows, { nameOf }: Outside, contractId: number): string {
  const sql =
    'SELECT u.username FROM contracts c JOIN requests r ON r.id = c.requestId JOIN users u ON u.id = r.ownerId WHERE c.id = ?';
  return nameOf(rows<{ username: string }>(sql, contractId)[0]?.username ?? '');
}

export function signatureOf(
  { signatures }: Outside,
  contract: ContractRow | undefined,
): Signature | undefined {
  return signatures.get(contract?.signId ?? '');
}

/** Under the contract's name. */
export function sessionsOf({ sessions }: Outside, contract: ContractRow | undefined): Session[] {
  const name = contract?.externalId;
  return [...sessions.values()].filter(({ client_reference_id: its }) => its === name);
}

/** What is to be paid, or was. */
export interface Price {
  amount: number;
  currency: string;
}

type Money = Pick<Session, 'amount' | 'currency' | 'charged'>;

export function isSamePrice(one: Price, other: Price): boolean {
  return one.amount === other.amount && one.currency === other.currency;
}

/** What its customer pays, or has paid. */
export function chargedBy({ amount, currency, charged }: Money): Price {
  return charged && !charged.converted ? charged : { amount, currency };
}

/** Its customer has paid another amount than it asked for, or in another currency: a case for a person. */
export function isOfAnotherPrice(session: Money): boolean {
  return !isSamePrice(chargedBy(session), session);
}
