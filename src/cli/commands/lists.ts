/** What has a list and nothing else: `esignctl troubleshootings …` and `history` (rules 6, 10). */
import { TROUBLESHOOTINGS } from '../../core/resources/troubleshootings.js';
import { listCommand } from '../verb/list-command.js';
import { group } from '../verb/verb.js';
import { HISTORY } from '../../core/resources/history.js';

const listTroubleshootings = listCommand('troubleshootings list', TROUBLESHOOTINGS, {
  about: 'reports of trouble, the oldest first',
  examples: ['--status open', '--request REQ-2026-000123 --json'],
});

export const troubleshootings = group(
  'troubleshootings',
  { about: 'reports of trouble: list', examples: ['list --status open'] },
  [listTroubleshootings],
);

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
