/** What helps after the answer of a check; nothing where all is well. */
import { requireCurrentContract } from '../../db/contracts/contracts.js';
import { command, commandIn, type Advice } from '../commands.js';
import type { Context } from '../context.js';
import { isBeforeSending } from '../lifecycle.js';
import type { PaymentCheckKey, PaymentCheckResult } from '../payment/check-payment.js';
import type { CheckResult } from '../signature/check-signature.js';
import { saidParts, type TextKey } from '../texts/index.js';
import { getRequest } from './requests.js';

/** These leave the request without a contract that can be signed. */
const NEEDS_RESET: readonly TextKey[] = [
  'check_signature_not_sent',
  'check_signature_start_expired',
  'check_signature_signer_error',
  'contract_not_found',
  'no_sign_id',
  'check_signature_late',
  'contract_expired',
  'signature_not_found',
  'foreign_signature',
  'check_signature_info.expired',
];
const IS_FURTHER_ON: readonly TextKey[] = [
  'not_waiting_signature',
  'payment_creation_failed',
  'second_document',
];

export function nextAfterSignature(
  ctx: Context,
  id: number,
  { key, params, words = key }: CheckResult,
): Advice | undefined {
  const named = commandIn(saidParts(ctx.config.locale, { words, params }));
  if (named) return [named];
  if (words === 'check_signature_late') {
    const late = requireCurrentContract(ctx.db, { requestId: id });
    const accept = { ...command('contracts accept-late', late.id), reason: '…' };
    const reset = command('reset-signature', id);
    return [accept, ' accepts it, ', reset, ' sends a new contract'];
  }
  const again = isBeforeSending(getRequest(ctx, id)) ? 'start-signature' : 'reset-signature';
  if (NEEDS_RESET.includes(words)) return [command(again, id)];
  return IS_FURTHER_ON.includes(words) ? [command('explain', id)] : undefined;
}

/** After these the customer has no payment link. */
const NEEDS_RENEWAL: readonly PaymentCheckKey[] = [
  'check_payment_info.expired',
  'no_payment_session',
  'payment_session_not_found',
];

export function nextAfterPayment(id: number, { key }: PaymentCheckResult): Advice | undefined {
  if (key === 'old_session_paid' || key === 'not_waiting_payment') return [command('explain', id)];
  return NEEDS_RENEWAL.includes(key) ? [command('payments renew', id)] : undefined;
}
