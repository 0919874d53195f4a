/**
 * Sends one contract to the customer (rules 2): draft at the provider, PDF, signer, activation. Can be repeated after
 * a crash at any step: what the provider already has is found by external id and not created twice.
 */
import {
  requireContract,
  setSendingAsked,
  setIdentity,
  setRefusal,
  setSignId,
} from '../../db/contracts/contracts.js';
import type { ContractRow, RequestRow, UserRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { change } from '../change.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { openDraftPdf, type OpenPdf } from '../contracts/contract-files.js';
import { AppError } from '../errors.js';
import { ProviderError, unlessNotFound } from '../http/provider-error.js';
import { newIdentity } from '../installation/identity.js';
import { PROVIDER_ENDS, type ProviderEnd } from '../lifecycle.js';
import { asProviderSettings } from '../reminders/remind-days.js';
import { shorten, withoutAddresses } from '../texts/plain.js';
import { localeOf } from '../users/reader.js';
import { wallClock } from '../zone.js';
import { tellForeign } from './told.js';
import { proveOurs } from './is-ours.js';
import type { SignatureState, SignLink } from './provider-answers.js';
import { judgePdf } from './supplied-pdf.js';

export interface ContractToSign {
  contract: ContractRow;
  request: RequestRow;
  customer: UserRow;
  /** False for a brand-new contract, of which the provider can have nothing. */
  mayExistThere: boolean;
  actor: Actor;
}

/** The provider closed the signature request; a new contract is needed. */
export class SignatureGoneError extends Error {
  override readonly name = 'SignatureGoneError';
  readonly reason: ProviderEnd;
  constructor(reason: ProviderEnd) {
    super(`the signature request of the contract is ${reason} at the provider`);
    this.reason = reason;
  }
}

export interface SentSignature extends Omit<SignLink, 'signUrl'> {
  signId: string;
  /** Null when the customer has signed: the provider no longer shows a link. */
  signUrl: string | null;
  /** The provider's last moment to sign, if it names one. */
  lastMoment: string | null;
}

/** The provider's limit for the name of a signature request, which may hold no addresses and tags. */
const NAME_LENGTH_MAX = 128;

/** Returns signId and link. Throws a ProviderError when the provider fails; a later call resumes. */
export async function createSignature(ctx: Context, toSign: ContractToSign): Promise<SentSignature> {
  const pdf = await openDraft(ctx, toSign.contract);
  try {
    return await createWith(ctx, pdf, toSign);
  } finally {
    await pdf.file.close();
  }
}

async function createWith(
  ctx: Context,
  pdf: OpenPdf,
  { contract: asked, request, customer, mayExistThere, actor }: ContractToSign,
): Promise<SentSignature> {
  const { ours, foreign } = mayExistThere ? await findAtProvider(ctx, asked) : NOTHING;
  const found = await unlessDoubled(ctx, asked, ours);
  const contract = foreign.length > 0 ? await keepApart(ctx, asked, { found, foreign, actor }) : asked;
  const end = PROVIDER_ENDS.find((word) => word === found?.status);
  if (end) throw new SignatureGoneError(end);

  const signId = found?.signId ?? (await createDraft(ctx, contract, request));
  const signerEmail = found?.signers[0]?.email ?? customer.username;
  await ctx.writer.write((db) => setSignId(db, { id: contract.id, signId, signerEmail }));

  const there = { ...contract, signId };
  if (found && found.status !== 'draft') return sentAs(ctx, found);
  if (!found?.signers.length) await fillDraft(ctx, signId, { pdf, found, request, customer });
  // A call of the interrupted start may have arrived since the provider was asked.
  if (found) {
    const now = await unlessDoubled(ctx, contract, await ctx.provider.getSignatureStatus(there));
    if (now?.status !== 'draft')
      return createWith(ctx, pdf, {
        contract: requireContract(ctx.db, { id: contract.id }),
        request,
        customer,
        mayExistThere: true,
        actor,
      });
  }
  const now = iso(ctx.clock.now());
  await ctx.writer.write((db) => {
    setSendingAsked(db, { id: contract.id, now });
    // Why an earlier attempt has not reached the customer says nothing about this one.
    setRefusal(db, { id: contract.id, refusal: null });
  });
  const { link, lastMoment } = await ctx.provider.activate(signId);
  if (link) return { signId, lastMoment, ...link };
  const state = await ctx.provider.getSignatureStatus(there);
  const proved = await proveOurs(ctx, state, { ...there, signerEmail });
  return sentAs(ctx, proved ?? { ...state, signers: [] });
}

/**
 * A call of an interrupted start that arrived late may have put the PDF or the signer into the draft a second time. The customer
 * would sign twice, or the provider would refuse to send it, so the draft goes.
 */
async function unlessDoubled(
  ctx: Context,
  { id, requestId }: ContractRow,
  found: SignatureState | undefined,
): Promise<SignatureState | undefined> {
  const isDoubled = found && (found.documents.length > 1 || found.signers.length > 1);
  if (found?.status !== 'draft' || !isDoubled) return found;
  const { signId } = found;
  ctx.log.warn({ requestId, contractId: id, signId }, 'a draft with a second document or signer is replaced');
  // The webhook about its end must not end the contract.
  await ctx.writer.write((db) => setSignId(db, { id, signId: null, signerEmail: null }));
  await unlessNotFound(ctx.provider.deleteDraft(signId));
  return undefined;
}

/** Link and signer of a contract that the provider has sent; a signed one has no link. */
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
  /** This contract's record, with its signers' addresses: of several the one that went furthest, else that of its signId. */
  ours: SignatureState | undefined;
  /** Further ones, in any state. */
  doubles: SignatureState[];
  /** Records with its name or signId that are somebody else's. */
  foreign: SignatureState[];
}

const NOTHING: AtProvider = { ours: undefined, doubles: [], foreign: [] };

/**
 * What the provider has of this contract. A "not found" is believed only when the list does not show it either,
 * because one wrong "not found" could let the customer sign two contracts.
 */
export async function findAtProvider(ctx: Context, contract: ContractRow): Promise<AtProvider> {
  const { signId } = contract;
  const bySignId =
    signId === null
      ? undefined
      : await unlessNotFound(ctx.provider.getSignatureStatus({ ...contract, signId }));
  const named = await ctx.provider.findByExternalId(contract.externalId);
  const others = named.filter(({ signId }) => signId !== bySignId?.signId);
  const ours: SignatureState[] = [];
  const foreign: SignatureState[] = [];
  for (const state of bySignId ? [bySignId, ...others] : others) {
    const proved = await proveOurs(ctx, state, contract);
    if (proved) ours.push(proved);
    else foreign.push(state);
  }
  const furthest = FURTHEST.flatMap((word) => ours.find(({ status }) => status === word) ?? [])[0] ?? ours[0];
  return { ours: furthest, doubles: ours.filter((state) => state !== furthest), foreign };
}

const FURTHEST = ['done', 'ongoing', 'draft'];

/** Reports foreign records. A contract with nothing else there gets a new name. */
function keepApart(
  ctx: Context,
  contract: ContractRow,
  { found, foreign, actor }: { found: SignatureState | undefined; foreign: SignatureState[]; actor: Actor },
): Promise<ContractRow> {
  return change(ctx, { actor }, (tx) => {
    const { db } = tx;
    for (const state of foreign) tellForeign(tx, contract, state, { isServed: true });
    if (!found) setIdentity(db, { id: contract.id, ...newIdentity(db, contract.paymentGeneration) });
    return requireContract(db, { id: contract.id });
  });
}

async function openDraft(ctx: Context, { id }: ContractRow): Promise<OpenPdf> {
  const pdf = await openDraftPdf(ctx, requireContract(ctx.db, { id }));
  if (pdf) return pdf;
  throw new AppError('refused', 'contract_pdf_missing', 'The PDF of the contract is missing.', {
    hint: 'Start or reset the signature again: the PDF is created again.',
  });
}

function createDraft(ctx: Context, contract: ContractRow, request: RequestRow): Promise<string> {
  const { timeZone } = ctx.config;
  return ctx.provider.createRequest({
    name: shorten(withoutAddresses(`${request.reference} ${request.title}`), NAME_LENGTH_MAX),
    externalId: contract.externalId,
    expirationDate: wallClock(timeZone, contract.expiredAt as string).day,
    timeZone,
    locale: ctx.config.locale,
    reminders: asProviderSettings(ctx.config.remindDays),
  });
}

interface DraftToFill extends Pick<ContractToSign, 'request' | 'customer'> {
  pdf: OpenPdf;
  found: SignatureState | undefined;
}

async function fillDraft(
  ctx: Context,
  signId: string,
  { pdf, found, request, customer }: DraftToFill,
): Promise<void> {
  const uploaded =
    (found?.documents.length ? await ctx.provider.getDocument(signId) : undefined) ??
    (await ctx.provider.uploadDocument(signId, pdf, `${request.reference}.pdf`));
  const { documentId, totalAnchors } = uploaded;
  const field = totalAnchors > 0 ? undefined : { documentId, ...(await judgePdf(pdf)) };
  await ctx.provider.addSigner(
    signId,
    {
      firstName: customer.firstName,
      lastName: customer.lastName,
      email: customer.username,
      phone: customer.phone,
      locale: localeOf(ctx.config, customer),
    },
    field,
  );
}
