/**
 * Offers (rules 1, 6): administrators make and change them, owners of the request read them; the newest accepted one
 * sets the price, else the newest sent one.
 */
import {
  deleteOfferRow,
  findOffer,
  insertOffer,
  updateOffer,
  type OfferTerms,
} from '../../db/requests/attached.js';
import type { OfferRow, OfferStatus } from '../../db/schema.js';
import type { Change } from '../change.js';
import { AppError } from '../errors.js';
import { ofRequest, type HistoryWord } from '../history/history.js';
import type { Given } from '../calls/input.js';
import { payable } from '../payment/price.js';
import { requestNamed } from '../requests/requests.js';
import { changeOne, createOne, deleteOne, type GetOne } from '../calls/owned.js';
import { mustBeAdmin, seenBy } from '../users/rights.js';

export type { OfferRow };

/** The allowed moves; a refused offer is replaced by another one. */
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
  /** By default that of the settings. */
  currency?: string | undefined;
  description?: string | undefined;
}

/** Throws `not_found` also for somebody else's. */
export const getOffer: GetOne<OfferRow> = ({ db }, user, id) => seenBy(user, findOffer(db, { id }));

/** Owners read it, administrators change it. */
const getOfferToChange: GetOne<OfferRow> = (ctx, user, id) => {
  const offer = getOffer(ctx, user, id);
  mustBeAdmin(user);
  return offer;
};

/** The new offer, a draft. */
export const createOffer = createOne<OfferRow, OfferInput>((tx, user, input, { config }) => {
  mustBeAdmin(user);
  const { db, now } = tx;
  const { requestId, amount, currency = config.currency, description = '' } = input;
  const { ownerId } = requestNamed(db, user, requestId);
  payable({ amount, currency });
  const terms = { amount, currency, description, status: 'draft' } as const;
  const offer = insertOffer(db, { ...terms, requestId, ownerId, now });
  trace(tx, 'offer.created', offer);
  tx.publish('offer.created', offer);
  return offer;
});

/** Returns the changed offer. The terms of an accepted or refused one are final; impossible moves are refused. */
export const changeOffer = changeOne<OfferRow, Given<OfferTerms>>(getOfferToChange, (tx, offer, wanted) => {
  const { db, now } = tx;
  const { id, amount, currency, description, status } = offer;
  const terms = { amount, currency, description, status, ...given(wanted) };
  const changed = TERMS.filter((name) => terms[name] !== offer[name]);
  if (changed.length === 0) return offer;
  mustAllow(offer, terms.status, changed);
  // An older one can still be refused.
  if (terms.status !== 'refused') payable(terms);
  const next = updateOffer(db, { id, ...terms, now });
  trace(tx, 'offer.changed', next);
  return next;
});

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
  throw new AppError('refused', 'cannot_be_changed', 'The offer cannot be changed like this.', { fields });
}

export const deleteOffer = deleteOne(getOfferToChange, (tx, offer) => {
  deleteOfferRow(tx.db, { id: offer.id });
  trace(tx, 'offer.deleted', offer);
});

function trace(tx: Change, what: HistoryWord, offer: OfferRow): void {
  const { reference, amount, currency, status, requestId } = offer;
  tx.record(what, ofRequest(requestId), { reference, amount, currency, status });
}
