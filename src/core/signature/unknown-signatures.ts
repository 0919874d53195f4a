/**
 * Signature requests of this installation that are unknown here, because a restored backup is older than they are: they are reported,
 * never touched. And second documents of a contract that is known, which a person accepts or settles.
 */
import { findCase, listOpenCasesOfKind } from '../../db/cases/cases.js';
import {
  findContractByExternalId,
  isCurrentContract,
  listKnownSignIds,
} from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import { requireRequest } from '../../db/requests/requests.js';
import type { CaseRow, ContractRow } from '../../db/schema.js';
import type { Round } from '../calls/round.js';
import { openCasesOf, decideCase, openCaseAgain } from '../cases/cases.js';
import { change, type By, type Change, type Try } from '../change.js';
import { command, type Advice, type Command } from '../commands.js';
import type { Context } from '../context.js';
import { notFound } from '../errors.js';
import { findingWords } from '../explain/finding.js';
import { ofContract } from '../history/history.js';
import { unlessNotFound } from '../http/provider-error.js';
import { keyOfOwnName } from '../installation/identity.js';
import { PROVIDER_ENDS } from '../lifecycle.js';
import { requestLock, withLock } from '../lock.js';
import { text, type Locale } from '../texts/index.js';
import { closeAtProvider } from './close-at-provider.js';
import type { SignatureState } from './provider-answers.js';
import { throwRefusal } from '../http/refusal.js';

export interface UnknownSignature {
  signId: string;
  externalId: string;
  status: string;
  /** By the provider's clock. */
  createdAt: string | null;
  name: string | null;
}

type Named = Pick<UnknownSignature, 'signId' | 'externalId' | 'status'>;

/** One that waits for the office. */
export interface OpenUnknown extends Omit<UnknownSignature, 'createdAt'> {
  seenAt: string;
}

function openUnknown({ subject: signId, detail, openedAt: seenAt }: CaseRow): OpenUnknown {
  const known: Pick<OpenUnknown, 'externalId' | 'status' | 'name'> = JSON.parse(detail);
  return { signId, seenAt, ...known };
}

/** The oldest first. */
export function listOpenUnknown(db: Db, limit: number): OpenUnknown[] {
  return listOpenCasesOfKind(db, { kind: 'unknown_document', limit }).map(openUnknown);
}

/** Of a request's cases: second documents of its contracts. */
export function unknownAmongCases(cases: readonly CaseRow[]): OpenUnknown[] {
  return cases.filter(({ kind }) => kind === 'unknown_document').map(openUnknown);
}

/** Undefined when it is known, over or settled. */
export function findOpenUnknown(db: Db, signId: string): OpenUnknown | undefined {
  const found = findCase(db, { kind: 'unknown_document', subject: signId });
  return found && found.decidedAt === null ? openUnknown(found) : undefined;
}

/** Those of a provider's list. */
export function unknownAmong(db: Db, states: readonly SignatureState[]): UnknownSignature[] {
  const signIds = states.map(({ signId }) => signId);
  const known = new Set(listKnownSignIds(db, { signIds }).map(({ signId }) => signId));
  return states.filter(({ signId }) => !known.has(signId)).flatMap((state) => asUnknown(db, state));
}

/** A list with the record; empty when it is another installation's, or over without a signature. */
function asUnknown(
  db: Db,
  { signId, externalId, status, createdAt, name }: SignatureState,
): UnknownSignature[] {
  if (externalId === null || PROVIDER_ENDS.some((end) => end === status)) return [];
  const contract = findContractByExternalId(db, { externalId });
  // An unfinished start knows its name but not yet its signId. A second draft reaches nobody.
  if (contract && (contract.signId === null || status === 'draft')) return [];
  if (keyOfOwnName(db, externalId) === undefined) return [];
  return [{ signId, externalId, status, createdAt, name }];
}

/** The contract whose second document it is. */
export function contractOfSecond(db: Db, { externalId }: Pick<Named, 'externalId'>): ContractRow | undefined {
  const contract = findContractByExternalId(db, { externalId });
  // Without a signId it has no first one yet.
  return contract?.signId ? contract : undefined;
}

/** The customer has signed a second document that a person can let count. */
export function hasSignedSecond(db: Db, requestId: number): boolean {
  return unknownAmongCases(openCasesOf(db, requestId)).some((one) => contractToAccept(db, one) !== undefined);
}

/** The contract that would be signed with this second document: a signature counts only while the request waits for one. */
function contractToAccept(db: Db, one: Named): ContractRow | undefined {
  const contract = one.status === 'done' ? contractOfSecond(db, one) : undefined;
  if (!contract || !isCurrentContract(db, contract)) return undefined;
  const { status } = requireRequest(db, { id: contract.requestId });
  return status === 'WAITING_SIGNATURE' ? contract : undefined;
}

/** What explain says of a second document. */
export function aboutSecond({ signId: sign, status }: Pick<UnknownSignature, 'signId' | 'status'>) {
  return { cause: status === 'done' ? 'signed' : 'open', sign } as const;
}

/** What a person can do about it. */
export function adviceOn(locale: Locale, db: Db, one: Named): Advice {
  const { status } = one;
  if (contractOfSecond(db, one)) return findingWords(locale, 'second_document', aboutSecond(one));
  return text(locale, `unknown_signature.${status === 'done' || status === 'draft' ? status : 'open'}`);
}

/** The command for it. */
export function nextForUnknown(db: Db, one: Named): Command {
  const contract = contractToAccept(db, one);
  return contract
    ? { ...command('contracts accept-late', contract.id), reason: '…' }
    : { ...command('check-signature'), options: ['--settle', one.signId], reason: '…' };
}

/** At most this many are asked for one by one. */
const ASKED_MAX = 20;

/** Those found before that are known now, or over; `listed` was read from the list, the others are asked for. */
export async function lookAgain(
  ctx: Context,
  round: Round,
  listed: readonly SignatureState[],
): Promise<string[]> {
  const states = new Map(listed.map((state) => [state.signId, state]));
  const gone: string[] = [];
  await round.each(ctx, listOpenUnknown(ctx.db, LOOKED_AT_MAX), {
    keyOf: ({ signId }) => signId,
    nameOf: ({ signId }) => `document ${signId}`,
    act: async (known) => {
      const { signId } = known;
      const state = states.get(signId) ?? (await unlessNotFound(ctx.provider.getSignatureStatus(known)));
      if (!state || unknownAmong(ctx.db, [state]).length === 0) gone.push(signId);
    },
    failed: () => undefined,
    name: 'unknown',
    max: ASKED_MAX,
  });
  return gone;
}

const LOOKED_AT_MAX = 1_000;

/** They are known now, or over. */
export function forgetUnknown(tx: Change, signIds: readonly string[]): void {
  decideCase(tx, ['unknown_document'], signIds, 'overtaken');
}

/** Drafts have reached nobody. */
export function rememberUnknown(tx: Change, unknown: readonly UnknownSignature[]): void {
  for (const one of unknown) {
    const { signId, externalId, status, name } = one;
    if (status === 'draft') continue;
    const contract = contractOfSecond(tx.db, one);
    const about = contract ? ofContract(contract) : { requestId: null, contractId: null };
    openCaseAgain(tx, { kind: 'unknown_document', subject: signId }, about, { externalId, status, name });
  }
}

/**
 * A person has dealt with it: it does not need the office any more. A contract's second document that can still be signed is canceled at
 * the provider first. Throws `not_found`, `already_signed`, `provider_unavailable`; then nothing has changed.
 */
export async function settleUnknown(ctx: Context, signId: string, by: Try): Promise<void> {
  const found = findOpenUnknown(ctx.db, signId);
  if (!found) throw notFound('not_found', `No document ${signId} is waiting for the office.`);
  if (by.dryRun) return;
  const contract = contractOfSecond(ctx.db, found);
  if (contract) await withdrawSecond(ctx, contract, signId, by);
  await change(ctx, by, (tx) => {
    decideCase(tx, ['unknown_document'], [signId], 'settled');
    tx.record('signature.settled', contract ? ofContract(contract) : null, { signId, reason: tx.reason });
  });
}

async function withdrawSecond(ctx: Context, contract: ContractRow, signId: string, by: By): Promise<void> {
  // Signed, it is only dismissed: the person has seen that.
  const isMeant = (state: SignatureState) => state.signId === signId && state.status !== 'done';
  const how = { actor: by.actor, isMeant, note: 'A second copy of the contract.' };
  const close = (held: Context) => closeAtProvider(held, contract, how);
  await withLock(ctx, requestLock(contract.requestId), close).catch(throwRefusal);
}
