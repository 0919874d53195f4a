/** What a dry run says of a delivery that would be sent again. */
import type { Context } from '../core/context.js';
import { AppError, withHint } from '../core/errors.js';
import { getResendable, type Redelivery } from '../core/webhooks/deliveries.js';
import type { Foretold } from './batch.js';
import type { Output } from './output.js';

/** Throws the refusal of the only one; of several, it is told. */
export function foretellOne(out: Output, ctx: Context, id: number, isOnly: boolean): Foretold<Redelivery> {
  try {
    const { delivery, webhook } = getResendable(ctx, id);
    const result = { id, state: delivery.state, outcome: null, nextTryAt: null };
    return { result, line: `would send ${id} ${delivery.event} to ${webhook.url}` };
  } catch (error) {
    if (isOnly || !(error instanceof AppError)) throw error;
    const outcome = withHint(error);
    const result = { id, state: null, outcome, nextTryAt: null };
    return { result, line: `would not send ${id}: ${out.advice(outcome)}`, isRefused: true };
  }
}
