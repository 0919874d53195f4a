/**
 * What becomes of the links that a customer has by mail, told to the office before it acts (rules 10): sentences in the
 * language of the settings, which name the customer.
 */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import type { ContractRow, UserRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import type { Context } from '../context.js';
import { shownPayment, type OurPayments } from '../payment/our-payments.js';
import { formatDay } from '../texts/format.js';
import { text } from '../texts/index.js';
import type { Act } from './acts.js';
import { nameOrAddress } from '../users/names.js';

/** None for an act that touches no link. */
export function fateOfLinks(
  { db, config }: Context,
  ours: OurPayments,
  { links }: Pick<Act, 'links'>,
): string[] {
  const { request, contract } = ours;
  const fate = links?.({
    sign: contract && signLinkMailedAt(contract),
    pay: payLinkMailedAt(ours),
    isOpen: contract?.status === 'PENDING',
  });
  if (!fate) return [];
  const customer = nameOrAddress(requireUser(db, { id: request.ownerId }));
  return [text(config.locale, fate.key, { customer, date: fate.at ? formatDay(config, fate.at) : '' })];
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
    const at = contract && signLinkMailedAt(contract);
    if (!at) return [];
    const { username: old } = customer;
    const date = formatDay(config, at);
    return text(config.locale, 'links.corrected', { old, date, address });
  });
}

/** When the provider was last asked to mail it; undefined while it has not been. */
function signLinkMailedAt(contract: ContractRow): string | undefined {
  const { sending, correctedAt, activationAskedAt, createdAt } = contract;
  const sentAt = sending === 'unsent' ? undefined : (activationAskedAt ?? createdAt);
  return correctedAt ?? sentAt;
}

/** The mail follows its payment session. */
function payLinkMailedAt(ours: OurPayments): string | undefined {
  const { status, payToken } = ours.request;
  return status === 'WAITING_PAYMENT' && payToken !== null ? shownPayment(ours)?.createdAt : undefined;
}
