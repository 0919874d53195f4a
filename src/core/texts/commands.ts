/** The commands that texts name, as data (rules 10). A text holds `%command%` where its command is written out. */
import { command, type Command } from '../commands.js';
import type { TextKey, TextParams } from './index.js';

const reopen = ({ request = '' }: TextParams): Command => ({
  ...command('requests reopen', request),
  options: ['--reason', '…'],
});

const renew = ({ request = '' }: TextParams, ...options: string[]): Command => ({
  ...command('payments renew', request),
  options: [...options, '--reason', '…'],
});

const despitePending = (params: TextParams): Command => renew(params, '--despite-pending');

/** `pending`: how many other payments are on their way and no longer waited for. */
const decided = (params: TextParams): Command => (params['pending'] ? despitePending(params) : renew(params));

const NAMED: Partial<Record<TextKey, (params: TextParams) => Command>> = {
  'mail.run_failing.intro.digest': () => command('todo'),
  'evidence.check.text': () => command('verify'),
  provider_unavailable: () => command('doctor'),
  provider_answered: () => command('doctor'),
  provider_refuses_key: () => command('doctor'),
  provider_forbids: () => command('doctor'),
  provider_unrecognised: () => command('doctor'),
  payment_unavailable: () => command('doctor'),
  'mail.late.next': ({ request = '' }) => command('reset-signature', request),
  'finding.canceled': reopen,
  'finding.canceled_signed': reopen,
  'finding.canceled_paid': reopen,
  'finding.signed_late': ({ contract = '' }) => ({
    ...command('contracts accept-late', contract),
    options: ['--reason', '…'],
  }),
  'finding.payment_pending_long': despitePending,
  'finding.payment_pending_gone': despitePending,
  'finding.old_session_paid': decided,
  'finding.other_price': decided,
  'finding.several_payments': decided,
};

/** The command in the text of this key; undefined when it names none. */
export function commandOf(key: TextKey, params: TextParams): Command | undefined {
  return NAMED[key]?.(params);
}
