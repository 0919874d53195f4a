/**
 * Loads what the service loads when it is first needed. On older Nodes loading takes a few turns of the real event loop, so
 * the first world of a process would differ from the same world after another.
 */
import { loadHandlers } from '../src/core/jobs/kinds.js';

export async function preload(): Promise<void> {
  await Promise.all([
    loadHandlers(),
    import('../src/core/contracts/contract-pdf.js'),
    import('../src/core/evidence/timeline-pdf.js'),
    import('../src/core/signature/reconcile.js'),
    import('@libpdf/core'),
    import('unpdf').then(({ getResolvedPDFJS }) => getResolvedPDFJS()),
    import('nodemailer'),
    import('ofetch'),
  ]);
}
