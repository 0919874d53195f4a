/** Contracts: lookups, what the provider told us, and the conditional moves. */
import { sql } from 'kysely';
import { all, changed, exists, first, required, run, sqlite, type Db } from '../db.js';
import type { ContractEndReason as EndReason, ContractRow, ContractStatus } from '../schema.js';
import { anyOf } from '../sql.js';
import { firstBy, newestBy, newestIdOf, newRow, pageBy, rowsBy, setById } from '../table.js';

const byId = rowsBy('contracts', 'id');
export const findContract = first(byId);
export const requireContract = required(byId);

/** The contract of a provider's signature request; letter case counts. */
export const findContractBySignId = first(rowsBy('contracts', 'signId'));

/** Which of these signature requests have a contract. */
export const listKnownSignIds = all((p: { signIds: readonly string[] }) =>
  sqlite.selectFrom('contracts').select('signId').where('signId', 'in', anyOf(p.signIds)),
);

/** The contract with this name at the signature provider. */
export const findContractByExternalId = first(rowsBy('contracts', 'externalId'));

export const findContractByKey = first(rowsBy('contracts', 'key'));

/** The newest contract of a request: the one that counts. */
const newest = newestBy('contracts', 'requestId');
export const findCurrentContract = first(newest);
export const requireCurrentContract = required(newest);

const newestId = required((p: { requestId: number }) =>
  sqlite
    .selectFrom('contracts')
    .select((eb) => eb.fn.max<number | null>('id').as('id'))
    .where('requestId', '=', p.requestId),
);

/** True when its request has no newer contract. */
export function isCurrentContract(db: Db, { id, requestId }: Pick<ContractRow, 'id' | 'requestId'>): boolean {
  return newestId(db, { requestId }).id === id;
}

const IDENTITY = ['key', 'externalId'] as const;
const TERMS = ['amount', 'currency', 'vat', 'termsDigest', 'ownPdf'] as const;

export const insertContract = required(
  newRow('contracts', ['requestId', 'status', 'createdAt', 'expiredAt', ...IDENTITY, ...TERMS], {
    end: sql`returning *`,
  }),
);

/** Stores the contract's signature request and to whom it is sent. */
export const setSignId = run(setById('contracts', ['signId', 'signerEmail']));

const NO_DOCUMENT = {
  signId: null,
  signerId: null,
  signerEmail: null,
  signUrl: null,
  signUrlExpiresAt: null,
  told: null,
};

/** Gives a contract new names at the providers and forgets its old signature request. */
export const setIdentity = run(setById('contracts', IDENTITY, { fixed: NO_DOCUMENT }));

export const setDraftDigest = run(setById('contracts', ['draftSha256']));

/** Notes that the provider is being asked to send the contract; from now on the customer may have it. */
export const setSendingAsked = run((p: { id: number; now: string }) =>
  sqlite
    .updateTable('contracts')
    .set((eb) => ({
      sending: 'asked',
      activationAskedAt: eb.fn.coalesce('activationAskedAt', eb.val(p.now)),
    }))
    .where('id', '=', p.id)
    .where('sending', '<>', 'sent'),
);

export const setTold = run(setById('contracts', ['told']));

/** Notes that the provider has failed while the customer signed. */
export const setFailedSigning = run(
  setById('contracts', [], { stamps: ['failedSigningAt'], end: sql`and "failedSigningAt" is null` }),
);

/** Notes how the last attempt to send it ended; null: not by a refusal. */
export const setRefusal = run(setById('contracts', ['refusal']));

/** In the words of the partial index. */
const UNFINISHED = sql<boolean>`"contracts"."status" = 'PENDING' and "contracts"."sending" <> 'sent'`;

/** A page of contracts whose start or reset is unfinished, by id. */
export const listUnfinishedContracts = all(pageBy('contracts', UNFINISHED));

/** Those that the provider was asked to send, and has not said yes, the oldest first: of the first `limit` the requests and when. */
export const listPerhapsSent = all((p: { limit: number }) =>
  sqlite
    .selectFrom('contracts')
    .innerJoin('requests', 'requests.id', 'contracts.requestId')
    .select(['requests.id as requestId', 'requests.reference', 'contracts.activationAskedAt'])
    .where(UNFINISHED)
    .where('contracts.sending', '=', 'asked')
    .orderBy('contracts.id')
    .limit(p.limit),
);

/** True while there is an unfinished contract without a signId. */
export const isAnyUnnamed = exists(() =>
  sqlite.selectFrom('contracts').select('id').where(UNFINISHED).where('signId', 'is', null).limit(1),
);

export const setCorrectedAt = run(setById('contracts', ['correctedAt']));

const LINK = ['signerId', 'signUrl', 'signUrlExpiresAt'] as const;

export const setSignLink = run(setById('contracts', LINK));

/** The same, of a contract that is now with the customer. */
export const setSent = run(setById('contracts', LINK, { fixed: { sending: 'sent' } }));

/** Sets the last moment to sign of an unsigned contract. */
// Once signed, expiredAt is the end of the term.
export const setLastMoment = run(setById('contracts', ['expiredAt'], { end: sql`and "signedAt" is null` }));

type ContractMove = { from: readonly ContractStatus[]; to: ContractStatus };

/** Ends a contract only if it is still in one of `from`. False means another call moved it first. */
export const endContract = changed(
  ({ to, endReason, endedAt, declineReason, id, from }: Ending & ContractMove) =>
    sqlite
      .updateTable('contracts')
      .set({ status: to, endReason, endedAt, declineReason })
      .where('id', '=', id)
      .where('status', 'in', anyOf(from)),
);

type Ending = Pick<ContractRow, 'id' | 'declineReason'> & { endReason: EndReason; endedAt: string };

/** `expiredAt` is the end of the term; null: it has none. */
export type Signing = Pick<ContractRow, 'id' | 'expiredAt'> & {
  signedAt: string;
  pdfSha256: string;
  pdfSize: number;
};

const NO_END = { endReason: null, endedAt: null, declineReason: null };

/** Marks a contract signed only if it is still in one of `from`; false: another call closed it first. */
export const signContract = changed(
  ({ to, signedAt, expiredAt, pdfSha256, pdfSize, id, from }: Signing & ContractMove) =>
    sqlite
      .updateTable('contracts')
      .set({ status: to, signedAt, expiredAt, pdfSha256, pdfSize, ...NO_END })
      .where('id', '=', id)
      .where('status', 'in', anyOf(from)),
);

/**
 * Pending and signed contracts whose date has passed, earliest first. Not those that may have been sent without our knowledge: only
 * the provider knows how they ended.
 */
export const listDueContracts = all((p: { now: string; limit: number }) =>
  sqlite
    .selectFrom('contracts')
    .select(['id', 'requestId', 'status', 'expiredAt'])
    // Literals, so that the planner can use the partial index over pending and signed contracts.
    .where('status', 'in', ['PENDING', 'SIGNED'])
    .where('expiredAt', '<', p.now)
    .where(sql<boolean>`"sending" <> 'asked'`)
    .orderBy('expiredAt')
    .orderBy('id')
    .limit(p.limit),
);

/** Signed contracts whose term ends until then, the earliest first, of which nobody was told and which no request renews. */
export const listTermsEnding = all((p: { until: string; limit: number }) =>
  sqlite
    .selectFrom('contracts')
    .select(['id', 'requestId', 'expiredAt'])
    // As the partial index over pending and signed contracts says it.
    .where('status', 'in', ['PENDING', 'SIGNED'])
    .where('status', '=', 'SIGNED')
    .where('expiredAt', '<=', p.until)
    .where(
      sql<boolean>`not exists (select 1 from "cases" k where k."kind" = 'term_ends' and k."subject" = cast("contracts"."id" as text))`,
    )
    .where(sql<boolean>`not exists (select 1 from "requests" n where n."renewsId" = "contracts"."requestId")`)
    .orderBy('expiredAt')
    .orderBy('id')
    .limit(p.limit),
);

export type DueContract = ReturnType<typeof listDueContracts>[number];

/** Requests whose contract's last moment to sign is in this span, earliest first. */
export const listEndingSoon = all((p: { after: string; until: string; limit: number }) =>
  sqlite
    .selectFrom('contracts')
    .innerJoin('requests', 'requests.id', 'contracts.requestId')
    .selectAll('requests')
    .select('contracts.expiredAt as signBefore')
    .where('contracts.status', '=', 'PENDING')
    .where('contracts.expiredAt', '>', p.after)
    .where('contracts.expiredAt', '<=', p.until)
    .orderBy('contracts.expiredAt')
    .orderBy('contracts.id')
    .limit(p.limit),
);

/**
 * Expires a contract if it is still due and in the status in which it was listed; false otherwise. One at a time: for
 * an UPDATE of many rows in a transaction SQLite first copies every page it will touch.
 */
export const expireContract = changed(
  (p: { id: number; from: ContractStatus; to: ContractStatus; now: string }) =>
    sqlite
      .updateTable('contracts')
      .set({ status: p.to, endReason: 'date_passed', endedAt: p.now })
      .where('id', '=', p.id)
      .where('status', '=', p.from)
      .where('expiredAt', '<', p.now),
);

/** Which call that makes a payment page has not been answered; null: none. */
export const setPaymentKey = run(setById('contracts', ['paymentKey']));

/** Removes the contracts of an unsigned request; returns their ids. */
export const deleteContractsOf = all((p: { requestId: number }) =>
  sqlite.deleteFrom('contracts').where('requestId', '=', p.requestId).returning('id'),
);

/** A page of contracts that were ever signed, by id. */
export const listSignedContracts = all(pageBy('contracts', sql`"pdfSha256" is not null`));

/** Those that were signed last, the last one first. */
export const listLastSigned = all(
  firstBy('contracts', [], {
    only: sql`"signedAt" is not null and "pdfSha256" is not null`,
    order: sql`"signedAt" desc`,
  }),
);

export const newestContractId = newestIdOf('contracts');

export const setPdf = run(setById('contracts', ['pdfSha256', 'pdfSize']));
