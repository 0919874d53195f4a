/**
 * Signature requests of this installation that are unknown here, because a restored backup is older than they are.
 * They are reported, never touched.
 */
import {
  findContractByExternalId,
  findContractBySignId,
  listKnownSignIds,
} from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import { keyOfOwnName } from '../installation/identity.js';
import type { TextKey } from '../texts/index.js';
import { PROVIDER_ENDS } from './create-signature.js';
import type { SignatureState } from './provider-answers.js';

export interface UnknownSignature {
  signId: string;
  externalId: string;
  status: string;
  /** By the provider's clock. */
  createdAt: string | null;
  name: string | null;
}

/** Those of a provider's list. */
export function unknownAmong(db: Db, states: readonly SignatureState[]): UnknownSignature[] {
  const signIds = states.map(({ signId }) => signId);
  const known = new Set(listKnownSignIds(db, { signIds }).map(({ signId }) => signId));
  return states.filter(({ signId }) => !known.has(signId)).flatMap((state) => asUnknown(db, state));
}

/** A list with the record; empty when it is known here, another installation's, or over without a signature. */
export function asUnknown(
  db: Db,
  { signId, externalId, status, createdAt, name }: SignatureState,
): UnknownSignature[] {
  if (externalId === null || PROVIDER_ENDS.some((end) => end === status)) return [];
  // An unfinished start knows its name but not yet its signId.
  if (findContractBySignId(db, { signId }) || findContractByExternalId(db, { externalId })) return [];
  if (keyOfOwnName(db, externalId) === undefined) return [];
  return [{ signId, externalId, status, createdAt, name }];
}

/** What a person can do about it. */
export function adviceOn({ status }: Pick<UnknownSignature, 'status'>): TextKey {
  if (status === 'done') return 'unknown_signature.done';
  return status === 'draft' ? 'unknown_signature.draft' : 'unknown_signature.open';
}
