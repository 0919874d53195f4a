import type { Locale } from '../texts/index.js';

export interface ContractTerms {
  contractId: number;
  /** Of the request, such as `REQ-2026-000123`. */
  reference: string;
  title: string;
  description: string;
  customer: { firstName: string; lastName: string; username: string; phone: string | null };
  equipment: { name: string; model: string; serialNumber: string };
  /** In minor units. */
  amount: number;
  /** Lower-case ISO code. */
  currency: string;
  /** The firm's name. */
  issuer: string;
  madeAt: string;
  signBefore: string;
  /** 0: the signed contract has no end. */
  termDays: number;
  locale: Locale;
}

/** What the signature provider looks for: first signer, a signature, its width and height in points. */
export const SIGNATURE_ANCHOR = '{{s1|signature|170|74}}';

export function renderContractPdf(terms: ContractTerms): Promise<Buffer> {
  return Promise.reject(new Error(`the contract ${terms.contractId} cannot be drawn yet`));
}
