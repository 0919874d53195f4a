/** `esignctl equipments …` (rules 6, 10). */
import type { EquipmentRow } from '../../core/equipments/equipments.js';
import { EQUIPMENTS } from '../../core/resources/equipments.js';
import type { Shell } from '../io.js';
import { listCommand } from '../verb/list-command.js';
import { asText, param, required } from '../verb/params.js';
import { mustChange } from '../verb/usage-error.js';
import { group, verb } from '../verb/verb.js';

export const EQUIPMENT = param('number or serial number of the equipment', asText);

const list = listCommand('equipments list', EQUIPMENTS, {
  about: 'equipment with its owners',
  examples: ['--owner anna@example.org', '--serial-number SN-4711 --json', '--csv > equipments.csv'],
});

const FIELDS = {
  name: param('what it is, such as Boiler', String, { word: 'words' }),
  model: param('its model', String),
  serialNumber: param('its serial number, of which a customer has one only once', String, { word: 'text' }),
};

const create = verb('equipments create', {
  about: 'add a piece of equipment for a customer',
  options: {
    owner: required(
      param('the customer: e-mail address or number', asText, { word: 'user', offers: 'users' }),
    ),
    name: required(FIELDS.name),
    model: required(FIELDS.model),
    serialNumber: required(FIELDS.serialNumber),
  },
  changes: true,
  examples: ['--owner anna@example.org --name Boiler --model B-200 --serial-number SN-4711'],
  async act(shell, { owner, ...typed }) {
    const { enterEquipment } = await import('../../core/equipments/equipments.js');
    const { getUserCalled } = await import('../../core/users/users.js');
    const { ctx, by } = shell;
    const { id: ownerId, username } = getUserCalled(ctx, owner);
    const row = await enterEquipment(ctx, { ...typed, ownerId }, by);
    told(shell, row, { did: 'created', would: 'would create', of: ` of ${username}` });
  },
});

const edit = verb('equipments edit', {
  about: 'correct name, model or serial number of a piece of equipment',
  args: { equipment: EQUIPMENT },
  options: FIELDS,
  changes: true,
  examples: ['SN-4711 --model B-300', '12 --serial-number SN-4712 --dry-run'],
  check: (_, given) => mustChange(given, Object.keys(FIELDS)),
  async act(shell, { equipment, ...typed }) {
    const { editEquipment } = await import('../../core/equipments/equipments.js');
    const { equipmentCalled } = await import('../../core/equipments/equipment-called.js');
    const { ctx, by } = shell;
    const row = await editEquipment(ctx, equipmentCalled(ctx, equipment).id, typed, by);
    told(shell, row, { did: 'changed', would: 'would change', of: '' });
  },
});

function told(
  { out, dryRun }: Shell,
  { id, ownerId, name, model, serialNumber, createdAt, updatedAt }: EquipmentRow,
  { did, would, of }: Record<'did' | 'would' | 'of', string>,
): void {
  out.result({ id, ownerId, name, model, serialNumber, createdAt, updatedAt }, () => {
    const what = dryRun && did === 'created' ? 'equipment' : `equipment ${id}`;
    out.line(`${dryRun ? would : did} ${what}${of}: ${name}, ${model}, ${serialNumber}`);
  });
}

export const equipments = group(
  'equipments',
  { about: 'what is maintained: list, create, edit', examples: ['list --owner anna@example.org'] },
  [list, create, edit],
);
