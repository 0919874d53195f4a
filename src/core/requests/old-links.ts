/**
 * What becomes of the links that a customer has by mail, told to the office before it acts (rules 10): sentences in the
 * language of the settings, which name the customer.
 */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import type { ContractRow, RequestRow, UserRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import type { Context } from '../context.js';
import { historyOf } from '../history/history.js';
import { isBeforeSending } from '../lifecycle.js';
import { ourPayments, shownPayment } from '../payment/our-payments.js';
import { formatDay } from '../texts/format.js';
import { text, type TextKey } from '../texts/index.js';

const LINK_ACTIONS = ['start-signature', 'reset-signature', 'cancel', 'complete', 'reopen'] as const;

export type LinkAction = (typeof LINK_ACTIONS)[number];

export function isLinkAction(action: string): action is LinkAction {
  return (LINK_ACTIONS as readonly string[]).includes(action);
}

/** None for an action that touches no link. */
export function fateOfLinks(ctx: Context, request: RequestRow, action: LinkAction): string[] {
  const { db, config } = ctx;
  const contract = findCurrentContract(db, { requestId: request.id });
  const signAt = contract && signLinkMailedAt(db, contract);
  const payAt = payLinkMailedAt(db, request, contract);
  const isOpen = contract?.status === 'PENDING';
  const customer = nameOf(requireUser(db, { id: request.ownerId }));
  const say = (key: TextKey, at = '') =>
    text(config.locale, key, { customer, date: at && formatDay(config, at) });
  switch (action) {
    case 'start-signature':
    case 'reset-signature':
      // A start that was interrupted goes on with its contract.
      if (!signAt || (isOpen && action === 'start-signature')) return [say('links.sign_new')];
      return [say(isOpen ? 'links.sign_replaced' : 'links.sign_over', signAt)];
    case 'cancel':
      if (payAt) return [say('links.pay_ends', payAt)];
      return signAt && isOpen ? [say('links.sign_ends', signAt)] : [];
    case 'complete':
      return payAt ? [say('links.pay_done', payAt)] : [];
    case 'reopen':
      return signAt ? [say('links.none_revives')] : [];
  }
}

/** Whether a start sends a contract in the place of one that is over. */
export function startsAgain({ db }: Context, request: RequestRow): boolean {
  return isBeforeSending(request) && findCurrentContract(db, { requestId: request.id })?.status === 'EXPIRED';
}

/** The links to sign that are mailed again when this customer's details are corrected. */
export function linksMailedAgain(
  ctx: Context,
  customer: UserRow,
  { requestIds, address }: { requestIds: readonly number[]; address: string },
): string[] {
  const { db, config } = ctx;
  return requestIds.flatMap((requestId) => {
    const contract = findCurrentContract(db, { requestId });
    const at = contract && signLinkMailedAt(db, contract);
    if (!at) return [];
    const { username: old } = customer;
    const date = formatDay(config, at);
    return text(config.locale, 'links.corrected', { old, date, address });
  });
}

/** When the provider was last asked to mail it; undefined while it has not been. */
function signLinkMailedAt(db: Db, contract: ContractRow): string | undefined {
  const { id, requestId, sending, activationAskedAt, createdAt } = contract;
  const corrected = historyOf(db, requestId, ['contract.signer_corrected']).findLast(
    ({ contractId }) => contractId === id,
  );
  const sentAt = sending === 'unsent' ? undefined : (activationAskedAt ?? createdAt);
  return corrected?.at ?? sentAt;
}

/** The mail follows its payment session. */
function payLinkMailedAt(
  db: Db,
  { status, payToken }: RequestRow,
  contract: ContractRow | undefined,
): string | undefined {
  if (status !== 'WAITING_PAYMENT' || payToken === null || !contract) return undefined;
  return shownPayment(ourPayments(db, contract.requestId))?.createdAt;
}

function nameOf({ firstName, lastName, username }: UserRow): string {
  return `${firstName} ${lastName}`.trim() || username;
}
