/**
 * Brings a request's payment into line with the payment provider (rules 2): asks, reads our rows and decides inside one unit, applies,
 * then does what is owed at the provider, and looks again. What happened matters less than what is, so every way in is the same.
 */
import { setPaymentKey } from '../../db/contracts/contracts.js';
import { change, type By, type Change, type Try } from '../change.js';
import type { Context } from '../context.js';
import { isProviderError } from '../http/provider-error.js';
import { ABSENT, answerOf, CLOSED, type Answer, type Answers } from './answers.js';
import { applyPayment } from './apply.js';
import { decidePayment, type PaymentDecision, type PaymentEffect, type PaymentStanding } from './decide.js';
import { askAbout, observePayment, type Observing, type Silence } from './observe.js';
import { contractToPay, factsOf, ourPayments, ownPayments, type OurPayments } from './our-payments.js';
import { hash } from 'node:crypto';
import type { Db } from '../../db/db.js';
import { requireUser } from '../../db/users/users.js';
import { ownName } from '../installation/identity.js';
import { text } from '../texts/index.js';
import { localeOf } from '../users/names.js';
import type { NewSession } from './provider.js';

export interface PaymentTrigger extends Try, Observing {
  /** What is known without asking. */
  answers?: Answers;
  /** The customer stands before the page and needs no mail. */
  isQuiet?: boolean;
  /** How often a person has replayed the job that makes the page: the provider repeats a refusal under the same key. */
  replays?: number;
  /** What else the first unit writes, by what it has decided. */
  note?: (tx: Change, decided: Reconciled) => void;
}

export interface Reconciled {
  standing: PaymentStanding;
  /** All that was done, or would be. */
  effects: PaymentEffect[];
  /** To the first questions. */
  answers: Answers;
  silences: Silence[];
}

/** A race with the customer can cost a look or two; the next check goes on. */
const LOOKS_MAX = 6;

/** Throws a ProviderError only when a page cannot be made. */
export async function reconcilePayment(
  ctx: Context,
  requestId: number,
  { note, ...trigger }: PaymentTrigger,
): Promise<Reconciled> {
  const { answers, silences } = trigger.answers
    ? { answers: trigger.answers, silences: [] }
    : await observePayment(ctx, requestId, trigger);
  const effects: PaymentEffect[] = [];
  let news: Answers = answers;
  for (let look = 1; ; look += 1) {
    const { decision, order } = await decideAndApply(ctx, requestId, news, {
      ...trigger,
      isListed: !silences.some(isOfList),
      ...(look === 1 && note && { note: (tx, decided) => note(tx, { ...decided, answers, silences }) }),
    });
    const { standing } = decision;
    if (trigger.dryRun) return { standing, effects: decision.effects, answers, silences };
    news = await doOwed(ctx, decision.effects, order, silences);
    effects.push(...decision.effects.filter((each) => each.do !== 'close' || news.has(each.paymentId)));
    if (news.size === 0 || look === LOOKS_MAX) return { standing, effects, answers, silences };
  }
}

interface Decided {
  decision: PaymentDecision;
  /** The page to make; its key is on disk, if the call will be made. */
  order?: SessionOrder | undefined;
}

async function decideAndApply(
  ctx: Context,
  requestId: number,
  answers: Answers,
  trigger: Omit<PaymentTrigger, 'note'> & Noting,
): Promise<Decided> {
  const preview = decidePayment(factsOf(ctx.db, ourPayments(ctx.db, requestId), answers, trigger.wants));
  // What changes nothing costs no write; but a page that is wanted may have to be mailed.
  const changesNothing = preview.effects.every(isClosing) && trigger.wants !== 'page' && !trigger.note;
  if (trigger.dryRun || changesNothing) return { decision: preview };
  return change(ctx, trigger, (tx) => decideIn(tx, ctx, requestId, answers, trigger));
}

interface Noting {
  /** Without the provider's list, a second page could be made, so none is. */
  isListed?: boolean;
  note?: (tx: Change, decision: PaymentDecision) => void;
}

/** The one unit: our rows are read again, and what follows from them is written. */
export function decideIn(
  tx: Change,
  ctx: Pick<Context, 'config'>,
  requestId: number,
  answers: Answers,
  { wants = null, isQuiet, replays = 0, note, isListed }: Omit<PaymentTrigger, keyof By | 'note'> & Noting,
): Decided {
  const ours = ourPayments(tx.db, requestId);
  const decision = decidePayment(factsOf(tx.db, ours, answers, wants));
  applyPayment(tx, { ours, answers, decision, isQuiet, wants });
  note?.(tx, decision);
  if (!decision.effects.some((each) => each.do === 'make')) return { decision };
  // Read again: sessions that were found have just been stored.
  const order = orderSession(ctx, tx.db, ourPayments(tx.db, requestId), replays);
  if (isListed) setPaymentKey(tx.db, { id: order.session.contractId, paymentKey: order.key });
  return { decision, order };
}

const isClosing = (effect: PaymentEffect) => effect.do === 'close';
const isOfList = ({ paymentId }: Silence) => paymentId === null;

/** What the provider answers to it. */
async function doOwed(
  ctx: Context,
  effects: readonly PaymentEffect[],
  order: SessionOrder | undefined,
  silences: Silence[],
): Promise<Answers> {
  const news = new Map<string, Answer>();
  for (const effect of effects) {
    if (effect.do !== 'close') continue;
    const { paymentId } = effect;
    try {
      news.set(paymentId, await closePage(ctx, paymentId));
    } catch (error) {
      if (!isProviderError(error)) throw error;
      silences.push({ paymentId, error });
    }
  }
  if (!order) return news;
  const unlisted = silences.find(isOfList);
  if (unlisted) throw unlisted.error;
  const { session, key } = order;
  const made = await ctx.payment.createSession(session, key);
  return news.set(made.paymentId, { ...answerOf(made), contractId: session.contractId, isByUs: true });
}

/** Whoever is faster wins: a page that the customer has just paid is not closed. */
async function closePage(ctx: Context, paymentId: string): Promise<Answer> {
  try {
    await ctx.payment.expireSession(paymentId);
    return CLOSED;
  } catch (error) {
    if (isProviderError(error, 'not_found')) return ABSENT;
    if (!isProviderError(error, 'rejected')) throw error;
    const answer = await askAbout(ctx, paymentId);
    if (answer.theirs === 'open') throw error;
    return answer;
  }
}

// The page that is to be made for a contract, and the key under which the provider makes it once (rules 5).

interface SessionOrder {
  session: NewSession;
  key: string;
}

/**
 * The key is made of the contract's name, the number of its sessions that are known, and the content: after a lost answer it is the
 * same, after a session that is over another. `replays`: the provider repeats what it has stored for a key, even a refusal, so a
 * person's replay uses another.
 */
function orderSession(
  { config }: Pick<Context, 'config'>,
  db: Db,
  ours: OurPayments,
  replays: number,
): SessionOrder {
  const { request } = ours;
  const contract = contractToPay(ours);
  const customer = requireUser(db, { id: request.ownerId });
  const locale = localeOf(config, customer);
  const { reference, title } = request;
  const name = ownName(db, contract.key);
  const session: NewSession = {
    clientReference: name,
    requestId: request.id,
    contractId: contract.id,
    reference,
    productName: text(locale, 'payment.product', { reference, title }),
    amount: contract.amount,
    currency: contract.currency,
    customerEmail: customer.username,
    locale,
    successUrl: `${config.baseUrl}/paid`,
  };
  const content = hash('sha256', JSON.stringify(session)).slice(0, 16);
  return { session, key: [name, ownPayments(ours).length, replays, content].join('-') };
}
