/**
 * The only way in which a provider's record becomes our contract's (rules 2): name, signer and creation time must
 * agree. Anything else is somebody else's and left alone.
 */
import { requireRequest } from '../../db/requests/requests.js';
import type { ContractRow, UserRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import { addMs, iso } from '../clock.js';
import type { Context } from '../context.js';
import { CLOCK_TOLERANCE_MS, isOwnName } from '../installation/identity.js';
import type { SignatureState, SignerState } from './provider.js';

/** `found` must have its signers' addresses. Both the customer's current address and the one it was sent to count. */
export function isOurs(
  found: SignatureState,
  contract: ContractRow,
  customer: Pick<UserRow, 'username'>,
): boolean {
  if (!mayBeOurs(found, contract)) return false;
  // Nobody can sign it yet; under a random name it can only be the draft whose answer was lost.
  if (found.signers.length === 0) return found.status === 'draft' && isOwnName(contract.externalId);
  return found.signers.some(({ email }) => email !== undefined && isAddressOf(email, contract, customer));
}

/** Whether the contract was sent to this address, or it is the customer's current one. */
export function isSigner(ctx: Context, contract: ContractRow, email: string): boolean {
  return isAddressOf(email, contract, customerOf(ctx, contract));
}

/** Our record with its signers' addresses, the customer first; undefined when it is not ours. Throws a ProviderError. */
export async function proveOurs(
  ctx: Context,
  found: SignatureState,
  contract: ContractRow,
): Promise<SignatureState | undefined> {
  if (!mayBeOurs(found, contract)) return undefined;
  const known = await ctx.provider.withEmails(found);
  return isOurs(known, contract, customerOf(ctx, contract)) ? customerFirst(ctx, known, contract) : undefined;
}

/** Somebody may have added a second signer there. */
function customerFirst(ctx: Context, found: SignatureState, contract: ContractRow): SignatureState {
  const rank = ({ email }: SignerState) => (email !== undefined && isSigner(ctx, contract, email) ? 0 : 1);
  return { ...found, signers: found.signers.toSorted((one, other) => rank(one) - rank(other)) };
}

/** Checks what the record shows without another call: name and creation time. */
export function mayBeOurs(found: SignatureState, contract: ContractRow): boolean {
  return found.externalId === contract.externalId && isMadeInTime(found, contract);
}

/** Not older than our contract. A record with our random name cannot be, whatever the clocks say. */
function isMadeInTime({ signId, createdAt }: SignatureState, contract: ContractRow): boolean {
  if (signId === contract.signId && isOwnName(contract.externalId)) return true;
  return createdAt !== null && iso(addMs(new Date(createdAt), CLOCK_TOLERANCE_MS)) >= contract.createdAt;
}

function customerOf({ db }: Context, { requestId }: ContractRow): UserRow {
  const { ownerId } = requireRequest(db, { id: requestId });
  return requireUser(db, { id: ownerId });
}

function isAddressOf(
  email: string,
  { signerEmail }: ContractRow,
  { username }: Pick<UserRow, 'username'>,
): boolean {
  return [username, signerEmail].some((address) => address?.toLowerCase() === email.trim().toLowerCase());
}
