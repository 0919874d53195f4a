/** `esignctl history`: who did what, when and why, about anything (rules 10). */
import { HISTORY } from '../../core/resources/history.js';
import { listCommand } from '../verb/list-command.js';
import type { Verb } from '../verb/verb.js';

export function history(program: Verb): void {
  listCommand(
    program
      .command('history')
      .description(
        'who did what, when and why, the newest first: about requests, users, webhooks, settings, restores, prunes',
      ),
    HISTORY,
  ).examples(
    'history --about REQ-2026-000123',
    'history --by anna@example.org --since yesterday',
    'history --about webhook:3',
    'history --what user --json',
    'history --since 3d --csv > history.csv',
  );
}
