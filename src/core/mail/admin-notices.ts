/** The mails that the administrator gets: what happened, and the next step when a person must take one. */
import { formatFullMoment, formatMoment, formatMoney } from '../texts/format.js';
import { text } from '../texts/index.js';
import { type Fact, type Letter, writeLetter } from './letter.js';
import type {
  ContractEndedFacts,
  ForeignSignatureFacts,
  MailContent,
  PaymentTroubleFacts,
  ReplacedSignedFacts,
  RequestFacts,
  RunFailingFacts,
  SignedFacts,
  SignedLateFacts,
  WebhookDisabledFacts,
} from './mail-types.js';
import { customerName, requestFacts } from './request-facts.js';

/** "The customer has signed": nothing to do. */
export function adminSignedNotice(facts: SignedFacts): MailContent {
  const { locale, reference, contractId } = facts;
  const customer = customerName(facts);
  return writeLetter({
    ...toAdmin(facts),
    subject: text(locale, 'mail.admin_signed.subject', { reference, customer }),
    intro: [text(locale, 'mail.admin_signed.intro', { customer })],
    facts: [
      ...factsWithCustomer(facts),
      [text(locale, 'mail.label.contract'), String(contractId)],
      [text(locale, 'mail.label.signed_at'), formatMoment(facts, facts.signedAt)],
    ],
    action: openRequest(facts),
    next: [text(locale, 'mail.admin_signed.next')],
  });
}

/** "The contract ended without a signature": why, and how to send a new one. */
export function contractEndedNotice(facts: ContractEndedFacts): MailContent {
  const { locale, reference, reason, declineReason, isToStart = false } = facts;
  const customer = customerName(facts);
  const how = isToStart ? 'start' : 'reset';
  return writeLetter({
    ...toAdmin(facts),
    subject: text(locale, 'mail.ended.subject', { reference, customer }),
    intro: [
      text(locale, `mail.ended.intro.${reason}`, { customer }),
      text(locale, `mail.ended.state.${how}`),
    ],
    facts: [
      ...factsWithCustomer(facts),
      [text(locale, 'mail.label.contract'), String(facts.contractId)],
      [text(locale, 'mail.label.reason'), text(locale, `mail.ended.reason.${reason}`)],
      ...optional(text(locale, 'mail.label.decline_reason'), declineReason),
    ],
    action: openRequest(facts),
    next: [text(locale, `mail.ended.next.${how}`)],
    command: `esignctl ${how}-signature ${facts.requestId}`,
  });
}

/** "Signed after the contract had expired": a person must decide. */
export function signedLateNotice(facts: SignedLateFacts): MailContent {
  const { locale, reference, signedAt } = facts;
  const customer = customerName(facts);
  return writeLetter({
    ...toAdmin(facts),
    subject: text(locale, 'mail.late.subject', { reference, customer }),
    intro: [text(locale, 'mail.late.intro', { customer })],
    facts: [
      ...factsWithCustomer(facts),
      [text(locale, 'mail.label.contract'), String(facts.contractId)],
      [text(locale, 'mail.label.sign_before'), formatFullMoment(facts, facts.expiredAt)],
      [
        text(locale, 'mail.label.signed_at'),
        signedAt ? formatFullMoment(facts, signedAt) : text(locale, 'mail.unknown'),
      ],
    ],
    action: openRequest(facts),
    next: [text(locale, 'mail.late.next', { request: facts.requestId })],
    command: `esignctl contracts accept-late ${facts.contractId} --reason "…"`,
  });
}

/** "A replaced contract was signed": only the other one counts. */
export function replacedSignedNotice(facts: ReplacedSignedFacts): MailContent {
  const { locale, reference, by } = facts;
  const customer = customerName(facts);
  return writeLetter({
    ...toAdmin(facts),
    subject: text(locale, 'mail.replaced.subject', { reference, customer }),
    intro: [text(locale, 'mail.replaced.intro', { customer, old: facts.contractId, contract: by })],
    facts: [...factsWithCustomer(facts), [text(locale, 'mail.label.contract'), String(facts.contractId)]],
    action: openRequest(facts),
    next: [text(locale, 'mail.replaced.next', { contract: by })],
    command: `esignctl contracts show ${by}`,
  });
}

/** "Somebody else's document": what was found, and that it was left alone. */
export function foreignSignatureNotice(facts: ForeignSignatureFacts): MailContent {
  const { locale, reference, requestId, isServed } = facts;
  const customer = customerName(facts);
  return writeLetter({
    ...toAdmin(facts),
    subject: text(locale, 'mail.foreign.subject', { reference, customer }),
    intro: [text(locale, 'mail.foreign.intro')],
    facts: [
      ...factsWithCustomer(facts),
      [text(locale, 'mail.label.contract'), String(facts.contractId)],
      [text(locale, 'mail.label.sign_id'), facts.signId],
      ...optional(text(locale, 'mail.label.external_id'), facts.externalId),
    ],
    action: openRequest(facts),
    next: [text(locale, isServed ? 'mail.foreign.served' : 'mail.foreign.stopped', { customer })],
    ...(!isServed && { command: `esignctl reset-signature ${requestId}` }),
  });
}

/** "The payment failed" or "an old payment link was paid": a person must look. */
export function paymentTroubleNotice(facts: PaymentTroubleFacts): MailContent {
  const { locale, reference, trouble } = facts;
  const customer = customerName(facts);
  return writeLetter({
    ...toAdmin(facts),
    subject: text(locale, `mail.${trouble}.subject`, { reference, customer }),
    intro: [text(locale, `mail.${trouble}.intro`, { customer })],
    facts: [
      ...factsWithCustomer(facts),
      [text(locale, 'mail.label.amount'), formatMoney(locale, facts.amount, facts.currency)],
      ...optional(text(locale, 'mail.label.paid'), paidInstead(facts)),
      ...optional(text(locale, 'mail.label.payment'), facts.paymentId),
      ...optional(text(locale, 'mail.label.error'), facts.detail),
    ],
    action: openRequest(facts),
    next: [text(locale, `mail.${trouble}.next`)],
    ...(trouble === 'other_price' && {
      command: `esignctl requests complete ${facts.requestId} --reason "…"`,
    }),
  });
}

function paidInstead({ locale, paid }: PaymentTroubleFacts): string | undefined {
  if (!paid) return undefined;
  const isMoney = paid.amount !== null && paid.currency !== null && /^[a-z]{3}$/i.test(paid.currency);
  return isMoney
    ? formatMoney(locale, paid.amount as number, paid.currency as string)
    : text(locale, 'mail.unknown');
}

/** "A webhook was switched off": its address, its last answer, and how to switch it on again. */
export function webhookDisabledNotice(facts: WebhookDisabledFacts): MailContent {
  const { locale, issuer, subscriptionId } = facts;
  return writeLetter({
    locale,
    issuer,
    greeting: text(locale, 'mail.greeting.admin'),
    footer: text(locale, 'mail.footer.admin', { issuer }),
    subject: text(locale, 'mail.webhook_disabled.subject', { id: subscriptionId }),
    intro: [
      text(locale, facts.cause === 'gone' ? 'mail.webhook_disabled.gone' : 'mail.webhook_disabled.intro'),
    ],
    facts: [
      [text(locale, 'mail.label.subscription'), String(subscriptionId)],
      [text(locale, 'mail.label.event'), facts.event],
      [text(locale, 'mail.label.url'), facts.url],
      ...optional(text(locale, 'mail.label.error'), facts.lastError),
    ],
    next: [text(locale, 'mail.webhook_disabled.next')],
    command: `esignctl webhooks enable ${subscriptionId}`,
  });
}

/** "The scheduled backup fails": since when, why, and who says what to do. */
export function runFailingNotice(facts: RunFailingFacts): MailContent {
  const { locale, issuer, run, since, error } = facts;
  const work = text(locale, `run.${run}`);
  return writeLetter({
    locale,
    issuer,
    greeting: text(locale, 'mail.greeting.admin'),
    footer: text(locale, 'mail.footer.admin', { issuer }),
    subject: text(locale, 'mail.run_failing.subject', { work }),
    intro: [text(locale, `mail.run_failing.intro.${run}`)],
    facts: [
      [text(locale, 'mail.label.failing_since'), formatMoment(facts, since)],
      [text(locale, 'mail.label.failure'), error],
    ],
    next: [text(locale, 'mail.run_failing.next')],
    command: 'esignctl doctor',
  });
}

function openRequest({ locale, baseUrl, requestId }: RequestFacts): { label: string; url: string } {
  return { label: text(locale, 'mail.open_request'), url: `${baseUrl}/admin/requests/${requestId}` };
}

function toAdmin(facts: RequestFacts): Pick<Letter, 'locale' | 'issuer' | 'greeting' | 'footer'> {
  const { locale, issuer } = facts;
  return {
    locale,
    issuer,
    greeting: text(locale, 'mail.greeting.admin'),
    footer: text(locale, 'mail.footer.admin', { issuer }),
  };
}

function factsWithCustomer(facts: RequestFacts): Fact[] {
  const { locale, customer } = facts;
  const name = `${customer.firstName} ${customer.lastName}`.trim();
  return [
    ...requestFacts(facts),
    [text(locale, 'mail.label.customer'), name ? `${name}, ${customer.username}` : customer.username],
  ];
}

function optional(label: string, value: string | null | undefined): Fact[] {
  return value ? [[label, value]] : [];
}
