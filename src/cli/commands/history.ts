/** `esignctl history`: who did what, when and why, about anything (rules 10). */
import { HISTORY } from '../../core/resources/history.js';
import { listCommand } from '../verb/list-command.js';

export const history = listCommand('history', HISTORY, {
  about:
    'who did what, when and why, the newest first: about requests, users, webhooks, settings, restores, prunes',
  examples: [
    '--about REQ-2026-000123',
    '--by anna@example.org --since yesterday',
    '--about webhook:3',
    '--what user --json',
    '--since 3d --csv > history.csv',
  ],
});
