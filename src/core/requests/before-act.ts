/** What is asked before an act: which request, what is done, what becomes of the links that the customer has; and which acts are open. */
import type { ContractRow, RequestRow, UserRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import type { Context } from '../context.js';
import { refusalOf } from '../calls/each-act.js';
import type { AppError } from '../errors.js';
import { priceOf } from '../prices/request-price.js';
import { priceWords } from '../payment/price.js';
import { ourPayments, shownPayment, type OurPayments, standingOfPayments } from '../payment/our-payments.js';
import { acceptedPayment, paymentWords, undecidedPayments } from '../payment/payment-cases.js';
import { mustBeSendable } from '../signature/prepare-contract.js';
import { lateSignedAt } from '../signature/told.js';
import { formatFullMoment, formatDay } from '../texts/format.js';
import { text } from '../texts/index.js';
import { type Act, type ActOption, type Asked, type RequestStanding, ACTS } from './acts.js';
import { nameOrAddress } from '../users/names.js';
import { findCurrentContract } from '../../db/contracts/contracts.js';
import { findRenewal } from '../../db/requests/requests.js';
import { iso } from '../clock.js';
import { standingOf } from '../signature/standing.js';
import { hasSignedSecond } from '../signature/unknown-signatures.js';
import { isRenewable, isTermOver } from './renew-request.js';
import { openCase } from './settle-request.js';

export interface Before {
  standing: RequestStanding;
  isOpen: boolean;
  /** It is open, and nothing is certain to refuse it. */
  isPossible: boolean;
  /** It is certain to be refused, for what the contract would say or to whom it would go. */
  refusal: AppError | undefined;
  question: string;
  /** Of the contract that would be sent; before another act that of the one that counts, if there is one. */
  price: string;
  /** A contract leaves by it. */
  sends: boolean;
  needsReason: boolean;
  contractId: number | undefined;
  /** What becomes of the links, a sentence each. */
  links: string[];
  choices: Choice[];
}

/** Something that can be chosen of this request, by an option of the act. */
export interface Choice {
  option: string;
  value: string;
  words: string;
}

/** In the language of the settings. */
export function beforeAct(
  ctx: Context,
  request: RequestRow,
  act: Act,
  asked: Pick<Asked, 'amount'> = {},
): Before {
  const { db, config } = ctx;
  const ours = ourPayments(db, request.id);
  const { contract } = ours;
  const standing = requestStanding(ctx, ours);
  const key = act.question?.(standing) ?? (`act.${act.name}.ask` as const);
  const signedAt = contract && lateSignedAt(db, contract);
  const written = (at: string | null | undefined) => (at ? formatFullMoment(config, at) : '–');
  const accepted = acceptedPayment(ours);
  const isOpen = act.isOpen(standing);
  const refusal =
    act.answers === 'contract' ? refusalToSend(ctx, request, act, { contract, ...asked }) : undefined;
  return {
    standing,
    isOpen,
    isPossible: isOpen && refusal === undefined,
    refusal,
    question: text(config.locale, key, {
      reference: request.reference,
      title: request.title,
      customer: nameOrAddress(requireUser(db, { id: request.ownerId })),
      signed: written(signedAt),
      last: written(contract?.expiredAt),
      payments: paymentWords(config.locale, undecidedPayments(ours)),
      paid: paymentWords(config.locale, accepted ? [accepted] : []),
    }),
    price: priceBefore(ctx, request, act, { contract, ...asked }),
    sends: act.answers === 'contract',
    needsReason: act.reason === 'required' || act.needsReason?.(standing) === true,
    contractId: act.isOfOneContract ? contract?.id : undefined,
    links: fateOfLinks(ctx, ours, act),
    choices: choicesOf(act, standing, (label, value) => {
      const payment = ours.payments.find(({ paymentId }) => paymentId === value);
      return `${text(config.locale, label)} ${paymentWords(config.locale, payment ? [payment] : [])}`.trim();
    }),
  };
}

function choicesOf(
  { options = {} }: Act,
  standing: RequestStanding,
  words: (label: ActOption['label'], value: string) => string,
): Choice[] {
  return Object.entries(options).flatMap(([option, { label, choices }]) =>
    (choices?.(standing) ?? []).map((value) => ({ option, value, words: words(label, value) })),
  );
}

/** Of a contract that would be sent, or of the one that counts. */
function priceBefore(
  { config, db }: Context,
  request: RequestRow,
  act: Act,
  { contract, amount: ownAmount }: { contract: ContractRow | undefined; amount?: number | undefined },
): string {
  const isAlive = contract?.status === 'PENDING' || contract?.status === 'SIGNED';
  if (isAlive && act.answers !== 'contract') return priceWords(config.locale, contract);
  return priceToCome({ config, db }, request, ownAmount);
}

/** Of a contract made now, with where it comes from. */
export function priceToCome(
  { config, db }: Pick<Context, 'config' | 'db'>,
  request: RequestRow,
  ownAmount?: number,
): string {
  const { source, ...price } = priceOf({ config }, db, request.id, ownAmount);
  const from = text(config.locale, `price.source.${source}`);
  return `${priceWords(config.locale, { ...price, vat: config.vat })}, ${from}`;
}

/** The customer may get a PDF of the office's own; of a reset never. */
function refusalToSend(
  ctx: Context,
  request: RequestRow,
  { options }: Act,
  { contract, amount }: { contract: ContractRow | undefined; amount?: number | undefined },
): AppError | undefined {
  const isOwnPdf = options?.['pdf'] !== undefined && contract?.status === 'PENDING' && contract.ownPdf === 1;
  return refusalOf(() => mustBeSendable(ctx, request, { isOwnPdf, ownAmount: amount }));
}

// What becomes of the links that a customer has by mail, told to the office before it acts (rules 10): sentences in the
// language of the settings, which name the customer.

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

// How a request stands, and the acts that are open then: no button leads to a certain refusal.

export function openActs(ctx: Context, request: RequestRow): Act[] {
  const standing = requestStanding(ctx, ourPayments(ctx.db, request.id));
  return ACTS.filter((act) => act.isOpen(standing));
}

export function requestStanding({ db, clock }: Context, ours: OurPayments): RequestStanding {
  const { request } = ours;
  const now = iso(clock.now());
  const signature = standingOf(request, ours.contract, now);
  const toDecide = openCase(db, ours);
  const isOnSecond = hasSignedSecond(db, request.id);
  return {
    status: request.status,
    signature,
    payment: paymentNow(ours, now),
    isLate: signature === 'late' || isOnSecond,
    isOnSecond,
    hasPayments: ours.payments.length > 0,
    hasPayLink: request.payToken !== null,
    case: toDecide,
    isRenewable:
      isRenewable(request, ours.contract) &&
      (toDecide.term || isTermOver(ours.contract)) &&
      !findRenewal(db, { renewsId: request.id }),
    isErased: requireUser(db, { id: request.ownerId }).erasedAt !== null,
  };
}

function paymentNow(ours: OurPayments, now: string): RequestStanding['payment'] {
  const standing = standingOfPayments(ours);
  const endsAt = shownPayment(ours)?.expiresAt ?? null;
  return standing === 'payable' && endsAt !== null && endsAt <= now ? 'no_page' : standing;
}
