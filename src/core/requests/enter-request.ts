/** A request is entered (rules 1, 6): by its customer, or by an administrator for a customer. */
import { z } from 'zod';
import { findEquipment } from '../../db/equipments/equipments.js';
import { insertRequest, requireRequest } from '../../db/requests/requests.js';
import { requireUser } from '../../db/users/users.js';
import { parseInput, words } from '../calls/input.js';
import { createOne } from '../calls/owned.js';
import { attempt, type Change, type Try } from '../change.js';
import type { Context } from '../context.js';
import { addEquipment, EQUIPMENT_FIELDS, type EquipmentInput } from '../equipments/equipments.js';
import { invalid } from '../errors.js';
import { ofRequest } from '../history/history.js';
import { payable } from '../payment/price.js';
import { priceRequest } from '../prices/request-price.js';
import { typedMoney } from '../prices/typed-money.js';
import { isAdmin, maySee } from '../users/rights.js';
import { mustNotBeErased } from '../users/users.js';
import { viewOf, type RequestView } from './requests.js';

export interface RequestInput {
  title: string;
  description: string;
  equipmentId: number;
  /** The customer whom an administrator names: the equipment must be theirs. */
  ownerId?: number | undefined;
  /** Its price, in minor units. Only from an administrator. */
  amount?: number | undefined;
}

/** With its price as somebody types it. */
interface TypedRequest extends Omit<RequestInput, 'amount'> {
  amount?: string | undefined;
}

/** What somebody types of a request, by its rules. */
export const REQUEST_WORDS = {
  title: words({ lengthMax: 255 }).meta({
    description: 'What is wrong, in a line',
    examples: ['Boiler is cold'],
  }),
  description: words({ lengthMax: 5_000, isMultiline: true }).meta({
    examples: ['No hot water since Monday.'],
  }),
};

/**
 * Creates a request. It belongs to the owner of the equipment, who is the customer even when an administrator enters
 * it.
 */
export const createRequest = createOne<RequestView, RequestInput>((tx, user, input, ctx) => {
  const equipment = findEquipment(tx.db, { id: input.equipmentId });
  if (!equipment || !maySee(user, equipment.ownerId)) throw noEquipment();
  return addRequest(ctx, tx, isAdmin(user) ? input : { ...input, amount: undefined, ownerId: undefined });
});

/** At the command line and on pages: what an administrator enters for a customer. */
export function enterRequest(ctx: Context, typed: TypedRequest, by: Try): Promise<RequestView> {
  const { equipmentId, ownerId } = typed;
  const input = parseInput(z.object(typedFields(ctx)), typed);
  return attempt(ctx, by, (tx) => addRequest(ctx, tx, { ...input, equipmentId, ownerId }));
}

/** The same with an equipment that is new too: both or neither. */
export function enterWithEquipment(
  ctx: Context,
  typed: Omit<TypedRequest, 'equipmentId'> & EquipmentInput & { ownerId: number },
  by: Try,
): Promise<RequestView> {
  const { ownerId } = typed;
  const input = parseInput(z.object({ ...EQUIPMENT_FIELDS, ...typedFields(ctx) }), typed);
  return attempt(ctx, by, (tx) => {
    const { id: equipmentId } = addEquipment(tx, { ...input, ownerId });
    return addRequest(ctx, tx, { ...input, equipmentId });
  });
}

/** What an administrator types of it. */
export function typedFields({ config }: Pick<Context, 'config'>) {
  return { ...REQUEST_WORDS, amount: typedMoney(config).optional() };
}

export function addRequest(
  { config }: Pick<Context, 'config'>,
  tx: Change,
  { equipmentId, title, description, ownerId: named, amount }: RequestInput,
): RequestView {
  const { db, now } = tx;
  const equipment = findEquipment(db, { id: equipmentId });
  if (!equipment) throw noEquipment();
  const { ownerId } = equipment;
  mustNotBeErased(requireUser(db, { id: ownerId }));
  if (named !== undefined && named !== ownerId) throw othersEquipment();
  const request = insertRequest(db, { ownerId, equipmentId, title, description, status: 'new', now });
  tx.record('request.created', ofRequest(request.id), { reason: tx.reason });
  if (amount !== undefined)
    priceRequest(tx, request.id, payable({ amount, currency: config.currency }, config.locale));
  tx.publish('request.created', request);
  return viewOf(db, requireRequest(db, request));
}

export function noEquipment() {
  return invalid({ equipment: 'There is no such equipment.' });
}

export function othersEquipment() {
  return invalid({ equipment: 'This equipment belongs to another customer.' });
}
