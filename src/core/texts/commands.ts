/** The commands that texts name, as data (rules 10). A text holds `%command%` where its command is written out. */
import { command, type Command } from '../commands.js';
import type { TextKey, TextParams } from './index.js';

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
};

/** The command in the text of this key; undefined when it names none. */
export function commandOf(key: TextKey, params: TextParams): Command | undefined {
  return NAMED[key]?.(params);
}
