/**
 * Offers (rules 1, 6): administrators make and change them, owners of the request read them; the newest accepted one
 * sets the price, else the newest sent one.
 */
import { see } from '../commands.js';
import { z } from 'zod';
import {
  deleteOfferRow,
  findOffer,
  insertOffer,
  listNewestOffers,
  updateOffer,
  type OfferTerms,
} from '../../db/requests/attached.js';
import type { OfferRow, OfferStatus } from '../../db/schema.js';
import { requireRequest } from '../../db/requests/requests.js';
import { attempt, type Change, type Try } from '../change.js';
import type { Context } from '../context.js';
import { AppError, notFound } from '../errors.js';
import { ofRequest, type HistoryWord } from '../history/history.js';
import { parseInput, words, type Given } from '../calls/input.js';
import { payable } from '../payment/price.js';
import { typedMoney } from '../prices/typed-money.js';
import { mustNotBeCanceled, requestNamed } from '../requests/requests.js';
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
  /** By default a draft. */
  status?: NewOfferStatus | undefined;
}

/** What the customer answers comes afterwards. */
export const NEW_OFFER_STATUSES = ['draft', 'sent'] as const satisfies OfferStatus[];
type NewOfferStatus = (typeof NEW_OFFER_STATUSES)[number];

export const OFFER_DESCRIPTION = words({ lengthMax: 5_000, isMultiline: true }).meta({
  examples: ['A new pump and two hours of work'],
});

/** Throws `not_found` also for somebody else's. */
export const getOffer: GetOne<OfferRow> = ({ db }, user, id) => seenBy(user, findOffer(db, { id }));

/** Owners read it, administrators change it. */
const getOfferToChange: GetOne<OfferRow> = (ctx, user, id) => {
  const offer = getOffer(ctx, user, id);
  mustBeAdmin(user);
  return offer;
};

export const createOffer = createOne<OfferRow, OfferInput>((tx, user, input, { config }) => {
  mustBeAdmin(user);
  requestNamed(tx.db, user, input.requestId);
  const { currency = config.currency, status = 'draft' } = input;
  return addOffer(tx, { ...input, currency, status });
});

/** At the command line and on pages: the office has told the customer of it, so it counts as sent. */
export function enterOffer(
  ctx: Context,
  {
    requestId,
    ...typed
  }: { requestId: number; amount: string | undefined; description?: string | undefined },
  by: Try,
): Promise<OfferRow> {
  const { config } = ctx;
  const fields = { amount: typedMoney(config), description: OFFER_DESCRIPTION.optional() };
  const terms = parseInput(z.object(fields), typed);
  const { currency } = config;
  return attempt(ctx, by, (tx) => addOffer(tx, { ...terms, requestId, currency, status: 'sent' }));
}

function addOffer(
  tx: Change,
  {
    requestId,
    amount,
    currency,
    description = '',
    status,
  }: OfferInput & { currency: string; status: NewOfferStatus },
): OfferRow {
  const { db, now } = tx;
  const request = requireRequest(db, { id: requestId });
  mustNotBeCanceled(request);
  const { ownerId } = request;
  payable({ amount, currency });
  const offer = insertOffer(db, { amount, currency, description, status, requestId, ownerId, now });
  trace(tx, 'offer.created', offer);
  tx.publish('offer.created', offer);
  return offer;
}

/** Returns the changed offer. The terms of an accepted or refused one are final; impossible moves are refused. */
export const changeOffer = changeOne<OfferRow, Given<OfferTerms>>(getOfferToChange, correctOffer);

/** What the customer answered, noted at the command line or on a page. */
export function answerOffer(ctx: Context, id: number, status: OfferAnswer, by: Try): Promise<OfferRow> {
  return attempt(ctx, by, (tx) => correctOffer(tx, offerNumbered(tx, id), { status }));
}

export const OFFER_ANSWERS = ['accepted', 'refused'] as const satisfies OfferStatus[];
export type OfferAnswer = (typeof OFFER_ANSWERS)[number];

export function answersTo({ status }: Pick<OfferRow, 'status'>): OfferAnswer[] {
  return OFFER_ANSWERS.filter((answer) => MOVES[status].includes(answer));
}

/** Throws `not_found`. */
export function offerNumbered({ db }: Pick<Context, 'db'>, id: number): OfferRow {
  const offer = findOffer(db, { id });
  if (!offer) throw notFound('not_found', 'Not Found');
  return offer;
}

/** By number or reference. Throws `not_found`. */
export function offerCalled({ db }: Pick<Context, 'db'>, typed: string): OfferRow {
  const [, id] = /^(?:OFF-\d{4}-0*)?([1-9]\d{0,14})$/i.exec(typed) ?? [];
  const offer = id === undefined ? undefined : findOffer(db, { id: Number(id) });
  const isIt = offer && (typed === id || offer.reference === typed.toUpperCase());
  if (!isIt) throw notFound('not_found', `There is no offer ${typed}.`, see('offers list'));
  return offer;
}

/** The newest first. */
export function offersOf({ db }: Pick<Context, 'db'>, requestId: number): OfferRow[] {
  return listNewestOffers(db, { requestId });
}

function correctOffer(tx: Change, offer: OfferRow, wanted: Given<OfferTerms>): OfferRow {
  const { db, now } = tx;
  const { amount = offer.amount, currency = offer.currency } = wanted;
  const { description = offer.description, status = offer.status } = wanted;
  const terms = { amount, currency, description, status };
  const changed = TERMS.filter((name) => terms[name] !== offer[name]);
  if (changed.length === 0) return offer;
  mustAllow(offer, terms.status, changed);
  // An older one can still be refused.
  if (terms.status !== 'refused') payable(terms);
  const next = updateOffer(db, { id: offer.id, ...terms, now });
  trace(tx, 'offer.changed', next);
  return next;
}

const TERMS = ['amount', 'currency', 'description', 'status'] as const satisfies (keyof OfferTerms)[];

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
  tx.record(what, ofRequest(requestId), { reference, amount, currency, status, reason: tx.reason });
}
