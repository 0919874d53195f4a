/** The collections of the API with their filters and orders: the one place that says what a list can be asked for. */
import { EVENT_NAMES } from '../../core/events.js';
import { CONTRACT_STATUSES, REQUEST_STATUSES } from '../../core/lifecycle.js';
import { OFFER_STATUSES } from '../../core/offers/offers.js';
import { TROUBLESHOOTING_STATUSES } from '../../core/troubleshootings/troubleshootings.js';
import { normalUsername } from '../../core/users/user-fields.js';
import { DELIVERY_STATES } from '../../core/webhooks/browse-deliveries.js';
import { declareCollection } from '../collection.js';
import { flagFilter, iriFilter, textFilter, timeFilter, wordFilter } from '../filters.js';

export const REQUESTS = declareCollection({
  type: 'Request',
  path: '/api/requests',
  filters: {
    status: wordFilter(REQUEST_STATUSES),
    createdAt: timeFilter(),
    equipment: iriFilter('equipments'),
  },
  orders: ['createdAt'],
});

export const CONTRACTS = declareCollection({
  type: 'Contract',
  path: '/api/contracts',
  filters: {
    status: wordFilter(CONTRACT_STATUSES),
    createdAt: timeFilter(),
    request: iriFilter('requests'),
  },
  orders: ['createdAt'],
});

export const EQUIPMENTS = declareCollection({
  type: 'Equipment',
  path: '/api/equipments',
  filters: { serialNumber: textFilter({ example: 'SN-4711' }) },
  orders: ['name'],
});

export const USERS = declareCollection({
  type: 'User',
  path: '/api/users',
  filters: {
    username: textFilter({
      example: 'anna@example.org',
      about: 'The whole address, in any letter case',
      normal: normalUsername,
    }),
  },
  orders: [],
});

export const OFFERS = declareCollection({
  type: 'Offer',
  path: '/api/offers',
  filters: {
    status: wordFilter(OFFER_STATUSES),
    createdAt: timeFilter(),
    request: iriFilter('requests'),
  },
  orders: ['createdAt'],
});

export const TROUBLESHOOTINGS = declareCollection({
  type: 'Troubleshooting',
  path: '/api/troubleshootings',
  filters: {
    status: wordFilter(TROUBLESHOOTING_STATUSES),
    createdAt: timeFilter(),
    request: iriFilter('requests'),
  },
  orders: ['createdAt'],
});

export const WEBHOOKS = declareCollection({
  type: 'Webhook',
  path: '/api/webhooks',
  filters: { event: wordFilter(EVENT_NAMES), active: flagFilter() },
  orders: [],
});

/** Of one webhook at a time. */
export const DELIVERIES = declareCollection({
  type: 'WebhookDelivery',
  path: '/api/webhook_deliveries',
  filters: { status: wordFilter(DELIVERY_STATES) },
  orders: [],
});
