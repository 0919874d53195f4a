/** `esignctl payments …`: what became of a payment, and a new link in place of an expired one (rules 2, 5). */
import { actCalled } from '../../core/requests/acts.js';
import { PAYMENTS } from '../../core/resources/payments.js';
import { actCommand, checkCommand } from '../verb/acts.js';
import { listCommand } from '../verb/list-command.js';
import { askAboutAll, checkedLine, exitOfAll, tellTrouble } from '../run/batch.js';
import type { ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import type { Session } from '../run/open.js';
import { group } from '../verb/verb.js';

const check = checkCommand(actCalled('check-payment'), {
  all: 'check every request that waits for a payment',
  settles: {
    what: 'payment whose contract is unknown here',
    word: 'paymentId',
    offers: 'unknown-payments',
    settle: async (ctx, paymentId, by) =>
      (await import('../../core/payment/unknown-payments.js')).settleUnknownPayment(ctx, paymentId, by),
  },
  checkAll,
});

const list = listCommand('payments list', PAYMENTS, {
  about: 'payments, the newest first',
  examples: ['--state open', '--request REQ-2026-000123 --json', '--since 30d --csv > payments.csv'],
});

export const payments = group(
  'payments',
  {
    about: 'payments of requests: list, check them, renew a link, stop waiting for money',
    examples: ['list --state open', 'check 123', 'renew 123'],
  },
  [list, check, actCommand(actCalled('renew-payment')), actCommand(actCalled('give-up-payment'))],
);

/** Prints what changed and what failed; open links are only counted. */
async function checkAll(shell: Shell, { ctx, by }: Session): Promise<ExitCode> {
  const { checkAllPayments } = await import('../../core/payment/check-all-payments.js');
  const { textParts } = await import('../../core/texts/index.js');
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
}
