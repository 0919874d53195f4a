/**
 * The acts on a request, each declared once (rules 2, 6, 10): API, back office and command line render what stands here.
 * The command line loads this at every start, so an act imports what it does when it is run.
 */
import type { Keep } from '../calls/idempotency.js';
import type { By } from '../change.js';
import { command, type Advice, type Command } from '../commands.js';
import type { Context } from '../context.js';
import type { ErrorCode } from '../errors.js';
import type { PdfFile } from '../contracts/contract-files.js';
import type { ContractRow, PaymentRow, RequestRow, RequestStatus } from '../rows.js';
import type { PaymentStanding } from '../payment/decide.js';
import type { PaymentCheckResult } from '../payment/check-payment.js';
import type { CheckResult } from '../signature/check-signature.js';
import type { SignatureStanding } from '../signature/standing.js';
import type { KeyOf, LabelKey, TextKey, TextParams } from '../texts/index.js';
import type { Settled } from './settle-request.js';

/** In the order of a request's life. */
export const ACT_NAMES = [
  'start-signature',
  'check-signature',
  'accept-late',
  'reset-signature',
  'check-payment',
  'renew-payment',
  'give-up-payment',
  'complete',
  'remind',
  'cancel',
  'reopen',
  'renew-contract',
  'settle',
] as const;

export type ActName = (typeof ACT_NAMES)[number];

/** How a request stands by our rows: which acts are open, and what is asked before them. */
export interface RequestStanding {
  status: RequestStatus;
  signature: SignatureStanding;
  /** A page past its time is none: the check will find it so. */
  payment: PaymentStanding;
  /** A signature waits to be accepted: it came late, or stands on a second document. */
  isLate: boolean;
  isOnSecond: boolean;
  hasPayments: boolean;
  hasPayLink: boolean;
  /** What does not count waits for a decision. */
  case: Settled;
  /** Its term ends or has ended, and no request renews its contract yet. */
  isRenewable: boolean;
  /** Nobody is left to sign. */
  isErased: boolean;
}

/** The links that the customer has by mail: the times of the last mails. */
export interface MailedLinks {
  sign: string | undefined;
  pay: string | undefined;
  /** The contract can still be signed. */
  isOpen: boolean;
}

export interface Asked extends By {
  /** Ask the providers and check the rules, but change nothing. */
  dryRun?: boolean;
  /** The contract that was shown; another one by now is refused. */
  contractId?: number | undefined;
  /** Sent instead of the generated contract. */
  pdf?: PdfFile | undefined;
  /** The price that the request gets, in minor units. */
  amount?: number | undefined;
  notify?: boolean | undefined;
  payments?: readonly string[] | undefined;
  signature?: boolean | undefined;
  /** Runs in the transaction that records the contract as sent. */
  keep?: Keep<ContractRow> | undefined;
}

type QuestionKey = KeyOf<'reference' | 'title' | 'customer' | 'signed' | 'last' | 'payments' | 'paid'>;

export interface ActOutcome {
  type: 'success' | 'info' | 'error';
  key: TextKey;
  params?: TextParams;
  /** The text to show; by default that of the key. */
  words?: TextKey;
  next?: Advice | undefined;
  isRepeat?: boolean;
  /** The payment page could not be made yet; it is retried. */
  isUnpayable?: boolean;
  /** The contract that was made or accepted, the payment link that was made. */
  contract?: ContractRow | undefined;
  payment?: PaymentRow | undefined;
  /** Of a dry run: the payment that would be accepted. */
  accepts?: PaymentRow | undefined;
  /** The request that was made, or had been made before. */
  made?: RequestRow | undefined;
  /** What came of it, for programs. */
  document: Record<string, unknown>;
}

type Icon =
  | 'arrow-counterclockwise'
  | 'arrow-repeat'
  | 'check2-circle'
  | 'credit-card'
  | 'pen'
  | 'send'
  | 'x-circle';

/**
 * What an act takes besides a reason: a body, a form and the options of a command are made from it. `list`: several words; `money`: an
 * amount, which people type in the currency of the settings, and programs in its smallest unit.
 */
export interface ActOption {
  kind: 'flag' | 'list' | 'pdf' | 'money';
  about: string;
  /** By default the name. */
  flag?: string;
  /** What is said before the command acts without it. */
  otherwise?: string;
  /** Of its field, or of each of its boxes. */
  label: LabelKey;
  /** What a form offers for one request, all of it ticked at first. By default it is one field, for all requests. */
  choices?: (standing: RequestStanding) => readonly string[];
}

export interface Act {
  name: ActName;
  command: Command['name'];
  /** Of the API, below the request. */
  path: string;
  label: LabelKey;
  /** In the documents of the API. */
  title: string;
  /** What it does, in the help and in these documents. */
  about: string;
  /** What follows the command in the help's examples. */
  examples: readonly string[];
  /** In the lines of the command line. */
  does: string;
  did: string;
  /** Of its button. The check's tone is public. */
  icon: Icon;
  tone?: 'warning';
  options?: Readonly<Record<string, ActOption>>;
  reason: 'none' | 'optional' | 'required';
  /** Where a reason is needed as well, because of how the request stands. */
  needsReason?: (standing: RequestStanding) => boolean;
  isDanger?: boolean;
  /** A form sent twice acts once: by then the contract is another one. */
  isOfOneContract?: boolean;
  namesContracts?: boolean;
  /** The refusal of a command where words find several requests, and the act is open for none; by default one is chosen. */
  noneOpen?: { code: ErrorCode; words: string };
  /** When a command about one request asks; by default never. About several it does, unless it only checks. */
  asks?: (standing: RequestStanding) => boolean;
  /** Where nobody can be asked, --yes must have answered. */
  mustBeAnswered?: boolean;
  /** By default `act.<name>.ask`. */
  question?: (standing: RequestStanding) => QuestionKey | undefined;
  /** What becomes of the links that the customer has. */
  links?: (mailed: MailedLinks) => { key: KeyOf<'customer' | 'date'>; at?: string } | undefined;
  isOpen: (standing: RequestStanding) => boolean;
  /** The API answers with it: the contract that was made, what a check has found, or the request. */
  answers: 'contract' | 'check' | 'request';
  /** By its own rules, in the API. */
  refuses: readonly (409 | 422 | 503)[];
  run: (ctx: Context, request: RequestRow, asked: Asked) => Promise<ActOutcome>;
}

const MEANS_TO_PAY: readonly PaymentStanding[] = ['payable', 'no_page'];
const UNPAID: readonly PaymentStanding[] = ['case', ...MEANS_TO_PAY];

const isBefore = ({ status }: RequestStanding) => status === 'new' || status === 'in_progress';
const isWaiting = ({ status }: RequestStanding) => status === 'WAITING_SIGNATURE';
const isUnpaid = ({ payment }: RequestStanding) => UNPAID.includes(payment);
const always = () => true;

const AMOUNT: ActOption = {
  kind: 'money',
  about: 'the price of the request, such as 180.00, whatever was offered',
  label: 'act.amount',
};

const DECLARED: Readonly<Record<ActName, Omit<Act, 'name'>>> = {
  'start-signature': {
    command: 'start-signature',
    path: 'signature',
    label: 'act.start-signature',
    title: 'Starts the signature of a request',
    about: 'create the contract of a request and send it to the customer for signature',
    examples: ['123', 'REQ-2026-000123 --amount 180.00', '123 --pdf terms.pdf', '12 13 14 --yes'],
    does: 'start the signature of',
    did: 'started the signature of',
    icon: 'pen',
    options: {
      amount: AMOUNT,
      pdf: {
        kind: 'pdf',
        about: 'send this PDF instead of the generated contract; with one request only',
        label: 'act.start-signature.pdf',
      },
    },
    reason: 'optional',
    asks: always,
    links: ({ sign, isOpen }) =>
      // A start that was interrupted goes on with its contract.
      !sign || isOpen ? { key: 'links.sign_new' } : { key: 'links.sign_over', at: sign },
    isOpen: isBefore,
    answers: 'contract',
    refuses: [409, 503],
    async run(ctx, request, asked) {
      const { startSignature } = await import('../signature/start-signature.js');
      return sent(ctx, 'start-signature', request, asked, await startSignature(ctx, request.id, asked));
    },
  },
  'check-signature': {
    command: 'check-signature',
    path: 'signature/check',
    // A public name.
    label: 'request.check_signature',
    title: 'Asks the provider what became of a signature, and follows its answer',
    about: 'ask the signature provider about a signature, and update the request',
    examples: ['123', 'REQ-2026-000123 --json', '--all --dry-run'],
    does: 'check the signature of',
    did: 'checked the signature of',
    icon: 'arrow-repeat',
    tone: 'warning',
    reason: 'none',
    noneOpen: { code: 'not_waiting_signature', words: 'is waiting for a signature' },
    // A check also settles a contract that may have been sent.
    isOpen: (standing) => isWaiting(standing) || standing.signature === 'asked',
    answers: 'check',
    refuses: [409, 422, 503],
    async run(ctx, { id }, asked) {
      const { checkSignature } = await import('../signature/check-signature.js');
      const { nextAfterSignature } = await import('./after-check.js');
      const result = await checkSignature(ctx, id, asked);
      return { ...checked(result), next: nextAfterSignature(ctx, id, result) };
    },
  },
  'accept-late': {
    command: 'contracts accept-late',
    path: 'signature/accept-late',
    label: 'act.accept-late',
    title: 'Accepts a signature that came too late, or on a second document',
    about:
      'accept a signature that came after the deadline, or on a second document: the contract counts as signed, and the customer can pay',
    examples: ['45 --reason "agreed by phone"', '45 --reason "agreed by phone" --dry-run'],
    does: 'accept the signature of',
    did: 'accepted the signature of',
    icon: 'check2-circle',
    reason: 'required',
    isOfOneContract: true,
    namesContracts: true,
    question: ({ isOnSecond }) => (isOnSecond ? 'act.accept-late.second' : undefined),
    isOpen: (standing) => isWaiting(standing) && standing.isLate,
    answers: 'request',
    refuses: [409, 422, 503],
    async run(ctx, { id: requestId }, { contractId, ...asked }) {
      const { acceptLate } = await import('../signature/accept-late.js');
      const { contractIdOf } = await import('../contracts/contracts.js');
      const chosen = contractIdOf(ctx.db, requestId, contractId);
      const accepted = await acceptLate(ctx, chosen, withReason(asked));
      const { contract, signedAt, lastMoment, isPayable } = accepted;
      return {
        ...done('accept-late'),
        document: { contractId: chosen, requestId, signedAt, lastMoment },
        ...(!asked.dryRun && { contract, isUnpayable: !isPayable }),
      };
    },
  },
  'reset-signature': {
    command: 'reset-signature',
    path: 'signature/reset',
    label: 'act.reset-signature',
    title: 'Withdraws the contract of a request and sends a new one',
    about: 'withdraw the contract of a request and send a new one; refused once the customer has signed',
    examples: ['123', 'REQ-2026-000123 --yes --reason "wrong address"', '12 13 14 --dry-run'],
    does: 'send a new contract for',
    did: 'sent a new contract for',
    icon: 'arrow-counterclockwise',
    options: { amount: AMOUNT },
    reason: 'optional',
    isDanger: true,
    isOfOneContract: true,
    asks: always,
    mustBeAnswered: true,
    links({ sign, isOpen }) {
      if (!sign) return { key: 'links.sign_new' };
      return { key: isOpen ? 'links.sign_replaced' : 'links.sign_over', at: sign };
    },
    isOpen: isWaiting,
    answers: 'contract',
    refuses: [409, 422, 503],
    async run(ctx, request, asked) {
      const { resetSignature } = await import('../signature/reset-signature.js');
      return sent(ctx, 'reset-signature', request, asked, await resetSignature(ctx, request.id, asked));
    },
  },
  'check-payment': {
    command: 'payments check',
    path: 'payment/check',
    label: 'act.check-payment',
    title: 'Asks the provider what became of a payment, and follows its answer',
    about: 'ask the payment provider about a payment, and update the request',
    examples: ['123', '--all --dry-run', '123 --json', '--settle cs_live_a1b2 --reason "refunded"'],
    does: 'check the payment of',
    did: 'checked the payment of',
    icon: 'arrow-repeat',
    reason: 'none',
    noneOpen: { code: 'not_waiting_payment', words: 'has a payment to ask about' },
    isOpen: ({ payment, hasPayments }) => payment !== 'not_due' && payment !== 'paid' && hasPayments,
    answers: 'check',
    refuses: [409, 422, 503],
    async run(ctx, { id }, asked) {
      const { checkPayment } = await import('../payment/check-payment.js');
      const { nextAfterPayment } = await import('./after-check.js');
      const result = await checkPayment(ctx, id, asked);
      return { ...checked(result), next: nextAfterPayment(id, result) };
    },
  },
  'renew-payment': {
    command: 'payments renew',
    path: 'payment/renew',
    label: 'act.renew-payment',
    title: 'Makes a new payment link',
    about: 'create a new payment link in place of an expired one, and mail it to the customer',
    examples: ['123', 'REQ-2026-000123 --reason "customer was on holiday"', '12 13 --dry-run'],
    does: 'renew the payment link of',
    did: 'renewed the payment link of',
    icon: 'credit-card',
    reason: 'optional',
    // It settles the payments that do not count.
    needsReason: ({ payment }) => payment === 'case',
    question: ({ payment }) => (payment === 'case' ? 'act.renew-payment.settling' : undefined),
    isOpen: ({ payment }) => payment === 'case' || payment === 'no_page',
    answers: 'request',
    refuses: [409, 422, 503],
    async run(ctx, { id: requestId }, asked) {
      const { renewPaymentSession } = await import('../payment/renew-payment-session.js');
      const payment = await renewPaymentSession(ctx, requestId, asked);
      const { paymentId, paymentUrl, expiresAt } = payment ?? {};
      return { ...done('renew-payment'), document: { requestId, paymentId, paymentUrl, expiresAt }, payment };
    },
  },
  'give-up-payment': {
    command: 'payments give-up',
    path: 'payment/give-up',
    label: 'act.give-up-payment',
    title: 'Stops waiting for money that is on its way',
    about:
      'stop waiting for money that is on its way, so that the customer can pay again; if it still arrives, it counts while a payment is due, else it is a case',
    examples: [
      '123 --reason "the bank says that the debit failed"',
      '123 --reason "no such payment there" --dry-run',
    ],
    does: 'stop waiting for the money of',
    did: 'stopped waiting for the money of',
    icon: 'x-circle',
    reason: 'required',
    isOpen: ({ payment }) => payment === 'on_its_way',
    answers: 'request',
    refuses: [409, 422],
    async run(ctx, { id }, asked) {
      const { giveUpPayment } = await import('../payment/give-up-payment.js');
      return { ...done('give-up-payment'), document: shown(await giveUpPayment(ctx, id, withReason(asked))) };
    },
  },
  complete: {
    command: 'requests complete',
    path: 'complete',
    label: 'act.complete',
    title: 'Marks as paid a request that was paid in another way',
    about: 'mark as paid a request that was paid in another way; closes its payment link',
    examples: ['123 --reason "paid by bank transfer"', '123 --reason "paid in cash" --dry-run'],
    does: 'complete',
    did: 'completed',
    icon: 'check2-circle',
    reason: 'required',
    isDanger: true,
    asks: always,
    // It accepts the payment that does not count.
    question: ({ payment }) => (payment === 'case' ? 'act.complete.accepting' : undefined),
    links: ({ pay }) => (pay ? { key: 'links.pay_done', at: pay } : undefined),
    isOpen: isUnpaid,
    answers: 'request',
    refuses: [409, 422, 503],
    async run(ctx, request, asked) {
      const { completeRequest } = await import('./complete-request.js');
      const { acceptedPayment } = await import('../payment/payment-cases.js');
      const { ourPayments } = await import('../payment/our-payments.js');
      const accepts = asked.dryRun ? acceptedPayment(ourPayments(ctx.db, request.id)) : undefined;
      const document = shown(await completeRequest(ctx, request.id, withReason(asked)));
      return { ...done('complete'), document, accepts, isRepeat: request.status === 'COMPLETE' };
    },
  },
  remind: {
    command: 'requests remind',
    path: 'remind',
    label: 'act.remind',
    title: 'Reminds the customer',
    about: 'remind the customer to sign (the provider mails) or to pay (we mail the link again)',
    examples: ['123', 'REQ-2026-000123 --reason "did not find the mail"', '12 13 14 --yes'],
    does: 'remind the customer of',
    did: 'reminded the customer of',
    icon: 'send',
    reason: 'optional',
    isOpen: ({ signature, payment, hasPayLink }) =>
      signature === 'open' || (MEANS_TO_PAY.includes(payment) && hasPayLink),
    answers: 'request',
    refuses: [409, 422, 503],
    async run(ctx, request, asked) {
      const { remindRequest } = await import('../reminders/remind-request.js');
      const remindedOf = await remindRequest(ctx, request.id, asked);
      return { ...done('remind'), document: { ...shown(request), remindedOf } };
    },
  },
  cancel: {
    command: 'requests cancel',
    path: 'cancel',
    label: 'act.cancel',
    title: 'Cancels a request',
    about: 'cancel a request: withdraws its contract and closes its payment link',
    examples: [
      '123 --reason "boiler was sold" --notify',
      'REQ-2026-000123 --reason "entered twice" --dry-run',
    ],
    does: 'cancel',
    did: 'canceled',
    icon: 'x-circle',
    options: {
      notify: {
        kind: 'flag',
        about: 'tell the customer by mail; the mail does not give the reason',
        label: 'act.notify',
        otherwise: 'The customer is not told; --notify does that.',
      },
    },
    reason: 'required',
    isDanger: true,
    asks: always,
    question: (standing) => (isUnpaid(standing) ? 'act.cancel.signed' : undefined),
    links({ sign, pay, isOpen }) {
      if (pay) return { key: 'links.pay_ends', at: pay };
      return sign && isOpen ? { key: 'links.sign_ends', at: sign } : undefined;
    },
    isOpen: (standing) => isBefore(standing) || isWaiting(standing) || isUnpaid(standing),
    answers: 'request',
    refuses: [409, 422, 503],
    async run(ctx, request, asked) {
      const { cancelRequest } = await import('./cancel-request.js');
      const document = shown(await cancelRequest(ctx, request.id, withReason(asked)));
      return { ...done('cancel'), document, isRepeat: request.status === 'CANCELED' };
    },
  },
  reopen: {
    command: 'requests reopen',
    path: 'reopen',
    label: 'act.reopen',
    title: 'Reopens a canceled request',
    about: 'make a canceled request new again; its old contract stays expired',
    examples: ['123 --reason "canceled by mistake"'],
    does: 'reopen',
    did: 'reopened',
    icon: 'arrow-counterclockwise',
    reason: 'required',
    asks: always,
    links: ({ sign }) => (sign ? { key: 'links.none_revives', at: sign } : undefined),
    isOpen: ({ status, isErased }) => status === 'CANCELED' && !isErased,
    answers: 'request',
    refuses: [422],
    async run(ctx, { id }, asked) {
      const { reopenRequest } = await import('./reopen-request.js');
      const document = shown(await reopenRequest(ctx, id, withReason(asked)));
      return {
        ...done('reopen'),
        document,
        next: ['to send a new contract: ', command('start-signature', id)],
      };
    },
  },
  'renew-contract': {
    command: 'renew',
    path: 'renew',
    label: 'act.renew-contract',
    title: 'Makes the request that renews the contract of this one',
    about:
      'make a new request for the same customer and equipment, so that a contract whose term ends is renewed',
    examples: ['123', '12 13 14 --notify --yes', 'REQ-2026-000123 --dry-run'],
    does: 'renew the contract of',
    did: 'renewed the contract of',
    icon: 'arrow-repeat',
    options: {
      notify: {
        kind: 'flag',
        about: 'tell the customer by mail that a new contract will come',
        label: 'act.notify',
      },
    },
    reason: 'optional',
    isOpen: ({ isRenewable }) => isRenewable,
    answers: 'request',
    refuses: [422],
    async run(ctx, { id: requestId }, asked) {
      const { renewRequest } = await import('./renew-request.js');
      const { renewal: made, isRepeat } = await renewRequest(ctx, requestId, asked);
      return {
        ...done('renew-contract'),
        document: { requestId, renewedBy: made ? { id: made.id, reference: made.reference } : null },
        isRepeat,
        made,
        next:
          made?.status === 'new'
            ? ['to send the contract: ', command('start-signature', made.id)]
            : undefined,
      };
    },
  },
  settle: {
    command: 'requests settle',
    path: 'settle',
    label: 'act.settle',
    title: 'Settles a case',
    about:
      'record that a payment or signature that does not count has been dealt with; without options, all of them',
    examples: ['123 --reason "refunded"', '123 --payment cs_live_a1b2 --reason "refunded"'],
    does: 'settle the case of',
    did: 'settled the case of',
    icon: 'check2-circle',
    options: {
      payments: {
        kind: 'list',
        about: 'only these payments, by their paymentIds',
        flag: 'payment',
        label: 'evidence.payment',
        choices: (standing) => standing.case.payments,
      },
      signature: {
        kind: 'flag',
        about: 'only the signature; with --payment, both',
        label: 'act.settle.signature',
        choices: (standing) => (standing.case.signature ? ['1'] : []),
      },
    },
    reason: 'required',
    question: ({ case: { payments, signature } }) =>
      payments.length === 0 && !signature ? 'act.settle.term' : undefined,
    isOpen: (standing) => standing.case.payments.length > 0 || standing.case.signature || standing.case.term,
    answers: 'request',
    refuses: [422],
    async run(ctx, { id }, asked) {
      const { settleRequest } = await import('./settle-request.js');
      const { request, settled } = await settleRequest(ctx, id, withReason(asked));
      return { ...done('settle'), document: { ...shown(request), settled } };
    },
  },
};

export const ACTS: readonly Act[] = ACT_NAMES.map(actCalled);

export function actCalled(name: ActName): Act {
  return { name, ...DECLARED[name] };
}

/** The act that an advised command does; undefined where only the command line can do it. */
export function actOf({ name }: Command): Act | undefined {
  return ACTS.find((act) => act.command === name);
}

function withReason({ reason = '', ...asked }: Asked) {
  return { ...asked, reason };
}

function done(name: Exclude<ActName, 'check-signature' | 'check-payment'>): Omit<ActOutcome, 'document'> {
  return { type: 'success', key: `act.${name}.done` };
}

/** A dry run says what would be sent. */
async function sent(
  ctx: Context,
  name: 'start-signature' | 'reset-signature',
  { id: requestId, reference }: RequestRow,
  { amount: ownAmount }: Asked,
  contract: ContractRow | undefined,
): Promise<ActOutcome> {
  if (contract) return { ...done(name), document: {}, contract };
  const { readTerms } = await import('../contracts/terms.js');
  const { customer, wording } = readTerms(ctx, ctx.db, requestId, ownAmount);
  const { title, description, amount, currency } = wording;
  const document = {
    requestId,
    reference,
    customer: customer.username,
    title,
    description,
    amount,
    currency,
  };
  return { ...done(name), document, contract };
}

/** An answer of a provider: the same for programs and people. */
function checked(result: CheckResult | PaymentCheckResult): ActOutcome {
  const { type, key } = result;
  return { ...result, document: { type, key, ...('params' in result && { params: result.params }) } };
}

function shown({ id, reference, status }: RequestRow): Record<string, unknown> {
  return { id, reference, status };
}
