/** What a dry run says of a waiting job that would be tried. */
import type { Context } from '../core/context.js';
import { AppError, withHint } from '../core/errors.js';
import type { PushResult } from '../core/jobs/push.js';
import { getWaitingJob } from '../core/jobs/waiting.js';
import type { Foretold } from './batch.js';
import type { Output } from './output.js';

/** Throws the refusal of the only one; of several, it is told. */
export function foretellPush(out: Output, ctx: Context, id: number, isOnly: boolean): Foretold<PushResult> {
  try {
    const { kind, state, runAt } = getWaitingJob(ctx, id);
    return { result: { id, kind, state, error: null, runAt }, line: `would try ${id} ${kind}` };
  } catch (error) {
    if (isOnly || !(error instanceof AppError)) throw error;
    const refusal = withHint(error);
    const result = { id, kind: null, state: null, error: refusal, runAt: null };
    return { result, line: `would not try ${id}: ${out.advice(refusal)}`, isRefused: true };
  }
}
