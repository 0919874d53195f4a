/** Runs `esignctl check-signature <request>`. */
import type { Context } from '../../core/context.js';
import { checkSignature, type CheckKey } from '../../core/signature/check-signature.js';
import { isBeforeSending } from '../../core/lifecycle.js';
import { findLateContract } from '../../core/signature/late-signature.js';
import { getRequest } from '../../core/requests/get-request.js';
import { text } from '../../core/texts/index.js';
import { exitOfCheck, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import type { RequestArgument } from '../options.js';
import { withProgress } from '../progress.js';
import { withSession } from '../session.js';
import { findRequest } from './requests.js';
import { sayStanding } from './standing.js';
import { DRY_RUN_NOTE } from './words.js';

/** What helps after an answer that leaves the request without a contract to sign. */
const NEEDS_RESET: readonly CheckKey[] = [
  'contract_not_found',
  'no_sign_id',
  'contract_expired',
  'signature_not_found',
  'foreign_signature',
  'check_signature_info.expired',
];

function hintAfter(key: CheckKey, ctx: Context, id: number): string | undefined {
  const late = key === 'contract_expired' ? findLateContract(ctx.db, id) : undefined;
  if (late) {
    const accept = `esignctl contracts accept-late ${late.id} --reason "…"`;
    return `signed too late: ${accept} accepts it, esignctl reset-signature ${id} sends a new contract`;
  }
  const again = isBeforeSending(getRequest(ctx, id)) ? 'start-signature' : 'reset-signature';
  if (NEEDS_RESET.includes(key)) return `esignctl ${again} ${id}`;
  const isFurtherOn = key === 'not_waiting_signature' || key === 'payment_creation_failed';
  return isFurtherOn ? `esignctl explain ${id}` : undefined;
}

export function checkOne(
  shell: Shell,
  { request, dryRun = false, reason }: ChangeFlags & { request: RequestArgument },
): Promise<ExitCode> {
  return withSession(shell, async ({ ctx, actor }) => {
    const { id, reference } = findRequest(ctx, request);
    sayStanding(shell, ctx, id);
    const {
      type,
      key,
      params,
      words = key,
    } = await withProgress(shell, `asking about ${reference}`, () =>
      checkSignature(ctx, id, { actor, dryRun, reason }),
    );
    const message = text(ctx.config.locale, words, params);
    const exit = exitOfCheck({ type, key });
    const hint = hintAfter(key, ctx, id);
    const document = { type, key, params, message, ...(dryRun && { dryRun }) };
    shell.out.result(document, () => {
      if (type !== 'error') shell.out.line(`${key}: ${message}`);
    });
    if (type === 'error') shell.out.fault({ code: key, message, hint, exit });
    else if (hint) shell.out.note(`hint: ${hint}`);
    if (dryRun) shell.out.note(DRY_RUN_NOTE);
    return exit;
  });
}
