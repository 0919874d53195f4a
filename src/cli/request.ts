/** The request that a command is about. */
import type { AppError } from '../core/errors.js';
import type { Data } from '../core/installation/data.js';
import { requestsByKey } from '../core/requests/find-by-key.js';
import { getRequest, wholeRequest } from '../core/requests/requests.js';
import { oneLine } from '../core/texts/plain.js';
import type { RequestRow } from '../db/schema.js';
import { choose } from './ask.js';
import type { Shell } from './io.js';

/** Which requests of a customer a command is about. */
export interface Choice {
  fits: (request: RequestRow) => boolean;
  /** The refusal when the customer has several requests and none fits. */
  none: (requests: readonly RequestRow[]) => AppError;
}

/** Throws `request_not_found`. Of several requests of a customer that fit, a person chooses one. */
export async function findRequest(
  shell: Shell,
  data: Data,
  key: string,
  choice?: Choice,
): Promise<RequestRow> {
  const all = requestsByKey(data, key);
  if (all.length === 1) return all[0];
  const found = choice ? all.filter(choice.fits) : all;
  const [only] = found;
  if (choice && !only) throw choice.none(all);
  if (only && found.length === 1) return only;
  const choices = found.map(({ id, reference, status, title }) => ({
    value: id,
    name: `${reference} ${status} ${oneLine(title)}`,
  }));
  const references = found.map(({ reference }) => reference).join(', ');
  const id = await choose(shell, `Which request of ${key}?`, choices, `Name one of them: ${references}`);
  return getRequest(data, id);
}

/** Makes an interruption report the request's state. */
export function sayStanding({ interruption }: Shell, data: Data, requestId: number): void {
  const before = standing(data, requestId);
  interruption.say(() => {
    const now = standing(data, requestId);
    return now === before ? `${now}, as before` : `${now} now`;
  });
}

function standing(data: Data, requestId: number): string {
  const { request, contracts, payments } = wholeRequest(data, getRequest(data, requestId));
  const [contract, payment] = [contracts.at(-1), payments.at(-1)];
  return [
    `${request.reference} is ${request.status}`,
    ...(contract ? [`its contract ${contract.id} ${contract.status}`] : []),
    ...(payment ? [`its payment link ${payment.status}`] : []),
  ].join(', ');
}
