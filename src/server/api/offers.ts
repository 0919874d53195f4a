/** /api/offers (decisions 6): read by the owner of the request, made and changed by administrators. */
import { Hono } from 'hono';
import { z } from 'zod';
import type { Keep } from '../../core/idempotency.js';
import { AMOUNT, choice, CURRENCY, parseInput, words } from '../../core/input.js';
import {
  changeOffer,
  createOffer,
  deleteOffer,
  getOffer,
  listOffers,
  OFFER_STATUSES,
  type OfferRow,
} from '../../core/offers/offers.js';
import { mustBeAdmin } from '../../core/users/rights.js';
import { JSON_TYPES, PATCH_TYPES, readJsonObject } from '../body.js';
import { once, sendCreatedOnce } from '../create-once.js';
import { ID, link, TIME } from '../docs/fields.js';
import { documented } from '../docs/notes.js';
import { created, listed, removed, shown, type Resource } from '../docs/operation.js';
import { item, shownTime } from '../hydra.js';
import { conditional, ifMatch } from '../if-match.js';
import { idParam, iriField, iriOf } from '../iri.js';
import { authenticated, consumes, negotiated, patchable } from '../middleware.js';
import type { Env, Parts } from '../parts.js';
import { queryOf } from '../query.js';
import { sendItem, sendJson, sendNothing } from '../respond.js';
import { OFFERS } from './collections.js';

const PATH = OFFERS.path;
const ITEM = `${PATH}/:id{[0-9]+}` as const;

const DESCRIPTION = words({ lengthMax: 5_000, isMultiline: true }).meta({
  examples: ['A new pump and two hours of work'],
});

const OFFER: Resource = {
  type: 'Offer',
  path: PATH,
  about:
    'A price for a request. The newest accepted one sets the price of the contract, else the newest sent one; a draft never does.',
  fields: z.object({
    id: ID,
    reference: z.string().meta({ examples: ['OFF-2026-000001'] }),
    request: link('requests'),
    amount: AMOUNT.describe('In minor units'),
    currency: z.string().meta({ examples: ['eur'] }),
    description: z.string().meta({ examples: ['A new pump and two hours of work'] }),
    status: z.enum(OFFER_STATUSES),
    createdAt: TIME,
    updatedAt: TIME,
  }),
};

/** Sent to the service at this address. */
const newOffer = (baseUrl: string) =>
  z.object({
    request: iriField('requests', baseUrl),
    amount: AMOUNT,
    currency: CURRENCY.optional(),
    description: DESCRIPTION.optional(),
  });
const OfferPatch = z
  .object({ amount: AMOUNT, currency: CURRENCY, description: DESCRIPTION, status: choice(OFFER_STATUSES) })
  .partial();

const LIST = documented({ title: 'Lists offers', returns: listed(OFFER, OFFERS) });
const CREATE = documented({
  title: 'Adds an offer, a draft at first',
  isForAdministrators: true,
  takes: newOffer(''),
  returns: created(OFFER),
});
const READ = documented({ title: 'Shows an offer', returns: shown(OFFER) });
const CHANGE = documented({
  title: 'Changes an offer',
  about: 'Once it is accepted or refused its terms stay, and a refused one stays refused.',
  isForAdministrators: true,
  takes: OfferPatch,
  returns: shown(OFFER),
});
const REMOVE = documented({ title: 'Removes an offer', isForAdministrators: true, returns: removed(OFFER) });

export function offerRoutes(parts: Parts) {
  const { ctx } = parts;
  const { baseUrl } = ctx.config;
  const NewOffer = newOffer(baseUrl);
  const member = authenticated(parts);
  return new Hono<Env>()
    .use(ITEM, patchable())
    .get(PATH, LIST, member, negotiated(), (c) => {
      const asked = OFFERS.ask(queryOf(c), baseUrl);
      return sendJson(c, OFFERS.answer(asked, listOffers(ctx, c.get('user'), asked), offerItem));
    })
    .post(PATH, CREATE, member, consumes(JSON_TYPES), negotiated(), once(), async (c) => {
      mustBeAdmin(c.get('user'));
      const body = await readJsonObject(c);
      const { request, ...terms } = parseInput(NewOffer, body);
      const input = { ...terms, requestId: request };
      const make = (keep: Keep<OfferRow>) => createOffer(ctx, c.get('user'), input, keep);
      return sendCreatedOnce(c, parts, { body, toItem: offerItem, make });
    })
    .get(ITEM, READ, member, negotiated(), (c) =>
      sendItem(c, offerItem(getOffer(ctx, c.get('user'), idParam(c)))),
    )
    .patch(ITEM, CHANGE, member, consumes(PATCH_TYPES), negotiated(), conditional(), async (c) => {
      const { id } = getOffer(ctx, c.get('user'), idParam(c));
      mustBeAdmin(c.get('user'));
      const change = parseInput(OfferPatch, await readJsonObject(c, PATCH_TYPES));
      return sendItem(c, offerItem(await changeOffer(ctx, c.get('user'), id, change, ifMatch(c, offerItem))));
    })
    .delete(ITEM, REMOVE, member, conditional(), async (c) => {
      await deleteOffer(ctx, c.get('user'), idParam(c), ifMatch(c, offerItem));
      return sendNothing(c);
    });
}

function offerItem(offer: OfferRow) {
  return item('Offer', iriOf('offers', offer.id), {
    id: offer.id,
    reference: offer.reference,
    request: iriOf('requests', offer.requestId),
    amount: offer.amount,
    currency: offer.currency,
    description: offer.description,
    status: offer.status,
    createdAt: shownTime(offer.createdAt),
    updatedAt: shownTime(offer.updatedAt),
  });
}
