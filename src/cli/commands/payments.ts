/** `esignctl payments …`: what became of a payment, and a new link in place of an expired one (rules 2, 5). */
import { command } from '../../core/commands.js';
import { actCalled } from '../../core/requests/acts.js';
import { actOn, addAct, defineAct, type Flags } from '../verb/acts.js';
import { askAboutAll, checkedLine, exitOfAll, tellTrouble } from '../run/batch.js';
import type { ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withSession } from '../run/open.js';
import { textOption } from '../verb/options.js';
import { eachOrAll, UsageError } from '../verb/usage-error.js';
import type { Verb } from '../verb/verb.js';

export function payments(program: Verb): void {
  const payments = program
    .command('payments')
    .description('payments of requests: check them, renew a link, stop waiting for money')
    .examples('payments check 123', 'payments renew 123');
  const check = actCalled('check-payment');
  defineAct(payments, check, { isOptional: true })
    .option('--all', 'check every request that is waiting for its payment')
    .knownOption(
      '--settle <paymentId>',
      'stop listing a payment whose contract is unknown here; needs --reason',
      'unknown-payments',
      textOption,
    )
    .does((shell, { all, settle, ...flags }: Flags & CheckFlags, requests: string[]) => {
      if (settle !== undefined) return settleOne(shell, settle, all || requests.length > 0);
      return eachOrAll(requests, all) === 'all' ? checkAll(shell) : actOn(shell, check, flags, requests);
    });
  addAct(payments, actCalled('renew-payment'));
  addAct(payments, actCalled('give-up-payment'));
}

interface CheckFlags {
  all?: boolean;
  settle?: string;
}

async function settleOne(shell: Shell, paymentId: string, isMore: boolean): Promise<void> {
  if (isMore)
    throw new UsageError(
      '--settle is about a payment whose contract is unknown here: it goes with neither a request nor --all.',
      ['Run `', { ...command('payments check'), options: ['--settle', paymentId] }, '` alone.'],
    );
  const { settleUnknownPayment } = await import('../../core/payment/unknown-payments.js');
  const { out, dryRun, reason } = shell;
  if (!reason && !dryRun)
    throw new UsageError('Why? A payment is settled only with --reason.', 'Add --reason "…".');
  return withSession(shell, async ({ ctx, by }) => {
    await settleUnknownPayment(ctx, paymentId, by);
    out.result({ settled: paymentId }, () => out.line(`${dryRun ? 'would settle' : 'settled'} ${paymentId}`));
  });
}

/** Prints what changed and what failed; open links are only counted. */
async function checkAll(shell: Shell): Promise<ExitCode> {
  const { checkAllPayments } = await import('../../core/payment/check-all-payments.js');
  const { textParts } = await import('../../core/texts/index.js');
  return withSession(shell, async ({ ctx, by }) => {
    const { out, signal } = shell;
    const asked = { provider: 'payment', what: 'payment link' };
    const { results, ...counts } = await askAboutAll(shell, asked, (onProgress) =>
      checkAllPayments(ctx, { ...by, signal, onProgress }),
    );
    const told = results.map((result) => ({
      ...result,
      message: out.advice(textParts('en', result.key)),
    }));
    out.result({ ...counts, results: told }, () => {
      for (const { requestId, key, message, changed, type } of told) {
        if (changed || type === 'error') out.line(out.keyed(key, `request ${requestId}: ${message}`));
      }
      out.line(checkedLine(shell, counts));
    });
    tellTrouble(shell, counts);
    return exitOfAll(counts);
  });
}
