/** The JSON documents of rows: the API's fields, with times as stored. */
import type { WholeRequest } from '../core/requests/requests.js';
import { rolesOf, type UserRow } from '../core/users/rights.js';
import type { DeliveryView } from '../core/webhooks/deliveries.js';
import type { ListedWebhook } from '../core/webhooks/webhooks.js';
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

/** Without the secret. */
export function webhookDocument(webhook: Omit<ListedWebhook, 'owner'>) {
  const { id, url, event, active, disabledReason, failures, failingSince, createdAt } = webhook;
  return { id, url, event, active: active === 1, disabledReason, failures, failingSince, createdAt };
}

export function deliveryDocument({ delivery, attempts, nextTryAt }: DeliveryView) {
  const { id, webhookId, event, messageId, state, createdAt, finishedAt } = delivery;
  return {
    id,
    webhookId,
    event,
    messageId,
    state,
    attempts: attempts.length,
    lastOutcome: attempts.at(-1)?.outcome ?? null,
    createdAt,
    finishedAt,
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
