/**
 * Takes the steps of next-step.ts for one contract (rules 2). What was interrupted goes on from what is found at the signature provider,
 * so nothing is made twice.
 */
import {
  requireContract,
  setIdentity,
  setRefusal,
  setSendingAsked,
  setSignId,
} from '../../db/contracts/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { change } from '../change.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import type { OpenPdf } from '../contracts/contract-files.js';
import type { Terms } from '../contracts/terms.js';
import { unlessNotFound } from '../http/provider-error.js';
import { newIdentity } from '../installation/identity.js';
import { asProviderSettings } from '../reminders/remind-days.js';
import { shorten, withoutAddresses } from '../texts/plain.js';
import { localeOf } from '../users/names.js';
import { wallClock } from '../zone.js';
import { isTooLate } from './decide.js';
import { findAtProvider } from './observe.js';
import {
  nextStep,
  reach,
  without,
  type Call,
  type Document,
  type Rest,
  type There,
  type Want,
} from './next-step.js';
import { state as asState, stateSchema, type SignatureState } from './provider-answers.js';
import type { SentSignature } from './sent.js';
import { judgePdf } from './prepare-contract.js';
import { tellForeign } from './told.js';

export interface Work {
  contract: ContractRow;
  want: Want;
  actor: Actor;
  content?: Content;
  /** The note that the provider keeps about a cancellation. */
  note?: string;
  /** Which documents are meant; by default all. */
  isMeant?: (found: SignatureState) => boolean;
}

export interface Content extends Pick<Terms, 'request' | 'customer'> {
  pdf: OpenPdf;
  /** The contract was just made: the provider can have nothing. */
  isNew: boolean;
}

interface Found extends Document {
  state: SignatureState;
  /** What the provider said of its PDF. */
  uploaded?: { documentId: string; totalAnchors: number };
  /** What it said when it sent it. */
  sent?: SentSignature;
}

/** The provider's limit for the name of a signature request, which may hold no addresses and tags. */
const NAME_LENGTH_MAX = 128;

/** How it came to rest. Throws a ProviderError when the provider fails; a later call goes on. */
export async function takeSteps(ctx: Context, work: Work): Promise<Rest<Found>> {
  const { want, content, isMeant = () => true } = work;
  const found = content?.isNew ? { ours: [], foreign: [] } : await lookAt(ctx, work, false);
  const spared = found.ours.filter(({ state }) => !isMeant(state)).map(({ signId }) => signId);
  const meant = ({ ours, foreign }: There<Found>) => ({
    foreign,
    ours: ours.filter(({ signId }) => !spared.includes(signId)),
  });
  return reach({
    want,
    first: meant(found),
    look: async () => meant(await lookAt(ctx, work)),
    take: (call, there) => take(ctx, work, call, there),
  });
}

/** Where it would come to rest or be changed, with nothing changed. */
export async function dryStep(ctx: Context, work: Work) {
  return nextStep(work.want, { ...(await lookAt(ctx, work)), foreign: [] });
}

async function lookAt(ctx: Context, { contract: { id } }: Work, isSure = true): Promise<There<Found>> {
  const contract = requireContract(ctx.db, { id });
  const { ours, doubles, foreign } = await findAtProvider(ctx, contract);
  const all = ours ? [ours, ...doubles] : [];
  return { ours: all.map((state) => asFound(ctx, contract, state, isSure)), foreign };
}

function asFound(
  { clock }: Context,
  { status: own, expiredAt }: ContractRow,
  state: SignatureState,
  isSure: boolean,
): Found {
  const { signId, status, signedAt, lastMoment, documents, signers } = state;
  const contractThen = { status: own, lastMoment: lastMoment ?? expiredAt };
  const isLate = status === 'done' && isTooLate(contractThen, signedAt, iso(clock.now()));
  return { signId, status, pdfs: documents.length, signers: signers.length, isLate, isSure, state };
}

async function take(ctx: Context, work: Work, call: Call<Found>, there: There<Found>): Promise<There<Found>> {
  const { provider } = ctx;
  // What is filled and sent is the one that counts.
  const becomes = (document: Found): There<Found> => ({ ...there, ours: [document] });
  switch (call.do) {
    case 'tell_foreign':
      await tellForeigners(ctx, work, there);
      return { ...there, foreign: [] };
    case 'create':
      return becomes(await create(ctx, work));
    case 'upload':
      return becomes({ ...call.on, pdfs: 1, uploaded: await upload(ctx, work, call.on) });
    case 'add_signer':
      await addSigner(ctx, work, call.on);
      return becomes({ ...call.on, signers: 1 });
    case 'look':
      return lookAt(ctx, work);
    case 'activate': {
      const sent = await activate(ctx, work, call.on);
      return sent ? becomes({ ...call.on, status: 'ongoing', sent }) : lookAt(ctx, work);
    }
    case 'delete':
      if (work.want === 'sent') await forget(ctx, work, call.on);
      await unlessNotFound(provider.deleteDraft(call.on.signId));
      return without(there, call.on);
    case 'cancel':
      await provider.cancel(call.on.state, work.note ?? STARTED_ANEW);
      return without(there, call.on);
  }
}

/** The note that the provider keeps about a cancellation. */
const STARTED_ANEW = 'The signature was started again.';

/** They are left alone. A contract with nothing else there is sent under a new name. */
async function tellForeigners(ctx: Context, work: Work, { ours, foreign }: There<Found>): Promise<void> {
  const { contract, want, actor } = work;
  const { id } = contract;
  await change(ctx, { actor }, (tx) => {
    for (const one of foreign) tellForeign(tx, contract, one, { isServed: true });
    if (want === 'sent' && ours.length === 0) setIdentity(tx.db, { id, ...newIdentity(tx.db) });
  });
}

function contentOf({ content }: Work): Content {
  if (content) return content;
  throw new Error('nothing is made where something is to be withdrawn');
}

async function create(ctx: Context, work: Work): Promise<Found> {
  const { request, customer } = contentOf(work);
  const contract = requireContract(ctx.db, work.contract);
  const { id, externalId, expiredAt } = contract;
  const { timeZone, locale, remindDays } = ctx.config;
  const signId = await ctx.provider.createRequest({
    name: shorten(withoutAddresses(`${request.reference} ${request.title}`), NAME_LENGTH_MAX),
    externalId,
    expirationDate: wallClock(timeZone, expiredAt as string).day,
    timeZone,
    locale,
    reminders: asProviderSettings(remindDays),
  });
  await ctx.writer.write((db) => setSignId(db, { id, signId, signerEmail: customer.username }));
  const state = asState(stateSchema.parse({ id: signId, status: 'draft', external_id: externalId }));
  return asFound(ctx, contract, state, true);
}

function upload({ provider }: Context, work: Work, { signId }: Found) {
  const { pdf, request } = contentOf(work);
  return provider.uploadDocument(signId, pdf, `${request.reference}.pdf`);
}

async function addSigner(ctx: Context, work: Work, draft: Found): Promise<void> {
  const { pdf, customer } = contentOf(work);
  const { signId } = draft;
  const { documentId, totalAnchors } =
    draft.uploaded ?? (await ctx.provider.getDocument(signId)) ?? (await upload(ctx, work, draft));
  const { firstName, lastName, username: email, phone } = customer;
  await ctx.provider.addSigner(
    signId,
    { firstName, lastName, email, phone, locale: localeOf(ctx.config, customer) },
    totalAnchors > 0 ? undefined : { documentId, ...(await judgePdf(pdf)) },
  );
}

/** That it was asked is on disk before: from then on the customer may have it. Undefined when the answer does not show the customer's link. */
async function activate(
  ctx: Context,
  work: Work,
  { signId, state }: Found,
): Promise<SentSignature | undefined> {
  const { id } = work.contract;
  const now = iso(ctx.clock.now());
  const signerEmail = state.signers[0]?.email ?? contentOf(work).customer.username;
  await ctx.writer.write((db) => {
    setSignId(db, { id, signId, signerEmail });
    setSendingAsked(db, { id, now });
    // Why an earlier attempt has not reached the customer says nothing about this one.
    setRefusal(db, { id, refusal: null });
  });
  const { link, lastMoment } = await ctx.provider.activate(signId);
  return link && { signId, lastMoment, ...link };
}

/** The webhook about the end of a draft that is replaced must not end the contract. */
async function forget(ctx: Context, { contract: { id, requestId } }: Work, { signId }: Found): Promise<void> {
  ctx.log.warn({ requestId, contractId: id, signId }, 'a draft with a second document or signer is replaced');
  await ctx.writer.write((db) => setSignId(db, { id, signId: null, signerEmail: null }));
}
