/** The JSON documents of rows: the API's fields, with times as stored. */
import type { Data } from '../../core/installation/data.js';
import { pick } from '../../core/pick.js';
import { CONTRACTS } from '../../core/resources/contracts.js';
import { DELIVERIES } from '../../core/resources/deliveries.js';
import { PAYMENTS } from '../../core/resources/payments.js';
import { documentOf } from '../../core/resources/show.js';
import { USERS } from '../../core/resources/users.js';
import { WEBHOOKS } from '../../core/resources/webhooks.js';
import { contractView } from '../../core/contracts/list-contracts.js';
import type { WholeRequest } from '../../core/requests/requests.js';
import type { UserRow } from '../../core/users/rights.js';
import type { DeliveryView } from '../../core/webhooks/deliveries.js';
import type { ShownWebhook } from '../../core/webhooks/webhooks.js';
import { sentBody } from '../../core/webhooks/signatures.js';
import type { ContractRow } from '../../core/rows.js';
import { fullName, nameOrAddress } from '../../core/users/names.js';

/** No member depends on the reader, except that errors are told in English. */
const READER = { locale: 'en', timeZone: 'UTC' } as const;

export function requestDocument({ request, customer: user, contracts, payments, renewal }: WholeRequest) {
  const customer = nameOrAddress(user);
  return {
    ...pick(request, 'id', 'reference', 'title', 'description', 'status'),
    customer: user.username,
    customerName: fullName(user),
    ...pick(request, 'equipmentId', 'amount', 'currency'),
    ...pick(request, 'paymentId', 'paymentUrl', 'createdAt', 'updatedAt', 'renewsId'),
    renewedById: renewal?.id ?? null,
    contracts: contracts.map((contract) => documentOf(CONTRACTS, { ...contract, customer }, READER)),
    payments: payments.map((payment) =>
      documentOf(PAYMENTS, { ...payment, requestId: request.id, customer }, READER),
    ),
  };
}

export function contractDocument({ db }: Pick<Data, 'db'>, contract: ContractRow) {
  return documentOf(CONTRACTS, contractView(db, contract), READER);
}

export function userDocument(user: UserRow) {
  const document = documentOf(USERS, user, READER);
  return { ...document, username: user.username };
}

/** The last error in words. */
export function webhookDocument(webhook: ShownWebhook) {
  return documentOf(WEBHOOKS, webhook, READER);
}

/** With its bytes, and the log instead of the number of attempts. */
export function wholeDelivery(view: DeliveryView) {
  return {
    ...documentOf(DELIVERIES, view, READER),
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
