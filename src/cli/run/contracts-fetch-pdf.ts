/** Runs `esignctl contracts fetch-pdf`. */
import { mendPdf } from '../../core/signature/signed-pdf.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import { withProgress } from '../progress.js';
import { withSession } from '../session.js';
import { DRY_RUN_NOTE } from './words.js';

export function fetchPdfCommand(
  shell: Shell,
  { id, dryRun = false, reason }: ChangeFlags & { id: number },
): Promise<ExitCode> {
  return withSession(shell, async ({ ctx, actor }) => {
    const { out } = shell;
    shell.interruption.say(() => 'the PDF is as it was');
    const { state: pdf, differs } = await withProgress(shell, 'fetching the PDF', () =>
      mendPdf(ctx, id, { actor, reason, dryRun }),
    );
    shell.interruption.say(() => '');
    const fetched = pdf !== 'whole' && !dryRun;
    const told = { contractId: id, pdf, fetched, ...(differs && { differs }), ...(dryRun && { dryRun }) };
    out.result(told, () => {
      if (pdf === 'whole') out.line(`the PDF of contract ${id} is whole: nothing to do`);
      else out.line(`${dryRun ? 'would fetch' : 'fetched'} the PDF of contract ${id}, which was ${pdf}`);
    });
    if (differs)
      out.note(
        `It is not the document that was stored when contract ${id} was signed; a backup may still hold that one.`,
      );
    if (dryRun) out.note(DRY_RUN_NOTE);
    return EXIT.done;
  });
}
