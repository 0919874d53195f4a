/** Runs `esignctl start-signature`. */
import { readFile } from 'node:fs/promises';
import { startSignature } from '../../core/signature/start-signature.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import type { RequestArgument } from '../options.js';
import { withProgress } from '../progress.js';
import { withSession } from '../session.js';
import { UsageError } from '../usage-error.js';
import { contractDocument, contractLines } from './contract-view.js';
import { findRequest } from './requests.js';
import { sayStanding } from './standing.js';
import { DRY_RUN_NOTE } from './words.js';

export function start(
  shell: Shell,
  { request, pdf: file, dryRun, reason }: ChangeFlags & { request: RequestArgument; pdf?: string },
): Promise<ExitCode> {
  return withSession(shell, async ({ ctx, actor }) => {
    const { id, reference } = findRequest(ctx, request);
    sayStanding(shell, ctx, id);
    const pdf = file === undefined ? undefined : await readPdf(file);
    const options = { actor, ...(pdf && { pdf }), ...(reason && { reason }) };
    if (dryRun) {
      await startSignature(ctx, id, { ...options, dryRun });
      shell.out.result({ dryRun, requestId: id, reference }, () =>
        shell.out.line(`would start the signature of ${reference}`),
      );
      shell.out.note(DRY_RUN_NOTE);
      return EXIT.done;
    }
    const contract = await withProgress(shell, `sending the contract of ${reference}`, () =>
      startSignature(ctx, id, options),
    );
    shell.out.result(contractDocument(contract), () => {
      const lines = contractLines(`started the signature of ${reference}`, contract, (iso) =>
        shell.out.time(iso),
      );
      for (const line of lines) shell.out.line(line);
    });
    return EXIT.done;
  });
}

async function readPdf(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`the file ${file} cannot be read (${code})`, 'Name a readable PDF with --pdf.');
  }
}
