/** What somebody hears who interrupts a command about one request: how it stands here then. */
import type { Data } from '../../core/data.js';
import { getRequest } from '../../core/requests/get-request.js';
import { wholeRequest } from '../../core/requests/operator-requests.js';
import type { Shell } from '../io.js';

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
