/** Runs `esignctl payments renew`. */
import { renewPaymentSession } from '../../core/payment/renew-payment-session.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import type { RequestArgument } from '../options.js';
import { withProgress } from '../progress.js';
import { withSession } from '../session.js';
import { findRequest } from './requests.js';
import { sayStanding } from './standing.js';
import { DRY_RUN_NOTE } from './words.js';

export function renewCommand(
  shell: Shell,
  {
    request,
    dryRun = false,
    reason,
    despitePending = false,
  }: ChangeFlags & { request: RequestArgument; despitePending?: boolean },
): Promise<ExitCode> {
  return withSession(shell, async ({ ctx, actor }) => {
    const { out } = shell;
    const { id, reference } = findRequest(ctx, request);
    sayStanding(shell, ctx, id);
    const payment = await withProgress(shell, `renewing the payment link of ${reference}`, () =>
      renewPaymentSession(ctx, id, { actor, dryRun, reason, despitePending }),
    );
    if (!payment) {
      out.result({ requestId: id, dryRun: true }, () =>
        out.line(`would renew the payment link of request ${id}`),
      );
      out.note(DRY_RUN_NOTE);
      return EXIT.done;
    }
    const { paymentId, paymentUrl, expiresAt } = payment;
    out.result({ requestId: id, paymentId, paymentUrl, expiresAt }, () => {
      out.line(`renewed the payment link of request ${id}: ${paymentId}`);
      out.line(`to be paid by ${out.time(expiresAt)}: ${paymentUrl}`);
    });
    return EXIT.done;
  });
}
