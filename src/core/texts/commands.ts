/** The commands that texts always name as `%command%` (rules 10). Other texts get theirs as a parameter. */
import type { Command } from '../commands.js';
import type { TextKey } from './index.js';

export const NAMED: Partial<Record<TextKey, Command['name']>> = {
  'admin.held': 'takeover',
  'mail.run_failing.intro.digest': 'todo',
  'evidence.check.text': 'verify',
  provider_unavailable: 'doctor',
  provider_answered: 'doctor',
  provider_refuses_key: 'doctor',
  provider_forbids: 'doctor',
  provider_unrecognised: 'doctor',
  payment_unavailable: 'doctor',
};
