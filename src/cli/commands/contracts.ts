/** `esignctl contracts …` and `expire-contracts` (rules 2, 10). */
import { actCalled } from '../../core/requests/acts.js';
import { CONTRACTS } from '../../core/resources/contracts.js';
import { addAct } from '../verb/acts.js';
import type { Shell } from '../io.js';
import { listCommand } from '../verb/list-command.js';
import { tellFields } from '../output/lists.js';
import { withSession } from '../run/open.js';
import { idArgument } from '../verb/options.js';
import { withProgress } from '../output/progress.js';
import type { Verb } from '../verb/verb.js';
import { counted } from '../output/words.js';

const ID = 'number of the contract';

export function contracts(program: Verb): void {
  const contracts = program
    .command('contracts')
    .description('contracts: list, show with a working link, accept a late signature')
    .examples('contracts list --status PENDING', 'contracts show 45');
  listCommand(contracts.command('list').description('contracts, the newest first'), CONTRACTS).examples(
    'contracts list --status PENDING',
    'contracts list --request REQ-2026-000123 --json',
    'contracts list --since 3d --csv > contracts.csv',
  );
  contracts
    .command('show')
    .description('one contract; an expired signing link is renewed at the provider')
    .known('<id>', ID, 'contracts', idArgument)
    .examples('contracts show 45', 'contracts show 45 --json')
    .does(show);
  contracts
    .command('fetch-pdf')
    .description('fetch the signed PDF of a contract again when it is missing or damaged')
    .known('<id>', ID, 'contracts', idArgument)
    .changes()
    .examples('contracts fetch-pdf 45', 'contracts fetch-pdf 45 --dry-run')
    .does(fetchPdf);
  addAct(contracts, actCalled('accept-late'));
}

async function show(shell: Shell, _: object, id: number): Promise<void> {
  const { showContract } = await import('../../core/contracts/contracts.js');
  const { contractDocument } = await import('../output/documents.js');
  return withSession(shell, async ({ ctx }) => {
    const { out } = shell;
    const contract = await withProgress(shell, 'looking at the link', () => showContract(ctx, id));
    const { pdfSha256, pdfSize, signUrlExpiresAt } = contract;
    const document = { ...contractDocument(contract), signUrlExpiresAt, pdfSha256, pdfSize };
    out.result(document, () => {
      const amount = out.money(contract.amount, contract.currency);
      tellFields(out, Object.entries({ ...document, amount }));
    });
    if (contract.status === 'PENDING' && contract.signId && !contract.signUrl) {
      out.warn('the signing link has expired, and the signature provider did not give a new one');
    }
  });
}

async function fetchPdf(shell: Shell, _: object, id: number): Promise<void> {
  const { mendPdf } = await import('../../core/signature/signed-pdf.js');
  return withSession(shell, async ({ ctx, by }) => {
    const { out, dryRun, interruption } = shell;
    interruption.say(() => 'the PDF is as it was');
    const { state: pdf, differs } = await withProgress(shell, 'fetching the PDF', () => mendPdf(ctx, id, by));
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
  });
}

export function expireContracts(program: Verb): void {
  program
    .command('expire-contracts')
    .description('close every contract whose date has passed; safe to run at any time')
    .changes()
    .examples('expire-contracts', 'expire-contracts --dry-run', 'expire-contracts --json')
    .does(expire);
}

async function expire(shell: Shell): Promise<void> {
  const core = await import('../../core/contracts/expire-contracts.js');
  return withSession(shell, async ({ ctx, by }) => {
    const { out, signal, dryRun, interruption } = shell;
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
  });
}
