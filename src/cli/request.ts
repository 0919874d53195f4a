/** The request that a command is about. */
import type { Data } from '../core/installation/data.js';
import { requestsByKey } from '../core/requests/find-by-key.js';
import { getRequest, wholeRequest } from '../core/requests/requests.js';
import { oneLine } from '../core/texts/plain.js';
import type { RequestRow } from '../db/schema.js';
import { choose } from './ask.js';
import type { Shell } from './io.js';

/** Throws `request_not_found`. Of several requests of a customer a person chooses one. */
export async function findRequest(shell: Shell, data: Data, key: string): Promise<RequestRow> {
  const found = requestsByKey(data, key);
  if (found.length === 1) return found[0];
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
