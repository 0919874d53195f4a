/** The JSON documents of rows: the API's fields, with times as stored. */
import type { Data } from '../../core/installation/data.js';
import { pick } from '../../core/pick.js';
import { documentOf } from '../../core/resources/show.js';
import { USERS } from '../../core/resources/users.js';
import { WEBHOOKS } from '../../core/resources/webhooks.js';
import type { WholeRequest } from '../../core/requests/requests.js';
import type { UserRow } from '../../core/users/rights.js';
import { sayIn } from '../../core/texts/index.js';
import type { DeliveryView } from '../../core/webhooks/deliveries.js';
import { lastSuccessOf, type WebhookRow } from '../../core/webhooks/webhooks.js';
import { outcomeWords } from '../../core/webhooks/outcome-words.js';
import { sentBody } from '../../core/webhooks/signatures.js';
import type { ContractRow } from '../../core/rows.js';
import { fullName } from '../../core/users/names.js';

export function requestDocument({ request, customer, contracts, payments }: WholeRequest) {
  return {
    ...pick(request, 'id', 'reference', 'title', 'description', 'status'),
    customer: customer.username,
    customerName: fullName(customer),
    ...pick(request, 'equipmentId', 'paymentId', 'paymentUrl', 'createdAt', 'updatedAt'),
    contracts: contracts.map(contractDocument),
    payments: payments.map((payment) => ({
      ...pick(payment, 'paymentId', 'contractId', 'state', 'amount', 'currency'),
      ...pick(payment, 'createdAt', 'expiresAt', 'pendingSince', 'paidAt'),
    })),
  };
}

export function contractDocument(contract: ContractRow) {
  return {
    ...pick(contract, 'id', 'requestId', 'status', 'signId', 'signUrl', 'amount', 'currency'),
    ...pick(contract, 'createdAt', 'expiredAt', 'signedAt'),
  };
}

/** No member of it depends on the reader. */
export function userDocument(user: UserRow) {
  const document = documentOf(USERS, user, { locale: 'en', timeZone: 'UTC' });
  return { ...document, username: user.username };
}

/** The last error in words. */
export function webhookDocument(data: Pick<Data, 'db' | 'config'>, webhook: WebhookRow) {
  const row = { ...webhook, owner: '', lastSuccessAt: lastSuccessOf(data, webhook) };
  const { owner: _, ...document } = documentOf(WEBHOOKS, row, { locale: 'en', timeZone: 'UTC' });
  return document;
}

function inWords(outcome: string | null): string | null {
  return outcome === null ? null : outcomeWords(sayIn('en'), outcome);
}

export function deliveryDocument({ delivery, attempts, nextTryAt, error }: DeliveryView) {
  return {
    ...pick(delivery, 'id', 'webhookId', 'event', 'requestId', 'messageId', 'state'),
    attempts: attempts.length,
    lastOutcome: attempts.at(-1)?.outcome ?? null,
    lastError: inWords(error),
    ...pick(delivery, 'createdAt', 'finishedAt'),
    nextTryAt,
  };
}

/** With its bytes, and the log instead of the number of attempts. */
export function wholeDelivery(view: DeliveryView) {
  return {
    ...deliveryDocument(view),
    body: sentBody(view.delivery),
    attempts: view.attempts.map(({ at, ms, url, outcome, status, headers, answer }) => ({
      at,
      ms,
      url,
      outcome,
      status,
      headers: headers === null ? null : JSON.parse(headers),
      answer,
    })),
  };
}
