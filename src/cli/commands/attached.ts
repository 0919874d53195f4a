/** `esignctl offers …` and `troubleshootings …`: what is attached to requests (rules 6, 10). */
import { OFFERS } from '../../core/resources/offers.js';
import { TROUBLESHOOTINGS } from '../../core/resources/troubleshootings.js';
import { listCommand } from '../verb/list-command.js';
import { group } from '../verb/verb.js';

const listOffers = listCommand('offers list', OFFERS, {
  about: 'offers, the oldest first',
  examples: ['--request REQ-2026-000123', '--status sent --json', '--since 30d --csv > offers.csv'],
});

export const offers = group(
  'offers',
  { about: 'prices for requests: list', examples: ['list --status sent'] },
  [listOffers],
);

const listTroubleshootings = listCommand('troubleshootings list', TROUBLESHOOTINGS, {
  about: 'reports of trouble, the oldest first',
  examples: ['--status open', '--request REQ-2026-000123 --json'],
});

export const troubleshootings = group(
  'troubleshootings',
  { about: 'reports of trouble: list', examples: ['list --status open'] },
  [listTroubleshootings],
);
