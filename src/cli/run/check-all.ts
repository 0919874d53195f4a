/** Runs `esignctl check-signature --all`. */
import { checkAllSignatures, type CheckedContract } from '../../core/signature/check-all-signatures.js';
import { isTextKey, text, type Locale } from '../../core/texts/index.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import { withProgress } from '../progress.js';
import { withSession } from '../session.js';
import { DRY_RUN_NOTE } from './words.js';

/** Lines for what changed and what failed; contracts that simply wait are only counted. */
export function checkAll(shell: Shell, { dryRun = false }: ChangeFlags): Promise<ExitCode> {
  return withSession(shell, async ({ ctx, actor }) => {
    const { results, ...counts } = await withProgress(shell, 'asking the signature provider', (progress) =>
      checkAllSignatures(ctx, {
        actor,
        dryRun,
        signal: shell.signal,
        onProgress: (done, total) => progress.update(`checked ${done} of ${total}`),
      }),
    );
    const { checked, changed, failed } = counts;
    const told = results.map((result) => ({ ...result, message: messageOf(ctx.config.locale, result) }));
    shell.out.result({ ...counts, results: told, ...(dryRun && { dryRun }) }, () => {
      for (const { requestId, contractId, key, message } of told.filter(isWorthALine)) {
        shell.out.line(`request ${requestId}, contract ${contractId}: ${key}: ${message}`);
      }
      shell.out.line(
        `checked ${checked}, ${dryRun ? 'would change' : 'changed'} ${changed}, failed ${failed}`,
      );
    });
    if (dryRun) shell.out.note(DRY_RUN_NOTE);
    return failed > 0 ? EXIT.failed : EXIT.done;
  });
}

function messageOf(locale: Locale, { key, params }: CheckedContract): string {
  return isTextKey(key) ? text(locale, key, params) : (params['error'] ?? '');
}

function isWorthALine({ changed, type }: CheckedContract): boolean {
  return changed || type === 'error';
}
