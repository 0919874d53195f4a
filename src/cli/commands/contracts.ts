/** `esignctl contracts …` and `expire-contracts` (rules 2, 10). */
import { actCalled } from '../../core/requests/acts.js';
import { CONTRACTS } from '../../core/resources/contracts.js';
import { actCommand } from '../verb/acts.js';
import { listCommand } from '../verb/list-command.js';
import { tellFields } from '../output/lists.js';
import { asId, param } from '../verb/params.js';
import { withProgress } from '../output/progress.js';
import { group, verb } from '../verb/verb.js';
import { counted } from '../output/words.js';

const CONTRACT = param('number of the contract', asId, { offers: 'contracts' });

const list = listCommand('contracts list', CONTRACTS, {
  about: 'contracts, the newest first',
  examples: ['--status PENDING', '--request REQ-2026-000123 --json', '--since 3d --csv > contracts.csv'],
});

const show = verb('contracts show', {
  about: 'one contract; an expired signing link is renewed at the provider',
  args: { id: CONTRACT },
  examples: ['45', '45 --json'],
  async act(shell, { id }) {
    const { showContract } = await import('../../core/contracts/contracts.js');
    const { contractDocument } = await import('../output/documents.js');
    const { ctx, out } = shell;
    const contract = await withProgress(shell, 'looking at the link', () => showContract(ctx, id));
    const { pdfSha256, pdfSize, signUrlExpiresAt } = contract;
    const document = { ...contractDocument(ctx, contract), signUrlExpiresAt, pdfSha256, pdfSize };
    out.result(document, () => {
      const amount = out.money(contract.amount, contract.currency);
      tellFields(out, Object.entries({ ...document, amount }));
    });
    if (contract.status === 'PENDING' && contract.signId && !contract.signUrl) {
      out.warn('the signing link has expired, and the signature provider did not give a new one');
    }
  },
});

const fetchPdf = verb('contracts fetch-pdf', {
  about: 'fetch the signed PDF of a contract again when it is missing or damaged',
  args: { id: CONTRACT },
  changes: true,
  examples: ['45', '45 --dry-run'],
  async act(shell, { id }) {
    const { fixPdf } = await import('../../core/signature/signed-pdf.js');
    const { ctx, by, out, dryRun, interruption } = shell;
    interruption.say(() => 'the PDF is as it was');
    const { state: pdf, differs } = await withProgress(shell, 'fetching the PDF', () => fixPdf(ctx, id, by));
    interruption.say(() => '');
    const fetched = pdf !== 'whole' && !dryRun;
    out.result({ contractId: id, pdf, fetched, ...(differs && { differs }) }, () => {
      if (pdf === 'whole') out.line(`the PDF of contract ${id} is whole: nothing to do`);
      else out.line(`${dryRun ? 'would fetch' : 'fetched'} the PDF of contract ${id}, which was ${pdf}`);
    });
    if (differs)
      out.note(
        `It is not the document that was stored when contract ${id} was signed; a backup may still have that one.`,
      );
  },
});

export const contracts = group(
  'contracts',
  {
    about: 'contracts: list, show with a working link, accept a late signature',
    examples: ['list --status PENDING', 'show 45'],
  },
  [list, show, fetchPdf, actCommand(actCalled('accept-late'))],
);

export const renew = actCommand(actCalled('renew-contract'));

export const expireContracts = verb('expire-contracts', {
  about: 'close every contract whose date has passed; safe to run at any time',
  changes: true,
  examples: ['', '--dry-run', '--json'],
  async act(shell) {
    const core = await import('../../core/contracts/expire-contracts.js');
    const { ctx, by, out, signal, dryRun, interruption } = shell;
    const { expired, contracts } = await core.expireContracts(ctx, { ...by, signal });
    if (!dryRun)
      interruption.say(() => `${counted(expired, 'contract')} expired; the next run expires what is left`);
    // The rows show the previous status.
    const told = contracts.map(({ id, requestId, status: previousStatus, expiredAt }) => {
      const status = dryRun ? previousStatus : 'EXPIRED';
      return { id, requestId, previousStatus, status, expiredAt };
    });
    const verb = dryRun ? 'would expire' : 'expired';
    out.result({ expired, contracts: told }, () => {
      for (const { id, requestId, previousStatus, expiredAt } of told) {
        const before = `${previousStatus}, its date was ${out.time(expiredAt)}`;
        out.line(`${verb} contract ${id} of request ${requestId}: ${before}`);
      }
      out.line(`${verb} ${counted(expired, 'contract')}`);
    });
  },
});
