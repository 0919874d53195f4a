/** The price of a request: what a contract made now would cost, by what is stored; and giving it one of its own. */
import { listNewestOffers } from '../../db/requests/attached.js';
import type { Db } from '../../db/db.js';
import { requireEquipment } from '../../db/equipments/equipments.js';
import { listPrices } from '../../db/prices/prices.js';
import { listNewestInStatus, requireRequest, setRequestPrice } from '../../db/requests/requests.js';
import type { PriceRow, RequestRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { REQUEST_MOVES } from '../lifecycle.js';
import { priceFault, type Price } from '../settings/currencies.js';
import { whichPrice, type PriceSource } from './which-price.js';
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
  return priceBy(settings, db, listPrices(db), own);
}

/** The same with what was read before. */
export function priceBy({ config }: Settings, db: Db, list: readonly PriceRow[], request: RequestRow) {
  const { contractAmount, currency } = config;
  return whichPrice({
    request,
    offers: listNewestOffers(db, { requestId: request.id }),
    list,
    equipment: requireEquipment(db, { id: request.equipmentId }),
    general: { amount: contractAmount, currency },
  });
}

/** Of the newest requests that were not started, those whose price nobody can pay: it is older than the rule. */
export function listUnpayableStarts(ctx: Settings, db: Db, limit: number): RequestRow[] {
  const list = listPrices(db);
  return REQUEST_MOVES.signatureStarted.from
    .flatMap((status) => listNewestInStatus(db, { status, limit }))
    .filter((request) => priceFault(priceBy(ctx, db, list, request)) !== undefined);
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
