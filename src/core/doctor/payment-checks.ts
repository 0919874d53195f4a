/** What would keep customers from paying, or us from hearing of it. Reported only if there is any. */
import type { Db } from '../../db/db.js';
import { command } from '../commands.js';
import { listUnpayableStarts } from '../offers/offers.js';
import { thinSince } from '../payment/thin-events.js';
import type { Config } from '../settings/config.js';
import { failed, warning, type Check } from './check.js';

/** Of the newest requests that were not started, in each of their statuses. */
const LOOKED_AT = 1_000;
const NAMED_MAX = 5;

export function checkPayments(config: Config, db: Db): Check[] {
  return [...checkEndpoint(config, db), ...checkPrices(config, db)];
}

function checkEndpoint(config: Config, db: Db): Check[] {
  const since = thinSince(db, config);
  if (since === undefined) return [];
  const message = `since ${since} it has sent only thin events; they are rejected, because they do not say what was paid`;
  const fix =
    'In the payment provider’s console, switch the endpoint to snapshot payloads, with the events checkout.session.*.';
  return [failed('payment webhook', message, fix)];
}

function checkPrices(config: Config, db: Db): Check[] {
  const found = listUnpayableStarts({ config }, db, LOOKED_AT);
  const [first] = found;
  if (!first) return [];
  const named = found.slice(0, NAMED_MAX).map(({ reference }) => reference);
  const told = [...named, ...(found.length > NAMED_MAX ? ['…'] : [])].join(', ');
  const message = `requests that cannot be started, because the payment provider does not accept their price: ${told}`;
  return [
    warning('prices', message, ['Make other offers. This shows why: ', command('explain', first.reference)]),
  ];
}
