/** Runs `esignctl payments check`. */
import { checkAllPayments } from '../../core/payment/check-all-payments.js';
import { checkPayment, type PaymentCheckKey } from '../../core/payment/check-payment.js';
import { text } from '../../core/texts/index.js';
import { EXIT, exitOfCheck, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import type { RequestArgument } from '../options.js';
import { withProgress } from '../progress.js';
import { withSession } from '../session.js';
import { findRequest } from './requests.js';
import { sayStanding } from './standing.js';
import { counted, DRY_RUN_NOTE } from './words.js';

/** After these the customer has no link to pay by. */
const NEEDS_RENEWAL: readonly PaymentCheckKey[] = [
  'check_payment_info.expired',
  'no_payment_session',
  'payment_session_not_found',
];

export function checkOneCommand(
  shell: Shell,
  { request, dryRun = false, reason }: ChangeFlags & { request: RequestArgument },
): Promise<ExitCode> {
  return withSession(shell, async ({ ctx, actor }) => {
    const { id, reference } = findRequest(ctx, request);
    sayStanding(shell, ctx, id);
    const { type, key } = await withProgress(shell, `asking about ${reference}`, () =>
      checkPayment(ctx, id, { actor, dryRun, reason }),
    );
    const message = text(ctx.config.locale, key);
    const exit = exitOfCheck({ type, key });
    const hint = NEEDS_RENEWAL.includes(key) ? `esignctl payments renew ${id}` : undefined;
    shell.out.result({ type, key, message, ...(dryRun && { dryRun }) }, () => {
      if (type !== 'error') shell.out.line(`${key}: ${message}`);
    });
    if (type === 'error') shell.out.fault({ code: key, message, hint, exit });
    else if (hint) shell.out.note(`hint: ${hint}`);
    if (dryRun) shell.out.note(DRY_RUN_NOTE);
    return exit;
  });
}

/** Lines for what changed and what failed; links that simply wait are only counted. */
export function checkAllCommand(shell: Shell, { dryRun = false, reason }: ChangeFlags): Promise<ExitCode> {
  return withSession(shell, async ({ ctx, actor }) => {
    shell.interruption.say(() => 'no payment link was checked');
    const { results, ...counts } = await withProgress(shell, 'asking the payment provider', (progress) =>
      checkAllPayments(ctx, {
        actor,
        dryRun,
        reason,
        signal: shell.signal,
        onProgress: (done) => {
          progress.update(`checked ${done}`);
          shell.interruption.say(() => `${counted(done, 'payment link')} checked`);
        },
      }),
    );
    const told = results.map((result) => ({ ...result, message: text(ctx.config.locale, result.key) }));
    shell.out.result({ ...counts, results: told, ...(dryRun && { dryRun }) }, () => {
      for (const { requestId, key, message, changed, type } of told) {
        if (changed || type === 'error') shell.out.line(`request ${requestId}: ${key}: ${message}`);
      }
      const verb = dryRun ? 'would change' : 'changed';
      shell.out.line(`checked ${counts.checked}, ${verb} ${counts.changed}, failed ${counts.failed}`);
    });
    if (dryRun) shell.out.note(DRY_RUN_NOTE);
    if (counts.failed === 0) return EXIT.done;
    // None could be asked: the provider is down. Some could: the batch went on over failures.
    return counts.failed === counts.checked ? EXIT.unavailable : EXIT.failed;
  });
}
