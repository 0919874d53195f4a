/** /api/offers (rules 6): read by the owner of the request, made and changed by administrators. */
import { z } from 'zod';
import { AMOUNT, choice, CURRENCY } from '../../core/calls/input.js';
import {
  changeOffer,
  createOffer,
  deleteOffer,
  getOffer,
  NEW_OFFER_STATUSES,
  OFFER_DESCRIPTION,
  type OfferRow,
} from '../../core/offers/offers.js';
import { OFFER_STATUSES } from '../../core/lifecycle.js';
import { OFFERS } from '../../core/resources/offers.js';
import { ID, link, TIME } from './docs/fields.js';
import { iriField, iriOf } from './iri.js';
import type { Parts } from '../parts.js';
import { declareResource, resourceRoutes } from './resource.js';

const OFFER = declareResource({
  type: 'Offer',
  name: 'offers',
  about:
    'A price for a request. The newest accepted one sets the price of the contract, else the newest sent one; a draft never does.',
  fields: {
    id: ID,
    reference: z.string().meta({ examples: ['OFF-2026-000001'] }),
    request: link('requests'),
    amount: AMOUNT.describe('In minor units'),
    currency: z.string().meta({ examples: ['eur'] }),
    description: z.string().meta({ examples: ['A new pump and two hours of work'] }),
    status: z.enum(OFFER_STATUSES),
    createdAt: TIME,
    updatedAt: TIME,
  },
  shows: (row: OfferRow) => ({ ...row, request: iriOf('requests', row.requestId) }),
  noun: OFFERS,
});

const TERMS = {
  amount: AMOUNT,
  currency: CURRENCY,
  description: OFFER_DESCRIPTION,
};
const Patch = z.object({ ...TERMS, status: choice(OFFER_STATUSES) }).partial();

export function offerRoutes(parts: Parts) {
  const New = z.object({
    request: iriField('requests', parts.ctx.config.baseUrl),
    amount: TERMS.amount,
    currency: TERMS.currency.optional(),
    description: TERMS.description.optional(),
    status: choice(
      NEW_OFFER_STATUSES,
      'A new offer must be draft or sent. Its status can be changed afterwards.',
    ).optional(),
  });
  return resourceRoutes(parts, OFFER, {
    list: 'Lists offers',
    create: {
      title: 'Adds an offer',
      about: 'A draft, unless its status is `sent`.',
      isForAdministrators: true,
      takes: New,
      run: (ctx, user, { request, ...terms }, keep) =>
        createOffer(ctx, user, { ...terms, requestId: request }, keep),
    },
    show: { title: 'Shows an offer', run: getOffer },
    change: {
      title: 'Changes an offer',
      about: 'Once it is accepted or refused its terms stay, and a refused one stays refused.',
      isForAdministrators: true,
      takes: Patch,
      run: changeOffer,
    },
    remove: { title: 'Removes an offer', isForAdministrators: true, run: deleteOffer },
  });
}
