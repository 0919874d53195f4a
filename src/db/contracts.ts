/** Contracts: lookups, what the provider told us, and the conditional move. */
import { sql } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import type { ContractRow, ContractStatus } from './schema.js';
import { anyOf, rows } from './sql.js';

const byId = query((p: { id: number }) => sqlite.selectFrom('contracts').selectAll().where('id', '=', p.id));

export function findContract(db: Db, id: number): ContractRow | undefined {
  return db.first(byId, { id });
}

const bySignId = query((p: { signId: string }) =>
  sqlite.selectFrom('contracts').selectAll().where('signId', '=', p.signId),
);

/** The contract of a provider's signature request; letter case counts. */
export function findContractBySignId(db: Db, signId: string): ContractRow | undefined {
  return db.first(bySignId, { signId });
}

const byExternalId = query((p: { externalId: string }) =>
  sqlite.selectFrom('contracts').selectAll().where('externalId', '=', p.externalId),
);

/** The contract that bears this name at the signature provider. */
export function findContractByExternalId(db: Db, externalId: string): ContractRow | undefined {
  return db.first(byExternalId, { externalId });
}

const byKey = query((p: { key: string }) =>
  sqlite.selectFrom('contracts').selectAll().where('key', '=', p.key),
);

export function findContractByKey(db: Db, key: string): ContractRow | undefined {
  return db.first(byKey, { key });
}

const newest = query((p: { requestId: number }) =>
  sqlite
    .selectFrom('contracts')
    .selectAll()
    .where('requestId', '=', p.requestId)
    .orderBy('id', 'desc')
    .limit(rows(1)),
);

/** The newest contract of a request: the one that counts. */
export function findCurrentContract(db: Db, requestId: number): ContractRow | undefined {
  return db.first(newest, { requestId });
}

const newestId = query((p: { requestId: number }) =>
  sqlite
    .selectFrom('contracts')
    .select((eb) => eb.fn.max<number | null>('id').as('id'))
    .where('requestId', '=', p.requestId),
);

/** True when its request has no newer contract. */
export function isCurrentContract(db: Db, { id, requestId }: Pick<ContractRow, 'id' | 'requestId'>): boolean {
  return db.first(newestId, { requestId })?.id === id;
}

export interface NewContract {
  requestId: number;
  status: ContractStatus;
  amount: number;
  currency: string;
  ownPdf: boolean;
  createdAt: string;
  expiredAt: string;
  key: string;
  externalId: string;
  paymentKey: string;
  termsDigest: string;
}

const insertion = query(
  (p: { [K in keyof NewContract]: NewContract[K] extends boolean ? number : NewContract[K] }) =>
    sqlite
      .insertInto('contracts')
      .values({
        requestId: p.requestId,
        status: p.status,
        amount: p.amount,
        currency: p.currency,
        ownPdf: p.ownPdf,
        createdAt: p.createdAt,
        expiredAt: p.expiredAt,
        key: p.key,
        externalId: p.externalId,
        paymentKey: p.paymentKey,
        termsDigest: p.termsDigest,
      })
      .returningAll(),
);

export function insertContract(db: Db, contract: NewContract): ContractRow {
  return db.first(insertion, { ...contract, ownPdf: contract.ownPdf ? 1 : 0 }) as ContractRow;
}

const signIdUpdate = query((p: { id: number; signId: string; signerEmail: string }) =>
  sqlite
    .updateTable('contracts')
    .set({ signId: p.signId, signerEmail: p.signerEmail })
    .where('id', '=', p.id),
);

/** Keeps which signature request of the provider is this contract's, and whom it is sent to. */
export function setSignId(db: Db, sent: { id: number; signId: string; signerEmail: string }): void {
  db.run(signIdUpdate, sent);
}

const identity = query((p: { id: number; key: string; externalId: string; paymentKey: string }) =>
  sqlite
    .updateTable('contracts')
    .set({
      key: p.key,
      externalId: p.externalId,
      paymentKey: p.paymentKey,
      signId: null,
      signerId: null,
      signUrl: null,
      signUrlExpiresAt: null,
      signerEmail: null,
    })
    .where('id', '=', p.id),
);

/** Gives a contract other names at the providers, and forgets what it was believed to be there. */
export function setIdentity(
  db: Db,
  fresh: { id: number; key: string; externalId: string; paymentKey: string },
): void {
  db.run(identity, fresh);
}

const activationAsked = query((p: { id: number; at: string }) =>
  sqlite
    .updateTable('contracts')
    .set({ activationAskedAt: p.at })
    .where('id', '=', p.id)
    .where('activationAskedAt', 'is', null),
);

/** Notes that the provider is being asked to send the contract: from then on the customer may have it. */
export function setActivationAsked(db: Db, id: number, at: string): void {
  db.run(activationAsked, { id, at });
}

const unfinished = query((p: { after: number; limit: number }) =>
  sqlite
    .selectFrom('contracts')
    .selectAll()
    .where('id', '>', p.after)
    .where('status', '=', sql.lit('PENDING'))
    .where('signerId', 'is', null)
    .orderBy('id')
    .limit(rows(p.limit)),
);

/** Contracts whose start or reset has not come to its end, a page of them, by id. */
export function listUnfinishedContracts(db: Db, page: { after: number; limit: number }): ContractRow[] {
  return db.all(unfinished, page);
}

const unnamed = query((p: { limit: number }) =>
  sqlite
    .selectFrom('contracts')
    .select('id')
    .where('status', '=', sql.lit('PENDING'))
    .where('signerId', 'is', null)
    .where('signId', 'is', null)
    .limit(rows(p.limit)),
);

/** True while there is an unfinished contract of which nobody here knows the provider's id. */
export function isAnyUnnamed(db: Db): boolean {
  return db.first(unnamed, { limit: 1 }) !== undefined;
}

const signLink = query(
  (p: { id: number; signerId: string; signUrl: string | null; signUrlExpiresAt: string | null }) =>
    sqlite
      .updateTable('contracts')
      .set({ signerId: p.signerId, signUrl: p.signUrl, signUrlExpiresAt: p.signUrlExpiresAt })
      .where('id', '=', p.id),
);

/** Keeps the link the provider gave for its signer. */
export function setSignLink(
  db: Db,
  link: { id: number; signerId: string; signUrl: string | null; signUrlExpiresAt: string | null },
): void {
  db.run(signLink, link);
}

const lastMoment = query((p: { id: number; expiredAt: string }) =>
  sqlite
    .updateTable('contracts')
    .set({ expiredAt: p.expiredAt })
    .where('id', '=', p.id)
    // Of a signed one it is the end of the term.
    .where('signedAt', 'is', null),
);

/** Sets the last moment to sign of a contract that is not signed. */
export function setLastMoment(db: Db, id: number, expiredAt: string): void {
  db.run(lastMoment, { id, expiredAt });
}

const move = query((p: { id: number; from: string; to: ContractStatus }) =>
  sqlite
    .updateTable('contracts')
    .set({ status: p.to })
    .where('id', '=', p.id)
    .where('status', 'in', anyOf<ContractStatus>(p.from)),
);

/** Moves a contract only if it is still in one of `from`. False means another call moved it first. */
export function moveContract(
  db: Db,
  id: number,
  { from, to }: { from: readonly ContractStatus[]; to: ContractStatus },
): boolean {
  return db.run(move, { id, from: JSON.stringify(from), to }) === 1;
}

export interface Signing {
  id: number;
  signedAt: string;
  /** End of the term; null: it has none. */
  expiredAt: string | null;
  pdfSha256: string;
  pdfSize: number;
}

const signing = query((p: Signing & { from: string; to: ContractStatus }) =>
  sqlite
    .updateTable('contracts')
    .set({
      status: p.to,
      signedAt: p.signedAt,
      expiredAt: p.expiredAt,
      pdfSha256: p.pdfSha256,
      pdfSize: p.pdfSize,
    })
    .where('id', '=', p.id)
    .where('status', 'in', anyOf<ContractStatus>(p.from)),
);

/** Marks a contract signed only if it is still in one of `from`; false: another call closed it first. */
export function signContract(
  db: Db,
  values: Signing,
  { from, to }: { from: readonly ContractStatus[]; to: ContractStatus },
): boolean {
  return db.run(signing, { ...values, from: JSON.stringify(from), to }) === 1;
}

const due = query((p: { now: string; limit: number }) =>
  sqlite
    .selectFrom('contracts')
    .select(['id', 'requestId', 'status', 'expiredAt'])
    // Spelled out, so that the planner may use the index over contracts that are alive.
    .where('status', 'in', [sql.lit<ContractStatus>('PENDING'), sql.lit<ContractStatus>('SIGNED')])
    .where('expiredAt', '<', p.now)
    .orderBy('expiredAt')
    .orderBy('id')
    .limit(rows(p.limit)),
);

export type DueContract = Pick<ContractRow, 'id' | 'requestId' | 'status' | 'expiredAt'>;

/** Living contracts whose date is earlier than now, earliest first. */
export function listDueContracts(db: Db, page: { now: string; limit: number }): DueContract[] {
  return db.all(due, page);
}

const toSign = query((p: { after: string; until: string; limit: number }) =>
  sqlite
    .selectFrom('contracts')
    .selectAll()
    .where('status', '=', sql.lit('PENDING'))
    .where('expiredAt', '>', p.after)
    .where('expiredAt', '<=', p.until)
    .orderBy('expiredAt')
    .orderBy('id')
    .limit(rows(p.limit)),
);

/** Contracts whose last moment to sign lies in this span, the earliest first. */
export function listContractsToSign(
  db: Db,
  span: { after: string; until: string; limit: number },
): ContractRow[] {
  return db.all(toSign, span);
}

const expiry = query((p: { id: number; from: ContractStatus; to: ContractStatus; now: string }) =>
  sqlite
    .updateTable('contracts')
    .set({ status: p.to })
    .where('id', '=', p.id)
    .where('status', '=', p.from)
    .where('expiredAt', '<', p.now),
);

/** Expires a contract that is still due and still has the status under which it was found; false: it is not so any more. */
export function expireContract(
  db: Db,
  move: { id: number; from: ContractStatus; to: ContractStatus; now: string },
): boolean {
  // One at a time: before an UPDATE of many rows in a transaction SQLite copies every page that it will touch.
  return db.run(expiry, move) === 1;
}

const generation = query((p: { id: number; next: number; paymentKey: string }) =>
  sqlite
    .updateTable('contracts')
    .set({ paymentGeneration: p.next, paymentKey: p.paymentKey })
    .where('id', '=', p.id),
);

/** Sets the generation of the payment, and the idempotency key that goes with it. */
export function setPaymentGeneration(db: Db, to: { id: number; next: number; paymentKey: string }): void {
  db.run(generation, to);
}

const deletion = query((p: { requestId: number }) =>
  sqlite.deleteFrom('contracts').where('requestId', '=', p.requestId).returning('id'),
);

/** Removes the contracts of a request that was never signed; their ids. */
export function deleteContractsOf(db: Db, requestId: number): number[] {
  return db.all(deletion, { requestId }).map(({ id }) => id);
}

const signed = query((p: { after: number; limit: number }) =>
  sqlite
    .selectFrom('contracts')
    .selectAll()
    .where('id', '>', p.after)
    .where('pdfSha256', 'is not', null)
    .orderBy('id')
    .limit(rows(p.limit)),
);

/** Contracts that were signed once, a page of them, by id. */
export function listSignedContracts(db: Db, page: { after: number; limit: number }): ContractRow[] {
  return db.all(signed, page);
}

const pdfFetched = query((p: { id: number; sha256: string; size: number }) =>
  sqlite.updateTable('contracts').set({ pdfSha256: p.sha256, pdfSize: p.size }).where('id', '=', p.id),
);

/** Notes what the stored PDF of a signed contract is now. */
export function setPdf(db: Db, pdf: { id: number; sha256: string; size: number }): void {
  db.run(pdfFetched, pdf);
}
