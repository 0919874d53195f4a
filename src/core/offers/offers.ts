/** Offers (decisions 6): administrators make and change them, owners of the request read them; the newest accepted one sets the price, else the newest sent. */
import {
  countOffers,
  deleteOfferRow,
  findNewestOffer,
  findOffer,
  insertOffer,
  listOffers as listOfferRows,
  updateOffer,
  type OfferTerms,
} from '../../db/offers.js';
import type { Db } from '../../db/db.js';
import type { OfferRow, OfferStatus, UserRow } from '../../db/schema.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { AppError } from '../errors.js';
import { publishEvent } from '../events.js';
import { record, type HistoryWord } from '../history.js';
import type { Keep } from '../idempotency.js';
import type { Given } from '../input.js';
import type { Listing } from '../listing.js';
import type { Precondition } from '../precondition.js';
import { requestNamed, seenBy, type AttachedAsked } from '../requests/attached.js';
import { actorOf, mustBeAdmin, ownerScope } from '../users/rights.js';

export type { OfferRow };

export const OFFER_STATUSES = ['draft', 'sent', 'accepted', 'refused'] as const satisfies OfferStatus[];

/** Where an offer can go from each status; a refused one is replaced by another offer. */
const MOVES: Readonly<Record<OfferStatus, readonly OfferStatus[]>> = {
  draft: ['sent', 'accepted', 'refused'],
  sent: ['accepted', 'refused'],
  accepted: ['refused'],
  refused: [],
};

export interface OfferInput {
  requestId: number;
  /** In minor units. */
  amount: number;
  /** Else that of the settings. */
  currency?: string | undefined;
  description?: string | undefined;
}

/** The new offer, a draft. */
export function createOffer(
  ctx: Context,
  user: UserRow,
  { requestId, amount, currency = ctx.config.currency, description = '' }: OfferInput,
  keep?: Keep<OfferRow>,
): Promise<OfferRow> {
  mustBeAdmin(user);
  const now = iso(ctx.clock.now());
  return ctx.writer.write((db) => {
    const { ownerId } = requestNamed(db, user, requestId);
    const terms = { amount, currency, description, status: 'draft' } as const;
    const offer = insertOffer(db, { ...terms, requestId, ownerId, now });
    trace(db, { what: 'offer.created', offer, user, now });
    publishEvent(db, { event: 'offer.created', about: offer, now });
    keep?.(db, offer);
    return offer;
  });
}

/** The offer as it is then. Its terms stay once it is accepted or refused; a status that cannot follow is refused. */
export function changeOffer(
  ctx: Context,
  user: UserRow,
  id: number,
  change: Given<OfferTerms>,
  precondition?: Precondition<OfferRow>,
): Promise<OfferRow> {
  const now = iso(ctx.clock.now());
  return ctx.writer.write((db) => {
    const offer = getOffer({ db }, user, id);
    mustBeAdmin(user);
    precondition?.(offer);
    const { amount, currency, description, status } = offer;
    const terms = { amount, currency, description, status, ...given(change) };
    const changed = TERMS.filter((name) => terms[name] !== offer[name]);
    if (changed.length === 0) return offer;
    mustAllow(offer, terms.status, changed);
    const next = updateOffer(db, { id, ...terms, now });
    trace(db, { what: 'offer.changed', offer: next, user, now });
    return next;
  });
}

const TERMS = ['amount', 'currency', 'description', 'status'] as const satisfies (keyof OfferTerms)[];

function given<T extends object>(change: T) {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

function mustAllow(offer: OfferRow, to: OfferStatus, changed: readonly (keyof OfferTerms)[]): void {
  const isSettled = offer.status === 'accepted' || offer.status === 'refused';
  const kept = isSettled ? changed.filter((name) => name !== 'status') : [];
  const isImpossible = to !== offer.status && !MOVES[offer.status].includes(to);
  if (kept.length === 0 && !isImpossible) return;
  const fields = {
    ...Object.fromEntries(kept.map((name) => [name, `This stays: the offer is ${offer.status}.`])),
    ...(isImpossible && { status: `The status cannot be changed from ${offer.status} to ${to}.` }),
  };
  throw new AppError('refused', 'cannot_be_changed', 'The offer cannot be changed so.', { fields });
}

export function deleteOffer(
  ctx: Context,
  user: UserRow,
  id: number,
  precondition?: Precondition<OfferRow>,
): Promise<void> {
  const now = iso(ctx.clock.now());
  return ctx.writer.write((db) => {
    const offer = getOffer({ db }, user, id);
    mustBeAdmin(user);
    precondition?.(offer);
    deleteOfferRow(db, id);
    trace(db, { what: 'offer.deleted', offer, user, now });
  });
}

/** Throws `not_found` for one that is not there, and for one of somebody else. */
export function getOffer({ db }: Pick<Context, 'db'>, user: UserRow, id: number): OfferRow {
  return seenBy(user, findOffer(db, id));
}

export function listOffers(
  { db }: Context,
  user: UserRow,
  { filter: asked, order, limit, offset }: AttachedAsked<OfferStatus>,
): Listing<OfferRow> {
  const filter = { ...asked, ownerId: ownerScope(user) };
  const direction = order?.direction ?? 'asc';
  return { total: countOffers(db, filter), rows: listOfferRows(db, { filter, direction, limit, offset }) };
}

/** What a contract made now would cost: the newest accepted offer, else the newest sent one, else the settings. A draft is nobody's offer yet. */
export function priceOf(ctx: Context, db: Db, requestId: number): { amount: number; currency: string } {
  const offer = findNewestOffer(db, requestId, 'accepted') ?? findNewestOffer(db, requestId, 'sent');
  const { contractAmount, currency } = ctx.config;
  return offer ? { amount: offer.amount, currency: offer.currency } : { amount: contractAmount, currency };
}

function trace(
  db: Db,
  { what, offer, user, now }: { what: HistoryWord; offer: OfferRow; user: UserRow; now: string },
): void {
  const { reference, amount, currency, status, requestId } = offer;
  const detail = { reference, amount, currency, status };
  record(db, { at: now, actor: actorOf(user), what, requestId, detail });
}
