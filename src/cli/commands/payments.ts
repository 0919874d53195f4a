/** `esignctl payments …`: what became of a payment, and a new link in place of an expired one (rules 2, 5). */
import { command, type Advice } from '../../core/commands.js';
import type { PaymentCheckKey } from '../../core/payment/check-payment.js';
import { askAboutAll, checkedLine, exitOfAll, tellAnswer, tellTrouble } from '../batch.js';
import type { ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withRequest, withSession } from '../open.js';
import { REQUEST, requestArgument } from '../options.js';
import { withProgress } from '../progress.js';
import { oneOrAll, reasonOf } from '../usage-error.js';
import type { Verb } from '../verb.js';

export function payments(program: Verb): void {
  const payments = program
    .command('payments')
    .description('the payment of a request: check it, or renew its link')
    .examples('payments check 123', 'payments renew 123');
  payments
    .command('check')
    .description('ask the payment provider about a payment, and update the request')
    .known('[request]', REQUEST, 'requests', requestArgument)
    .option('--all', 'check every request that is waiting for its payment')
    .changes()
    .examples('payments check 123', 'payments check --all --dry-run', 'payments check 123 --json')
    .does((shell, { all }: { all?: boolean }, request?: string) => {
      const one = oneOrAll(request, all);
      return one ? checkOne(shell, one) : checkAll(shell);
    });
  payments
    .command('renew')
    .description('create a new payment link in place of an expired one, and mail it to the customer')
    .known('<request>', REQUEST, 'requests', requestArgument)
    .changes()
    .examples(
      'payments renew 123',
      'payments renew REQ-2026-000123 --reason "customer was on holiday"',
      'payments renew 123 --dry-run',
    )
    .does(renew);
  payments
    .command('give-up')
    .description('stop waiting for money that is on its way, so that the customer can pay again')
    .known('<request>', REQUEST, 'requests', requestArgument)
    .changes('why; required, kept in the history')
    .examples(
      'payments give-up 123 --reason "the bank says that the debit failed"',
      'payments give-up 123 --reason "no such payment there" --dry-run',
    )
    .does(giveUp);
}

/** After these the customer has no payment link. */
const NEEDS_RENEWAL: readonly PaymentCheckKey[] = [
  'check_payment_info.expired',
  'no_payment_session',
  'payment_session_not_found',
];

/** Undefined when nothing is to be done. */
function nextOf(key: PaymentCheckKey, id: number): Advice | undefined {
  if (key === 'old_session_paid' || key === 'not_waiting_payment') return [command('explain', id)];
  return NEEDS_RENEWAL.includes(key) ? [command('payments renew', id)] : undefined;
}

async function checkOne(shell: Shell, request: string): Promise<ExitCode> {
  const { checkPayment } = await import('../../core/payment/check-payment.js');
  const { textParts } = await import('../../core/texts/index.js');
  return withRequest(shell, request, async ({ id, reference }, { ctx, by }) => {
    const work = () => checkPayment(ctx, id, by);
    const { type, key } = await withProgress(shell, `asking about ${reference}`, work);
    return tellAnswer(
      shell,
      { type, key, message: shell.out.advice(textParts(ctx.config.locale, key)) },
      nextOf(key, id),
    );
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
      message: out.advice(textParts(ctx.config.locale, result.key)),
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

async function giveUp(shell: Shell, _: object, key: string): Promise<void> {
  const { out, dryRun } = shell;
  const reason = reasonOf(shell, 'Money on its way is given up only with --reason.');
  const { giveUpPayment } = await import('../../core/payment/give-up-payment.js');
  return withRequest(shell, key, async ({ id, reference }, { ctx, by }) => {
    const { status } = await withProgress(shell, `asking about ${reference}`, () =>
      giveUpPayment(ctx, id, { ...by, reason }),
    );
    out.result({ id, reference, status }, () => {
      out.line(`${dryRun ? 'would stop' : 'stopped'} waiting for the money of request ${id} ${reference}`);
    });
  });
}

async function renew(shell: Shell, _: object, key: string): Promise<void> {
  const { out } = shell;
  const { renewPaymentSession } = await import('../../core/payment/renew-payment-session.js');
  return withRequest(shell, key, async ({ id, reference }, { ctx, by }) => {
    const payment = await withProgress(shell, `renewing the payment link of ${reference}`, () =>
      renewPaymentSession(ctx, id, by),
    );
    if (!payment)
      return out.result({ requestId: id }, () => out.line(`would renew the payment link of request ${id}`));
    const { paymentId, paymentUrl, expiresAt } = payment;
    out.result({ requestId: id, paymentId, paymentUrl, expiresAt }, () => {
      out.line(`renewed the payment link of request ${id}: ${paymentId}`);
      out.link(`to be paid by ${out.time(expiresAt)}:`, String(paymentUrl));
    });
  });
}
