/** The terms of some contract. */
import type { ContractTerms } from '../../src/core/contracts/contract-pdf.js';

export function someTerms(other: Partial<ContractTerms> = {}): ContractTerms {
  return {
    contractId: 7,
    reference: 'REQ-2026-000123',
    title: 'Annual service',
    description: 'Check the valves.',
    customer: { firstName: 'Ada', lastName: 'Byron', username: 'ada@kunde.test', phone: null },
    equipment: { name: 'Compressor', model: 'GA 37', serialNumber: 'A-1' },
    amount: 12_000,
    currency: 'eur',
    issuer: 'Acme Maintenance',
    madeAt: '2026-03-02T09:14:07.000Z',
    signBefore: '2026-04-01T09:14:07.000Z',
    termDays: 365,
    locale: 'en',
    timeZone: 'UTC',
    ...other,
  };
}
