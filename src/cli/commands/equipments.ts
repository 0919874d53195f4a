/** `esignctl equipments …`: what is maintained (rules 6, 10). */
import { EQUIPMENTS } from '../../core/resources/equipments.js';
import { listCommand } from '../verb/list-command.js';
import { group } from '../verb/verb.js';

const list = listCommand('equipments list', EQUIPMENTS, {
  about: 'equipments with their owners',
  examples: ['--owner anna@example.org', '--serial-number SN-4711 --json', '--csv > equipments.csv'],
});

export const equipments = group(
  'equipments',
  { about: 'what is maintained: list', examples: ['list --owner anna@example.org'] },
  [list],
);
