/** Runs `esignctl contracts show`. */
import { showContract } from '../../core/contracts/operator-contracts.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withProgress } from '../progress.js';
import { withSession } from '../session.js';
import { contractDocument } from './contract-view.js';
import { fieldsTable } from './fields.js';

export function showCommand(shell: Shell, id: number): Promise<ExitCode> {
  return withSession(shell, async ({ ctx }) => {
    const contract = await withProgress(shell, 'looking at the link', () => showContract(ctx, id));
    const { pdfSha256, pdfSize, signUrlExpiresAt } = contract;
    const document = { ...contractDocument(contract), signUrlExpiresAt, pdfSha256, pdfSize };
    shell.out.result(document, () => {
      const amount = shell.out.money(contract.amount, contract.currency);
      fieldsTable(shell.out, Object.entries({ ...document, amount }));
    });
    if (contract.status === 'PENDING' && contract.signId && !contract.signUrl) {
      shell.out.warn('the link to sign is over, and the signature provider gave no new one now');
    }
    return EXIT.done;
  });
}
