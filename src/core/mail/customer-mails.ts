/** The two mails that a customer gets. */
import { formatMoment, formatMoney } from '../texts/format.js';
import { text } from '../texts/index.js';
import { type Letter, writeLetter } from './letter.js';
import type { MailContent, PaymentLinkFacts, RequestFacts, SignedFacts } from './mail-types.js';
import { requestFacts } from './request-facts.js';

/** "Your contract is signed"; the sender attaches the signed PDF. */
export function contractSignedMail(facts: SignedFacts): MailContent {
  const { locale, reference } = facts;
  return writeLetter({
    ...toCustomer(facts),
    subject: text(locale, 'mail.signed.subject', { reference }),
    intro: [text(locale, 'mail.signed.intro')],
    facts: [
      ...requestFacts(facts),
      [text(locale, 'mail.label.signed_at'), formatMoment(facts, facts.signedAt)],
    ],
    next: [text(locale, 'mail.signed.next')],
  });
}

/** "Please pay": the amount, the link, and until when the link works. */
export function paymentLinkMail(facts: PaymentLinkFacts): MailContent {
  const { locale, reference, validUntil } = facts;
  const amount = formatMoney(locale, facts.amount, facts.currency);
  const deadline = validUntil && formatMoment(facts, validUntil);
  return writeLetter({
    ...toCustomer(facts),
    subject: text(locale, 'mail.payment.subject', { reference }),
    intro: [text(locale, 'mail.payment.intro', { amount })],
    facts: [
      ...requestFacts(facts),
      [text(locale, 'mail.label.amount'), amount],
      ...(deadline ? [[text(locale, 'mail.label.valid_until'), deadline] as const] : []),
    ],
    action: { label: text(locale, 'mail.payment.action', { amount }), url: facts.paymentUrl },
    next: deadline ? [text(locale, 'mail.payment.valid', { deadline })] : [],
  });
}

function toCustomer(facts: RequestFacts): Pick<Letter, 'locale' | 'issuer' | 'greeting' | 'footer'> {
  const { locale, issuer, reference, customer } = facts;
  return {
    locale,
    issuer,
    greeting: text(locale, 'mail.greeting', { name: `${customer.firstName} ${customer.lastName}`.trim() }),
    footer: text(locale, 'mail.footer', { issuer, reference }),
  };
}
