/**
 * The only way in which a provider's record becomes our contract's (rules 2): name, signer and creation time must
 * agree. Anything else is somebody else's and left alone.
 */
import type { Db } from '../../db/db.js';
import { requireRequest } from '../../db/requests/requests.js';
import type { ContractRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import { addMs, iso } from '../clock.js';
import type { Context } from '../context.js';
import { CLOCK_TOLERANCE_MS } from '../installation/identity.js';
import { triedAddresses } from '../users/signer-job.js';
import type { SignatureState } from './provider-answers.js';

/** Whether the contract was or may have been sent to this address, or it is the customer's current one. */
export function isSigner(db: Db, { id, requestId, signerEmail }: ContractRow, email: string): boolean {
  const { ownerId } = requireRequest(db, { id: requestId });
  const { username } = requireUser(db, { id: ownerId });
  const addresses = [username, signerEmail, ...triedAddresses(db, id)];
  return addresses.some((address) => address?.toLowerCase() === email.trim().toLowerCase());
}

/** Our record with its signers' addresses, the customer first; undefined when it is not ours. Throws a ProviderError. */
export async function proveOurs(
  ctx: Context,
  found: SignatureState,
  contract: ContractRow,
): Promise<SignatureState | undefined> {
  if (!mayBeOurs(found, contract)) return undefined;
  const { signers } = await ctx.provider.withEmails(found);
  // Somebody may have added a second signer there.
  const rank = ({ email }: { email: string }) => (isSigner(ctx.db, contract, email) ? 0 : 1);
  const [customer] = signers.sort((one, other) => rank(one) - rank(other));
  // Nobody can sign it yet; under a random name it can only be the draft whose answer was lost.
  const isIts = customer ? rank(customer) === 0 : found.status === 'draft';
  return isIts ? { ...found, signers } : undefined;
}

/** Checks what the record shows without another call: name and creation time. */
export function mayBeOurs(found: SignatureState, contract: ContractRow): boolean {
  return found.externalId === contract.externalId && isMadeInTime(found, contract);
}

/** Not older than our contract. A record with our random name cannot be, whatever the clocks say. */
function isMadeInTime({ signId, createdAt }: SignatureState, contract: ContractRow): boolean {
  if (signId === contract.signId) return true;
  return iso(addMs(new Date(createdAt ?? 0), CLOCK_TOLERANCE_MS)) >= contract.createdAt;
}
