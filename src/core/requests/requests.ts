/** Requests (spec 2, 4.3): create, get, list, as the user who asks may see them. */
import type { Db } from '../../db/db.js';
import { listNewestContractIds } from '../../db/contract-lists.js';
import { findEquipment } from '../../db/equipments.js';
import { listRequests as listRequestRows, type RequestFilter } from '../../db/request-lists.js';
import { findRequest, insertRequest } from '../../db/requests.js';
import type { RequestRow, UserRow } from '../../db/schema.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { invalid, notFound } from '../errors.js';
import { publishEvent } from '../events.js';
import { record } from '../history.js';
import type { Keep } from '../idempotency.js';
import { choice, words } from '../input.js';
import { REQUEST_STATUSES } from '../lifecycle.js';
import type { Listing, Order, PageOf } from '../listing.js';
import { actorOf, maySee, ownerScope } from '../users/rights.js';

/** What a caller may ask for; whose requests it gets is not its choice. */
export interface RequestsAsked extends PageOf {
  filter: Omit<RequestFilter, 'ownerId'>;
  /** Oldest first when it names none. */
  order?: Order<'createdAt'> | undefined;
}

export const REQUEST_FIELDS = {
  title: words({ lengthMax: 255 }).meta({
    description: 'What is wrong, in a line',
    examples: ['Boiler is cold'],
  }),
  description: words({ lengthMax: 5_000, isMultiline: true }).meta({
    examples: ['No warm water since Monday.'],
  }),
};

/** A status in any letter case. */
export const REQUEST_STATUS = choice(REQUEST_STATUSES);

export interface RequestInput {
  title: string;
  description: string;
  equipmentId: number;
}

/** A request with the id of the contract that counts, if it has one. */
export interface RequestView {
  request: RequestRow;
  contractId: number | undefined;
}

/** The new request. It belongs to the owner of the equipment, who is the customer also when an administrator enters it. */
export function createRequest(
  ctx: Context,
  user: UserRow,
  input: RequestInput,
  keep?: Keep<RequestView>,
): Promise<RequestView> {
  const now = iso(ctx.clock.now());
  return ctx.writer.write((db) => {
    const equipment = findEquipment(db, input.equipmentId);
    if (!equipment || !maySee(user, equipment.ownerId)) {
      throw invalid({ equipment: 'There is no such equipment.' });
    }
    const request = insertRequest(db, {
      ownerId: equipment.ownerId,
      equipmentId: equipment.id,
      title: input.title,
      description: input.description,
      status: 'new',
      now,
    });
    record(db, { at: now, actor: actorOf(user), what: 'request.created', requestId: request.id });
    publishEvent(db, { event: 'request.created', about: request, now });
    const made = { request, contractId: undefined };
    keep?.(db, made);
    return made;
  });
}

/** Throws `not_found` for one that is not there, and for one of somebody else. */
export function getRequestOf({ db }: Pick<Context, 'db'>, user: UserRow, id: number): RequestView {
  const request = findRequest(db, id);
  if (!request || !maySee(user, request.ownerId)) throw notFound('not_found', 'Not Found');
  return withContract(db, [request])[0] as RequestView;
}

export function listRequests(ctx: Context, user: UserRow, asked: RequestsAsked): Listing<RequestView> {
  const filter = { ...asked.filter, ownerId: ownerScope(user) };
  const { limit, offset, order } = asked;
  const page = { filter, direction: order?.direction ?? 'asc', limit, offset } as const;
  const { total, rows } = listRequestRows(ctx.db, page);
  return { total, rows: withContract(ctx.db, rows) };
}

function withContract(db: Db, rows: RequestRow[]): RequestView[] {
  const contractIds = listNewestContractIds(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((request) => ({ request, contractId: contractIds.get(request.id) }));
}
