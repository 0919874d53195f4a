/**
 * Brings one contract to the customer (spec 4.10, createSignature): draft at the provider, PDF, signer, activation. It
 * can be called again after a crash at any step: what the provider already has is found by the contract's external id
 * and not made twice.
 */
import { findContract, setActivationAsked, setIdentity, setSignId } from '../../db/contracts.js';
import type { ContractRow, RequestRow, UserRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { readDraftPdf } from '../contracts/contract-files.js';
import { AppError } from '../errors.js';
import { isProviderError, ProviderError } from '../http/provider-error.js';
import { newIdentity } from '../identity.js';
import type { ProviderEnd } from '../lifecycle.js';
import { oneLine, shorten } from '../texts/plain.js';
import { wallClock } from '../zone.js';
import { tellForeign } from './foreign-signature.js';
import { proveOurs } from './is-ours.js';
import type { SignatureState } from './provider.js';

export interface ContractToSign {
  contract: ContractRow;
  request: RequestRow;
  customer: UserRow;
  /** False for a contract whose row has just been made: nothing of it can be at the provider. */
  mayExistThere: boolean;
  actor: Actor;
}

/** The provider closed what we had begun; a new contract is needed. */
export class SignatureGoneError extends Error {
  override readonly name = 'SignatureGoneError';
  readonly reason: ProviderEnd;
  constructor(reason: ProviderEnd) {
    super(`the signature request of the contract is ${reason} at the provider`);
    this.reason = reason;
  }
}

/** The words with which the provider closes a signature request unsigned. */
export const PROVIDER_ENDS = [
  'declined',
  'canceled',
  'rejected',
  'deleted',
  'expired',
] as const satisfies ProviderEnd[];

export interface SentSignature {
  signId: string;
  signerId: string;
  /** Null: the customer has signed already, and the provider shows no link any more. */
  signUrl: string | null;
  expiresAt: string | null;
  /** Until when the provider takes the signature, where it says so. */
  lastMoment: string | null;
}

/** The provider's rule for the name of a signature request. */
const NAME_LENGTH_MAX = 128;

/** Where the signature goes on a supplied PDF without anchor: bottom left of the last page (A4, points). */
const PLACE_WITHOUT_ANCHOR = { x: 60, y: 700 };

/** Returns signId and the customer's link. Throws a ProviderError when the provider fails; a later call resumes. */
export async function createSignature(
  ctx: Context,
  { contract: asked, request, customer, mayExistThere, actor }: ContractToSign,
): Promise<SentSignature> {
  const pdf = await readDraft(ctx, asked.id);
  const { ours: found, foreign } = mayExistThere ? await findAtProvider(ctx, asked) : NOTHING;
  const contract = foreign.length > 0 ? await keepApart(ctx, asked, { found, foreign, actor }) : asked;
  const end = PROVIDER_ENDS.find((word) => word === found?.status);
  if (end) throw new SignatureGoneError(end);

  const signId = found?.signId ?? (await createDraft(ctx, contract, request));
  const signerEmail = found?.signers[0]?.email ?? customer.username;
  await ctx.writer.write((db) => setSignId(db, { id: contract.id, signId, signerEmail }));

  if (found && found.status !== 'draft') return sentAs(ctx, found);
  if (!found?.signers.length) await fillDraft(ctx, { signId, pdf, request, customer, found });
  const now = iso(ctx.clock.now());
  await ctx.writer.write((db) => setActivationAsked(db, contract.id, now));
  const { link, lastMoment } = await ctx.provider.activate(signId);
  if (link) return { signId, lastMoment, ...link };
  const state = await ctx.provider.getSignatureStatus(signId);
  const proved = await proveOurs(ctx, state, { ...contract, signId, signerEmail });
  return sentAs(ctx, proved ?? { ...state, signers: [] });
}

/** How a contract that the provider has sent reached the customer; of one that is signed the provider shows no link any more. */
export async function sentAs(
  ctx: Context,
  { signId, status, signers, lastMoment }: SignatureState,
): Promise<SentSignature> {
  const [signer] = signers;
  if (status === 'done') {
    return { signId, signerId: signer?.id ?? signId, signUrl: null, expiresAt: null, lastMoment };
  }
  const link = signer && (await ctx.provider.getSigner(signId, signer.id)).link;
  if (!link) throw new ProviderError('unavailable', 'signature provider gave no link for the signer');
  return { signId, lastMoment, ...link };
}

export interface AtProvider {
  /** The record of this contract, with its signers' addresses. */
  ours: SignatureState | undefined;
  /** What bears its name, or its signId, and is somebody else's. */
  foreign: SignatureState[];
}

const NOTHING: AtProvider = { ours: undefined, foreign: [] };

/**
 * What the provider has of this contract. That it does not know the signature request is believed only when its list
 * does not show it either: one wrong "not found", and the customer could sign two contracts.
 */
export async function findAtProvider(ctx: Context, contract: ContractRow): Promise<AtProvider> {
  const bySignId = contract.signId ? await findState(ctx, contract.signId) : undefined;
  const proved = bySignId && (await proveOurs(ctx, bySignId, contract));
  if (proved) return { ours: proved, foreign: [] };
  const named = await ctx.provider.findByExternalId(contract.externalId);
  const ours: SignatureState[] = [];
  const foreign = bySignId ? [bySignId] : [];
  for (const state of named.filter(({ signId }) => signId !== bySignId?.signId)) {
    const known = await proveOurs(ctx, state, contract);
    if (known) ours.push(known);
    else foreign.push(state);
  }
  return { ours: furthest(ours), foreign };
}

async function findState(ctx: Context, signId: string): Promise<SignatureState | undefined> {
  try {
    return await ctx.provider.getSignatureStatus(signId);
  } catch (error) {
    if (isProviderError(error, 'not_found')) return undefined;
    throw error;
  }
}

function furthest(found: readonly SignatureState[]): SignatureState | undefined {
  return (
    found.find(({ status }) => status === 'done') ??
    found.find(({ status }) => status === 'ongoing') ??
    found.find(({ status }) => status === 'draft') ??
    found[0]
  );
}

/** Tells of what is not ours. A contract of which nothing else is there goes out under a fresh name. */
function keepApart(
  ctx: Context,
  contract: ContractRow,
  { found, foreign, actor }: { found: SignatureState | undefined; foreign: SignatureState[]; actor: Actor },
): Promise<ContractRow> {
  return ctx.writer.write((db) => {
    const now = iso(ctx.clock.now());
    for (const state of foreign) tellForeign(db, contract, state, { actor, now, isServed: true });
    if (!found) setIdentity(db, { id: contract.id, ...newIdentity(db, contract.paymentGeneration) });
    return findContract(db, contract.id) as ContractRow;
  });
}

async function readDraft(ctx: Context, contractId: number): Promise<Buffer> {
  try {
    return await readDraftPdf(ctx, contractId);
  } catch (error) {
    throw new AppError('refused', 'contract_pdf_missing', 'The PDF of the contract is missing.', {
      hint: 'Start or reset the signature again: the PDF is made anew.',
      cause: error,
    });
  }
}

function createDraft(ctx: Context, contract: ContractRow, request: RequestRow): Promise<string> {
  const { timeZone } = ctx.config;
  return ctx.provider.createRequest({
    name: shorten(`${request.reference} ${oneLine(request.title)}`, NAME_LENGTH_MAX),
    externalId: contract.externalId,
    expirationDate: wallClock(timeZone, contract.expiredAt as string).day,
    timeZone,
    locale: ctx.config.locale,
  });
}

interface DraftToFill {
  signId: string;
  pdf: Buffer;
  request: RequestRow;
  customer: UserRow;
  found: SignatureState | undefined;
}

async function fillDraft(
  ctx: Context,
  { signId, pdf, request, customer, found }: DraftToFill,
): Promise<void> {
  const uploaded =
    (found?.documents.length ? await ctx.provider.getDocument(signId) : undefined) ??
    (await ctx.provider.uploadDocument(signId, pdf, `${request.reference}.pdf`));
  const place = { documentId: uploaded.documentId, page: uploaded.totalPages, ...PLACE_WITHOUT_ANCHOR };
  await ctx.provider.addSigner(
    signId,
    {
      firstName: customer.firstName,
      lastName: customer.lastName,
      email: customer.username,
      phone: customer.phone,
      locale: ctx.config.locale,
    },
    uploaded.totalAnchors > 0 ? undefined : place,
  );
}
