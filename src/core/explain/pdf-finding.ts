/** The signed PDF is not on disk as it was stored. */
import { finding, type Facts, type Finding } from './finding.js';

export function pdfFinding(facts: Facts): Finding[] {
  const { pdf } = facts;
  if (!pdf || pdf.state === 'whole') return [];
  const { contractId: contract, state } = pdf;
  return [finding(facts, 'trouble', `pdf_${state}`, `contracts fetch-pdf ${contract}`, { contract })];
}
