/** All planted faults, by what they are about. */
import type { PlantedFault } from './fault.js';
import { API_FAULTS } from './faults/api.js';
import { DOCUMENT_FAULTS } from './faults/documents.js';
import { JOB_FAULTS } from './faults/jobs.js';
import { PAYMENT_FAULTS } from './faults/payment.js';
import { SIGNATURE_FAULTS } from './faults/signature.js';
import { STRANGERS_FAULTS } from './faults/strangers.js';
import { WEBHOOK_FAULTS } from './faults/webhooks.js';

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  ...SIGNATURE_FAULTS,
  ...DOCUMENT_FAULTS,
  ...PAYMENT_FAULTS,
  ...JOB_FAULTS,
  ...WEBHOOK_FAULTS,
  ...API_FAULTS,
  ...STRANGERS_FAULTS,
];
