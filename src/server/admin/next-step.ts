/** The button of the back office that does what an advised command does. */
import type { Command } from '../../core/commands.js';
import type { RequestAction } from '../../core/requests/allowed-actions.js';

const ACTIONS: Partial<Record<Command['name'], RequestAction>> = {
  'start-signature': 'start-signature',
  'reset-signature': 'reset-signature',
  'check-signature': 'check-signature',
  'contracts accept-late': 'accept-late',
  'payments check': 'check-payment',
  'payments renew': 'renew-payment',
  'payments give-up': 'give-up-payment',
  'requests complete': 'complete',
  'requests remind': 'remind',
  'requests reopen': 'reopen',
  'requests settle': 'settle',
};

/** Undefined when only the command line can do it. */
export function actionOf({ name }: Command): RequestAction | undefined {
  return ACTIONS[name];
}

/** Where it leads. The check's address is public (rules 4). */
export function pathOfAction(requestId: number, action: RequestAction): string {
  return action === 'check-signature'
    ? `/check_signature/request/${requestId}`
    : `/admin/requests/${requestId}/${action}`;
}
