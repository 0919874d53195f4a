/** The JSON documents of rows: the API's fields, with times as stored. */
import type { Data } from '../core/installation/data.js';
import type { WholeRequest } from '../core/requests/requests.js';
import { rolesOf, type UserRow } from '../core/users/rights.js';
import { sayIn } from '../core/texts/index.js';
import type { DeliveryView } from '../core/webhooks/deliveries.js';
import { lastSuccessOf, type ListedWebhook } from '../core/webhooks/webhooks.js';
import { outcomeWords } from '../core/webhooks/outcome-words.js';
import { sentBody } from '../core/webhooks/signatures.js';
import type { ContractRow } from '../db/schema.js';

export function requestDocument({ request, customer, contracts, payments }: WholeRequest) {
  const {
    id,
    reference,
    title,
    description,
    status,
    equipmentId,
    paymentId,
    paymentUrl,
    createdAt,
    updatedAt,
  } = request;
  return {
    id,
    reference,
    title,
    description,
    status,
    customer: customer.username,
    equipmentId,
    paymentId,
    paymentUrl,
    createdAt,
    updatedAt,
    contracts: contracts.map(contractDocument),
    payments: payments.map((payment) => ({
      paymentId: payment.paymentId,
      contractId: payment.contractId,
      status: payment.status,
      amount: payment.amount,
      currency: payment.currency,
      createdAt: payment.createdAt,
      expiresAt: payment.expiresAt,
      pendingSince: payment.pendingSince,
      paidAt: payment.paidAt,
    })),
  };
}

export function contractDocument(contract: ContractRow) {
  const { id, requestId, status, signId, signUrl, amount, currency, createdAt, expiredAt, signedAt } =
    contract;
  return { id, requestId, status, signId, signUrl, amount, currency, createdAt, expiredAt, signedAt };
}

export function userDocument(user: UserRow) {
  const { id, username, firstName, lastName, phone, createdAt } = user;
  return {
    id,
    username,
    firstName,
    lastName,
    phone,
    roles: rolesOf(user),
    enabled: user.enabled === 1,
    createdAt,
  };
}

/** Without the secret; the last error in words. */
export function webhookDocument(data: Pick<Data, 'db' | 'config'>, webhook: Omit<ListedWebhook, 'owner'>) {
  const {
    id,
    url,
    event,
    active,
    disabledReason,
    failures,
    failingSince,
    lastError,
    lastErrorAt,
    createdAt,
  } = webhook;
  return {
    id,
    url,
    event,
    active: active === 1,
    disabledReason,
    failures,
    failingSince,
    lastSuccessAt: lastSuccessOf(data, webhook),
    lastError: inWords(data, lastError),
    lastErrorAt,
    createdAt,
  };
}

function inWords({ config }: Pick<Data, 'config'>, outcome: string | null): string | null {
  return outcome === null ? null : outcomeWords(sayIn(config.locale), outcome);
}

export function deliveryDocument(
  data: Pick<Data, 'config'>,
  { delivery, attempts, nextTryAt, error }: DeliveryView,
) {
  const { id, webhookId, event, requestId, messageId, state, createdAt, finishedAt } = delivery;
  return {
    id,
    webhookId,
    event,
    requestId,
    messageId,
    state,
    attempts: attempts.length,
    lastOutcome: attempts.at(-1)?.outcome ?? null,
    lastError: inWords(data, error),
    createdAt,
    finishedAt,
    nextTryAt,
  };
}

/** With its bytes, and the log instead of the number of attempts. */
export function wholeDelivery(data: Pick<Data, 'config'>, view: DeliveryView) {
  return {
    ...deliveryDocument(data, view),
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
