import type { Context } from '../../src/core/context.js';
import { openActs } from '../../src/core/requests/before-act.js';
import type { RequestRow } from '../../src/core/rows.js';

/** The names of the acts that are open, in the order of a request's life. */
export function openActNames(ctx: Context, request: RequestRow): string[] {
  return openActs(ctx, request).map(({ name }) => name);
}
