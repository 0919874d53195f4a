/** Which events there are, and which states a delivery has. */
import type { DeliveryState, EventName } from '../../db/schema.js';

export const EVENT_NAMES = [
  'request.created',
  'request.updated',
  'offer.created',
  'troubleshooting.updated',
] as const satisfies readonly EventName[];

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const satisfies readonly DeliveryState[];
