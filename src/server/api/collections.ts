/** The collections of the API with their filters and orders: the one place that says what a list can be asked for. */
import { CONTRACT_STATUSES, REQUEST_STATUSES } from '../../core/lifecycle.js';
import { OFFER_STATUSES } from '../../core/offers/offers.js';
import { TROUBLESHOOTING_STATUSES } from '../../core/troubleshootings/troubleshootings.js';
import { declareCollection } from '../collection.js';
import { iriFilter, statusFilter, timeFilter } from '../filters.js';

export const REQUESTS = declareCollection({
  type: 'Request',
  path: '/api/requests',
  filters: {
    status: statusFilter(REQUEST_STATUSES),
    createdAt: timeFilter(),
    equipment: iriFilter('equipments'),
  },
  orders: ['createdAt'],
});

export const CONTRACTS = declareCollection({
  type: 'Contract',
  path: '/api/contracts',
  filters: {
    status: statusFilter(CONTRACT_STATUSES),
    createdAt: timeFilter(),
    request: iriFilter('requests'),
  },
  orders: ['createdAt'],
});

export const EQUIPMENTS = declareCollection({
  type: 'Equipment',
  path: '/api/equipments',
  filters: {},
  orders: ['name'],
});

export const USERS = declareCollection({ type: 'User', path: '/api/users', filters: {}, orders: [] });

export const OFFERS = declareCollection({
  type: 'Offer',
  path: '/api/offers',
  filters: {
    status: statusFilter(OFFER_STATUSES),
    createdAt: timeFilter(),
    request: iriFilter('requests'),
  },
  orders: ['createdAt'],
});

export const TROUBLESHOOTINGS = declareCollection({
  type: 'Troubleshooting',
  path: '/api/troubleshootings',
  filters: {
    status: statusFilter(TROUBLESHOOTING_STATUSES),
    createdAt: timeFilter(),
    request: iriFilter('requests'),
  },
  orders: ['createdAt'],
});

export const WEBHOOKS = declareCollection({
  type: 'Webhook',
  path: '/api/webhooks',
  filters: {},
  orders: [],
});

/** Of one webhook at a time. */
export const DELIVERIES = declareCollection({
  type: 'WebhookDelivery',
  path: '/api/webhook_deliveries',
  filters: {},
  orders: [],
});
