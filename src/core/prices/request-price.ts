/** The price of a request: what a contract made now would cost, by what is stored; and giving it one of its own. */
import { listOffersOfRequests } from '../../db/requests/attached.js';
import type { Db } from '../../db/db.js';
import { listEquipmentsByIds } from '../../db/equipments/equipments.js';
import { listPrices } from '../../db/prices/prices.js';
import { listNewestInStatus, requireRequest, setRequestPrice } from '../../db/requests/requests.js';
import type { EquipmentRow, RequestRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { REQUEST_MOVES } from '../lifecycle.js';
import { priceFault, type Price } from '../settings/currencies.js';
import { priceListOf, whichPrice, type PriceList, type PriceSource } from './which-price.js';
import type { Change } from '../change.js';
import { ofRequest } from '../history/history.js';

type Settings = Pick<Context, 'config'>;

/** Of a contract made now. `amount`: as if the request had that price of its own. */
export function priceOf(
  settings: Settings,
  db: Db,
  requestId: number,
  amount?: number,
): Price & { source: PriceSource } {
  const request = requireRequest(db, { id: requestId });
  const { currency } = settings.config;
  const own = amount === undefined ? request : { ...request, amount, currency };
  return pricesOf(settings, db, readPriceList(db), [own])(own);
}

export function readPriceList(db: Db): PriceList {
  return priceListOf(listPrices(db));
}

/** The same of each of these, which are read together. */
export function pricesOf({ config }: Settings, db: Db, list: PriceList, requests: readonly RequestRow[]) {
  const general = { amount: config.contractAmount, currency: config.currency };
  const ids = [...new Set(requests.map(({ equipmentId }) => equipmentId))];
  const equipments = new Map(listEquipmentsByIds(db, { ids }).map((equipment) => [equipment.id, equipment]));
  const offers = listOffersOfRequests(db, { requestIds: requests.map(({ id }) => id) });
  const offersOf = Map.groupBy(offers, ({ requestId }) => requestId);
  return (request: RequestRow) => {
    const equipment = equipments.get(request.equipmentId) as EquipmentRow;
    return whichPrice({ request, offers: offersOf.get(request.id) ?? [], list, equipment, general });
  };
}

/** Of the newest requests that were not started, those whose price nobody can pay: it is older than the rule. */
export function listUnpayableStarts(ctx: Settings, db: Db, limit: number): RequestRow[] {
  const newest = REQUEST_MOVES.signatureStarted.from.flatMap((status) =>
    listNewestInStatus(db, { status, limit }),
  );
  const priceNow = pricesOf(ctx, db, readPriceList(db), newest);
  return newest.filter((request) => priceFault(priceNow(request)) !== undefined);
}

/** Null: from now on it has none. Said twice, it changes nothing. */
export function priceRequest(tx: Change, id: number, price: Price | null): void {
  const { db, now } = tx;
  const before = requireRequest(db, { id });
  const { amount, currency } = price ?? { amount: null, currency: null };
  if (before.amount === amount && before.currency === currency) return;
  setRequestPrice(db, { id, amount, currency, now });
  tx.record('request.priced', ofRequest(id), { amount, currency, reason: tx.reason });
}
