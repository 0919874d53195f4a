/** How tests name a finding: `payment_case: paid_twice`, or its key alone where it has but one cause. */
import type { Finding } from '../../src/core/explain/explain.js';

export const findingName = ({ key, cause }: Pick<Finding, 'key' | 'cause'>): string =>
  cause === null ? key : `${key}: ${cause}`;
