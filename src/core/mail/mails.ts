/** What each mail says: its texts, its facts, and the next step when a person must take one. */
import type { ContractRow, PaymentRow, RequestRow, UserRow } from '../../db/schema.js';
import { command, type Advice, type Command, type WriteCommand } from '../commands.js';
import { isBeforeSending } from '../lifecycle.js';
import { moneyWords, priceWords } from '../payment/price.js';
import { settlingUnknown } from '../payment/unknown-payments.js';
import { formatDay, formatFullMoment, formatMoment, formatMoney, type Reader } from '../texts/format.js';
import type { KeyNaming } from '../texts/catalogue.js';
import { sayIn, text, type LabelKey, type TextParams } from '../texts/index.js';
import type { mails } from '../texts/mails.js';
import type { NewPasswordLink } from '../users/password-links.js';
import { outcomeWords } from '../webhooks/words.js';
import { payLink } from '../payment/pay-link.js';
import { type MailContent, writeLetter } from './letter.js';
import {
  isToCustomer,
  type PasswordOrder,
  type RequestMail,
  type RequestOrder,
  type RunNotice,
  type UnknownPaymentNotice,
  type WebhookNotice,
} from './mail-job.js';
import { fullName, nameOrAddress } from '../users/names.js';

export interface Sender extends Reader {
  issuer: string;
  /** Its address, registration and contact, with its name. */
  company?: string | undefined;
  baseUrl: string;
  write: WriteCommand;
}

export interface Subject extends Sender {
  request: Pick<RequestRow, 'id' | 'reference' | 'title' | 'status' | 'payToken'>;
  customer: Pick<UserRow, 'firstName' | 'lastName' | 'username'>;
}

export interface RequestFacts extends Subject {
  contract: Pick<ContractRow, 'id' | 'amount' | 'currency' | 'vat' | 'signedAt' | 'expiredAt'>;
  payment: (paymentId: string) => Pick<PaymentRow, 'amount' | 'currency' | 'paidAt'>;
  isToPay: boolean;
  /** The signed contract is too large to go with the mail. */
  isBare: boolean;
}

type MailKey<Given extends string> = KeyNaming<typeof mails, Given>;

interface Draft<Given extends string> {
  subject: MailKey<Given>;
  intro: readonly MailKey<Given>[];
  next: readonly MailKey<Given>[];
  /** One without a value is left out. */
  facts: readonly Fact[];
  action?: { label: MailKey<Given>; url: string; code?: MailKey<Given> };
  command?: Command | false;
}

type Params<Given extends string> = Readonly<Record<Given, number | Advice>>;

/** About a request: what its texts name besides the request itself. */
interface RequestDraft extends Draft<string> {
  params?: TextParams;
}

type OfRequest = 'issuer' | 'reference' | 'name' | 'customer';

/** Refuses texts that name what is not given. */
function draft<Given extends string = never>(
  one: Draft<Given | OfRequest> & { params?: Params<Given> },
): RequestDraft {
  return one;
}

/** Mails that have a subject, an introduction and a next step of their own. */
type Named<Part extends string> = keyof typeof mails extends infer Key
  ? Key extends `mail.${infer Name}.${Part}`
    ? Name
    : never
  : never;

function textsOf<Name extends Named<'subject'> & Named<'intro'> & Named<'next'>>(name: Name) {
  return {
    subject: `mail.${name}.subject`,
    intro: [`mail.${name}.intro`],
    next: [`mail.${name}.next`],
  } as const;
}

type Fact = readonly [label: LabelKey, value: string | number | null | undefined];

export function requestMail<M extends RequestMail>(order: RequestOrder<M>, facts: RequestFacts): MailContent {
  const draft = DRAFTS[order.mail](order, facts);
  return (isToCustomer(order) ? toCustomer : toOffice)(facts, draft);
}

/** "Your request was canceled": without the reason, which is the office's own. */
export function cancelMail(facts: Subject): MailContent {
  return toCustomer(facts, draft({ ...textsOf('canceled'), facts: [] }));
}

/** A new contract will come: the term of the last one ends then. */
export function renewalMail(facts: Subject, endsAt: string): MailContent {
  const term: Fact = ['evidence.term_end', formatDay(facts, endsAt)];
  return toCustomer(facts, draft({ ...textsOf('renewal'), facts: [term] }));
}

function toCustomer(facts: Subject, draft: RequestDraft): MailContent {
  const ends = { greeting: 'mail.greeting', closing: 'mail.closing', footer: 'mail.footer' } as const;
  return written(facts, { ...draft, ...ends, ...about(facts, draft) });
}

function toOffice(facts: Subject, draft: RequestDraft): MailContent {
  const { request, customer, baseUrl } = facts;
  const name = fullName(customer);
  const who: Fact = ['list.customer', name ? `${name}, ${customer.username}` : customer.username];
  const action = { label: 'mail.open_request', url: `${baseUrl}/admin/requests/${request.id}` } as const;
  return written(facts, { ...draft, ...OFFICE, action, ...about(facts, draft, who) });
}

/** What the texts are filled with, and the facts, which begin with the request's own. */
function about({ request, customer, issuer }: Subject, draft: RequestDraft, ...who: Fact[]) {
  const { reference, title } = request;
  const name = fullName(customer);
  const known: Fact[] = [
    ['list.request', reference],
    ['evidence.subject', title],
  ];
  return {
    params: { ...draft.params, issuer, reference, name, customer: nameOrAddress(customer) },
    facts: [...known, ...who, ...draft.facts],
  };
}

const OFFICE = { greeting: 'mail.greeting.admin', footer: 'mail.footer.admin' } as const;

/** The texts are those of the mail's name; what differs from one contract to the next is a fact. */
const DRAFTS: { [M in RequestMail]: (order: RequestOrder<M>, facts: RequestFacts) => RequestDraft } = {
  /** The sender attaches the signed PDF, unless it is too large. */
  'contract-signed': (_, facts) =>
    draft({
      subject: 'mail.signed.subject',
      intro: ['mail.signed.intro', facts.isBare ? 'mail.signed.too_large' : 'mail.signed.attached'],
      facts: [signedAt(facts)],
      next: facts.isToPay ? ['mail.signed.next'] : [],
    }),
  'payment-link': (_, facts) =>
    draft({ ...toPay(facts), subject: 'mail.payment.subject', intro: ['mail.payment.intro'] }),
  'payment-reminder': (_, facts) =>
    draft({ ...toPay(facts), subject: 'mail.reminder.subject', intro: ['mail.reminder.intro'] }),
  'payment-received': ({ paymentId }, facts) =>
    draft({ ...textsOf('received'), ...paidFacts(paymentId, facts) }),
  'admin-paid': ({ paymentId }, facts) => draft({ ...textsOf('admin_paid'), ...paidFacts(paymentId, facts) }),
  'admin-signed': (_, facts) =>
    draft({ ...textsOf('admin_signed'), facts: [['list.contract', facts.contract.id], signedAt(facts)] }),
  'contract-ended': ({ reason, declineReason }, { locale, request, contract }) => {
    const how = isBeforeSending(request) ? 'start' : 'reset';
    return draft({
      subject: 'mail.ended.subject',
      intro: [`mail.ended.intro.${reason}`, `mail.ended.state.${how}`],
      facts: [
        ['list.contract', contract.id],
        ['mail.label.reason', text(locale, `mail.ended.reason.${reason}`)],
        ['mail.label.decline_reason', declineReason],
      ],
      next: [`mail.ended.next.${how}`],
      command: command(`${how}-signature`, request.id),
    });
  },
  'signed-late': (order, facts) =>
    draft({
      ...textsOf('late'),
      params: { command: [command('reset-signature', facts.request.id)] },
      facts: [
        ['list.contract', facts.contract.id],
        [
          'evidence.sign_before',
          facts.contract.expiredAt && formatFullMoment(facts, facts.contract.expiredAt),
        ],
        [
          'mail.label.signed_at',
          order.signedAt ? formatFullMoment(facts, order.signedAt) : text(facts.locale, 'mail.unknown'),
        ],
      ],
      command: { ...command('contracts accept-late', facts.contract.id), reason: '…' },
    }),
  'replaced-signed': ({ by }, { contract }) =>
    draft({
      ...textsOf('replaced'),
      params: { old: contract.id, contract: by },
      facts: [['list.contract', contract.id]],
      command: command('contracts show', by),
    }),
  'canceled-signed': (_, { contract, request }) =>
    draft({
      ...textsOf('canceled_signed'),
      facts: [['list.contract', contract.id]],
      command: { ...command('requests reopen', request.id), reason: '…' },
    }),
  'foreign-signature': ({ signId, externalId, isServed }, { request, contract }) =>
    draft({
      subject: 'mail.foreign.subject',
      intro: ['mail.foreign.intro'],
      facts: [
        ['list.contract', contract.id],
        ['mail.label.sign_id', signId],
        ['mail.label.external_id', externalId],
      ],
      next: [isServed ? 'mail.foreign.served' : 'mail.foreign.stopped'],
      command: !isServed && command('reset-signature', request.id),
    }),
  'payment-trouble': ({ trouble, paymentId, detail, paid }, { locale, request, contract }) =>
    draft({
      ...textsOf(trouble),
      facts: [
        ['list.amount', formatMoney(locale, contract.amount, contract.currency)],
        ['state.paid', paid && moneyWords(locale, paid)],
        ['evidence.payment', paymentId],
        ['mail.label.error', detail],
      ],
      command: afterTrouble(trouble, request.id),
    }),
};

type Trouble = RequestOrder<'payment-trouble'>['trouble'];

function afterTrouble(trouble: Trouble, requestId: number): Command | false {
  switch (trouble) {
    case 'payment_failed':
      return false;
    case 'paid_unsigned':
      return command('check-signature', requestId);
    case 'canceled_paid':
      return { ...command('requests settle', requestId), reason: '…' };
    case 'old_session_paid':
    case 'other_price':
      // What helps depends on what has become of the request.
      return command('explain', requestId);
  }
}

function toPay({ locale, baseUrl, request, contract }: RequestFacts) {
  const url = payLink(baseUrl, request);
  if (url === null) throw new Error(`request ${request.id} has no link to pay`);
  return {
    params: { amount: formatMoney(locale, contract.amount, contract.currency) },
    facts: [['list.amount', priceWords(locale, contract)]],
    action: { label: 'mail.payment.action', url, code: 'mail.payment.code' },
    next: ['mail.payment.lasting'],
  } as const;
}

function paidFacts(paymentId: string, facts: RequestFacts) {
  const { amount, currency, paidAt } = facts.payment(paymentId);
  const price = moneyWords(facts.locale, { amount, currency });
  return {
    params: { amount: price },
    facts: [
      ['list.amount', price],
      ['mail.label.paid_at', paidAt && formatMoment(facts, paidAt)],
    ],
  } as const;
}

function signedAt(facts: RequestFacts): Fact {
  return ['mail.label.signed_at', facts.contract.signedAt && formatMoment(facts, facts.contract.signedAt)];
}

/** A link to set a password. It stands nowhere else. */
export function passwordMail(
  { mail }: Pick<PasswordOrder, 'mail'>,
  { user, url, expiresAt }: NewPasswordLink,
  sender: Sender,
): MailContent {
  const key = mail === 'invitation' ? 'invitation' : 'reset';
  const name = fullName(user);
  return written(sender, {
    greeting: name ? 'mail.greeting' : 'mail.greeting.admin',
    closing: 'mail.closing',
    footer: 'mail.footer.account',
    params: { issuer: sender.issuer, name },
    subject: `mail.${key}.subject`,
    intro: [`mail.${key}.intro`],
    facts: [
      ['mail.label.account', user.username],
      ['mail.label.valid_until', formatMoment(sender, expiresAt)],
    ],
    action: { label: 'mail.password.action', url },
    next: ['mail.password.once', `mail.${key}.next`],
  });
}

export function webhookMail({ webhookId, url, event, cause, error }: WebhookNotice, sender: Sender) {
  return written(sender, {
    ...OFFICE,
    params: { issuer: sender.issuer, id: webhookId },
    subject: 'mail.webhook_disabled.subject',
    intro: [cause === 'gone' ? 'mail.webhook_disabled.gone' : 'mail.webhook_disabled.intro'],
    facts: [
      ['list.webhook', webhookId],
      ['list.event', event],
      ['mail.label.url', url],
      ['mail.label.error', outcomeWords(sayIn(sender.locale), error)],
    ],
    next: ['mail.webhook_disabled.next'],
    command: command('webhooks enable', webhookId),
  });
}

export function unknownPaymentMail({ paymentId, amount, currency }: UnknownPaymentNotice, sender: Sender) {
  return written(sender, {
    ...OFFICE,
    params: { issuer: sender.issuer },
    ...textsOf('unknown_payment'),
    facts: [
      ['state.paid', moneyWords(sender.locale, { amount, currency })],
      ['evidence.payment', paymentId],
    ],
    command: settlingUnknown(paymentId),
  });
}

export function runMail({ run, since, error }: RunNotice, sender: Sender) {
  return written(sender, {
    ...OFFICE,
    params: { issuer: sender.issuer, work: text(sender.locale, `run.${run}`) },
    subject: 'mail.run_failing.subject',
    intro: [`mail.run_failing.intro.${run}`],
    facts: [
      ['list.failingSince', formatMoment(sender, since)],
      ['mail.label.failure', outcomeWords(sayIn(sender.locale), error)],
    ],
    next: ['mail.run_failing.next'],
    command: command('doctor'),
  });
}

interface Ends<Given extends string> {
  greeting: MailKey<Given>;
  /** None to the office: it would greet itself. */
  closing?: MailKey<Given>;
  footer: MailKey<Given>;
}

function written<Given extends string>(
  { locale, issuer, company, write }: Sender,
  {
    params,
    action,
    command: step,
    closing,
    facts,
    ...draft
  }: Draft<Given> & Ends<Given> & { params: Params<Given> },
): MailContent {
  const { find } = sayIn(locale, write);
  const say = (key: MailKey<Given> | LabelKey) => find(key, params) ?? key;
  return writeLetter({
    locale,
    issuer,
    subject: say(draft.subject),
    greeting: say(draft.greeting),
    intro: draft.intro.map(say),
    facts: facts.flatMap(([label, value]) => (value ? [[say(label), String(value)]] : [])),
    ...(action && {
      action: { label: say(action.label), url: action.url, code: action.code && say(action.code) },
    }),
    next: draft.next.map(say),
    ...(step && { command: write(step) }),
    closing: closing && say(closing),
    footer: say(draft.footer),
    company,
  });
}
