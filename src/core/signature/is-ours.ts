/**
 * The one door through which a record of the provider becomes a contract of ours (decisions 2): name, signer and time
 * of creation must agree. Whatever does not pass is somebody else's, and is left alone.
 */
import { findRequest } from '../../db/requests.js';
import type { ContractRow, RequestRow, UserRow } from '../../db/schema.js';
import { findUser } from '../../db/users.js';
import { addMs, iso } from '../clock.js';
import type { Context } from '../context.js';
import { CLOCK_TOLERANCE_MS, isOwnName } from '../identity.js';
import type { SignatureState, SignerState } from './provider.js';

/** `found` with the addresses of its signers. The customer's address of today counts as well as the one it was sent to. */
export function isOurs(
  found: SignatureState,
  contract: ContractRow,
  customer: Pick<UserRow, 'username'>,
): boolean {
  if (!mayBeOurs(found, contract)) return false;
  // Nobody can sign it yet. Under a random name it can only be the draft whose answer we lost.
  if (found.signers.length === 0) return found.status === 'draft' && isOwnName(contract.externalId);
  return found.signers.some(({ email }) => email !== undefined && isAddressOf(email, contract, customer));
}

/** Whether that address is the one that the contract was sent to, or the customer's of today. */
export function isSigner(ctx: Context, contract: ContractRow, email: string): boolean {
  return isAddressOf(email, contract, customerOf(ctx, contract));
}

/** The record with its signers' addresses, the customer first, when it is ours; undefined: it is not. Throws a ProviderError. */
export async function proveOurs(
  ctx: Context,
  found: SignatureState,
  contract: ContractRow,
): Promise<SignatureState | undefined> {
  if (!mayBeOurs(found, contract)) return undefined;
  const known = await ctx.provider.withEmails(found);
  return isOurs(known, contract, customerOf(ctx, contract)) ? customerFirst(ctx, known, contract) : undefined;
}

/** Somebody may have added a second signer there, whose link and address are not the customer's. */
function customerFirst(ctx: Context, found: SignatureState, contract: ContractRow): SignatureState {
  const rank = ({ email }: SignerState) => (email !== undefined && isSigner(ctx, contract, email) ? 0 : 1);
  return { ...found, signers: found.signers.toSorted((one, other) => rank(one) - rank(other)) };
}

/** What the record shows without a further question: its name, and when it was made. */
export function mayBeOurs(found: SignatureState, contract: ContractRow): boolean {
  return found.externalId === contract.externalId && isMadeInTime(found, contract);
}

/** Not before our contract. A record that was made for a random name of ours cannot be older, whatever the clocks say. */
function isMadeInTime({ signId, createdAt }: SignatureState, contract: ContractRow): boolean {
  if (signId === contract.signId && isOwnName(contract.externalId)) return true;
  return createdAt !== null && iso(addMs(new Date(createdAt), CLOCK_TOLERANCE_MS)) >= contract.createdAt;
}

function customerOf({ db }: Context, { requestId }: ContractRow): UserRow {
  const { ownerId } = findRequest(db, requestId) as RequestRow;
  return findUser(db, ownerId) as UserRow;
}

function isAddressOf(
  email: string,
  { signerEmail }: ContractRow,
  { username }: Pick<UserRow, 'username'>,
): boolean {
  return [username, signerEmail].some((address) => address?.toLowerCase() === email.trim().toLowerCase());
}
