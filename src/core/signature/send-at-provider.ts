/**
 * Sends one contract to the customer by the steps of next-step.ts (rules 2): draft at the signature provider, PDF, signer, activation. Can
 * be repeated after a crash at any step: what is there already is found, and not made twice.
 */
import {
  requireContract,
  setIdentity,
  setRefusal,
  setSendingAsked,
  setSignId,
} from '../../db/contracts/contracts.js';
import type { ContractRow, RequestRow, UserRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { change } from '../change.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { openDraftPdf, type OpenPdf } from '../contracts/contract-files.js';
import { AppError } from '../errors.js';
import { newIdentity } from '../installation/identity.js';
import type { ProviderEnd } from '../lifecycle.js';
import { asProviderSettings } from '../reminders/remind-days.js';
import { shorten, withoutAddresses } from '../texts/plain.js';
import { localeOf } from '../users/reader.js';
import { wallClock } from '../zone.js';
import { asFound, lookAt, type Found } from './at-provider.js';
import { putAway } from './close-at-provider.js';
import { proveOurs } from './is-ours.js';
import { nextToSend, reach, type AsSent, type Closing, type Making, type There } from './next-step.js';
import { state, stateSchema } from './provider-answers.js';
import { sentAs, type SentSignature } from './sent.js';
import { judgePdf } from './supplied-pdf.js';
import { tellForeign } from './told.js';

export interface ContractToSign {
  contract: ContractRow;
  request: RequestRow;
  customer: UserRow;
  /** False for a brand-new contract, of which the provider can have nothing. */
  mayExistThere: boolean;
  actor: Actor;
}

interface Sending extends ContractToSign {
  pdf: OpenPdf;
}

interface Draft extends Found {
  /** What the provider said of its PDF. */
  uploaded?: { documentId: string; totalAnchors: number };
  /** What it said when it sent it. */
  sent?: SentSignature;
}

/** The provider's limit for the name of a signature request, which may hold no addresses and tags. */
const NAME_LENGTH_MAX = 128;

/**
 * How it was sent; or `ended`, how the provider has closed it, so that a new contract is needed. Throws a ProviderError when the provider
 * fails; a later call resumes.
 */
export async function sendAtProvider(
  ctx: Context,
  toSign: ContractToSign,
): Promise<{ sent: SentSignature } | { ended: ProviderEnd }> {
  const pdf = await openDraft(ctx, toSign.contract);
  try {
    const sending = { ...toSign, pdf };
    const { contract } = toSign;
    const { stop, on } = await reach<Draft, Call, AsSent<Draft>>(
      toSign.mayExistThere ? await lookAt(ctx, contract) : { ours: [], foreign: [] },
      {
        next: nextToSend,
        look: () => lookAgain(ctx, contract),
        take: (call, there) => take(ctx, sending, call, there),
      },
    );
    if (stop === 'ended') return { ended: on.status as ProviderEnd };
    await remember(ctx, sending, on);
    return { sent: on.sent ?? (await sentAs(ctx, on.state)) };
  } finally {
    await pdf.file.close();
  }
}

type Call = Closing<Draft> | Making<Draft>;

function lookAgain(ctx: Context, { id }: ContractRow): Promise<There<Draft>> {
  return lookAt(ctx, requireContract(ctx.db, { id }), { isSure: true });
}

async function take(ctx: Context, sending: Sending, call: Call, there: There<Draft>): Promise<There<Draft>> {
  const { contract, request, pdf, actor } = sending;
  const { id } = contract;
  const withThis = (document: Draft): There<Draft> => ({
    ...there,
    ours: [...there.ours.filter(({ signId }) => signId !== document.signId), document],
  });
  if (call.do === 'delete') {
    const { signId } = call.on;
    const about = { requestId: request.id, contractId: id, signId };
    ctx.log.warn(about, 'a draft with a second document or signer is replaced');
    // The webhook about its end must not end the contract.
    await ctx.writer.write((db) => setSignId(db, { id, signId: null, signerEmail: null }));
  } else if (call.on) await remember(ctx, sending, call.on);
  switch (call.do) {
    case 'create':
      return withThis(await create(ctx, sending));
    case 'upload': {
      const uploaded = await ctx.provider.uploadDocument(call.on.signId, pdf, `${request.reference}.pdf`);
      return withThis({ ...call.on, pdfs: 1, uploaded });
    }
    case 'add_signer':
      return withThis(await addSigner(ctx, sending, call.on));
    case 'look':
      return lookAgain(ctx, contract);
    case 'activate':
      return withThis({ ...call.on, status: 'ongoing', sent: await activate(ctx, sending, call.on) });
    case 'tell_foreign':
      await keepApart(ctx, sending, there);
      return { ...there, foreign: [] };
    case 'delete':
    case 'cancel':
      return putAway(ctx, contract, { call, there, actor });
  }
}

/** Stores which document is the contract's, and to whom it is sent. */
async function remember(
  ctx: Context,
  { contract: { id }, customer }: Sending,
  { signId, state: { signers } }: Draft,
): Promise<void> {
  const signerEmail = signers[0]?.email ?? customer.username;
  const known = requireContract(ctx.db, { id });
  if (known.signId === signId && known.signerEmail === signerEmail) return;
  await ctx.writer.write((db) => setSignId(db, { id, signId, signerEmail }));
}

async function create(ctx: Context, sending: Sending): Promise<Draft> {
  const { request } = sending;
  const contract = requireContract(ctx.db, { id: sending.contract.id });
  const { externalId, expiredAt } = contract;
  const { timeZone, locale, remindDays } = ctx.config;
  const signId = await ctx.provider.createRequest({
    name: shorten(withoutAddresses(`${request.reference} ${request.title}`), NAME_LENGTH_MAX),
    externalId,
    expirationDate: wallClock(timeZone, expiredAt as string).day,
    timeZone,
    locale,
    reminders: asProviderSettings(remindDays),
  });
  const made = state(stateSchema.parse({ id: signId, status: 'draft', external_id: externalId }));
  const draft = asFound(ctx, contract, made, { isSure: true });
  await remember(ctx, sending, draft);
  return draft;
}

/** Of a draft that has lost its PDF meanwhile, that is told. */
async function addSigner(ctx: Context, { pdf, customer }: Sending, draft: Draft): Promise<Draft> {
  const { signId } = draft;
  const uploaded = draft.uploaded ?? (await ctx.provider.getDocument(signId));
  if (!uploaded) return { ...draft, pdfs: 0 };
  const { documentId, totalAnchors } = uploaded;
  const { firstName, lastName, username: email, phone } = customer;
  await ctx.provider.addSigner(
    signId,
    { firstName, lastName, email, phone, locale: localeOf(ctx.config, customer) },
    totalAnchors > 0 ? undefined : { documentId, ...(await judgePdf(pdf)) },
  );
  return { ...draft, signers: 1 };
}

/** That it was asked is on disk before; from then on the customer may have it. */
async function activate(
  ctx: Context,
  { contract: { id } }: Sending,
  { signId }: Draft,
): Promise<SentSignature> {
  const now = iso(ctx.clock.now());
  await ctx.writer.write((db) => {
    setSendingAsked(db, { id, now });
    // Why an earlier attempt has not reached the customer says nothing about this one.
    setRefusal(db, { id, refusal: null });
  });
  const { link, lastMoment } = await ctx.provider.activate(signId);
  if (link) return { signId, lastMoment, ...link };
  const contract = requireContract(ctx.db, { id });
  const asked = await ctx.provider.getSignatureStatus({ ...contract, signId });
  return sentAs(ctx, (await proveOurs(ctx, asked, contract)) ?? { ...asked, signers: [] });
}

/** Reports documents of somebody else. A contract with nothing else there gets a new name. */
async function keepApart(
  ctx: Context,
  { contract, actor }: Sending,
  { ours, foreign }: There<Draft>,
): Promise<void> {
  const { id, paymentGeneration } = contract;
  await change(ctx, { actor }, (tx) => {
    for (const one of foreign) tellForeign(tx, contract, one, { isServed: true });
    if (ours.length === 0) setIdentity(tx.db, { id, ...newIdentity(tx.db, paymentGeneration) });
  });
}

async function openDraft(ctx: Context, { id }: ContractRow): Promise<OpenPdf> {
  const pdf = await openDraftPdf(ctx, requireContract(ctx.db, { id }));
  if (pdf) return pdf;
  throw new AppError('refused', 'contract_pdf_missing', 'The PDF of the contract is missing.', {
    hint: 'Start or reset the signature again: the PDF is created again.',
  });
}
