/** What people name in a filter (rules 10). */
import { see } from '../commands.js';
import { notFound } from '../errors.js';
import { findEquipment } from '../../db/equipments/equipments.js';
import type { Data } from '../installation/data.js';
import { thingsOf } from '../history/search.js';
import { requestsByKey } from '../requests/find-requests.js';
import { getUserCalled } from '../users/users.js';
import { getWebhook } from '../webhooks/webhooks.js';
import type { RefTo } from './resource.js';

/** A user by address or number, a request or a thing by anything that names one, others by number. Throws `not_found`. */
export function named(data: Pick<Data, 'db'>, collection: RefTo, typed: string): readonly unknown[] {
  const number = /^[1-9]\d{0,14}$/.test(typed) ? Number(typed) : 0;
  switch (collection) {
    case 'users':
      return [getUserCalled(data, typed).id];
    case 'requests':
      return [requestsByKey(data, typed)[0].id];
    case 'webhooks':
      return [getWebhook(data, number).id];
    case 'things':
      return thingsOf(data.db, typed);
    case 'equipments': {
      const equipment = findEquipment(data.db, { id: number });
      if (!equipment) throw notFound('not_found', `There is no equipment ${typed}.`, see('equipments list'));
      return [equipment.id];
    }
  }
}
