/** Every letter in both languages: complete, safe, and the same as text and as HTML. */
import { describe, expect, test } from 'vitest';
import type { MailContent } from '../../../src/core/mail/letter.js';
import {
  cancelMail,
  requestMail,
  unknownPaymentMail,
  webhookMail,
  type RequestFacts,
} from '../../../src/core/mail/mails.js';
import { commandLine } from '../../../src/core/commands.js';
import type { Locale } from '../../../src/core/texts/index.js';
import { readCode } from '../../support/read-code.js';

describe.each(['en', 'fr'] as const)('the letters in %s', (locale) => {
  const letters = Object.entries(allLetters(locale));

  test.each(letters)(
    '%s is complete and of one subject line, escapes what the customer wrote, loads nothing, and says in text what it says in HTML',
    (_name, letter) => {
      expect(`${letter.subject}${letter.text}${letter.html}`).not.toMatch(
        /%[a-z_]+%|undefined|null|\[object/,
      );
      expect(letter.html).not.toMatch(/<img(?!\s+src="cid:)|<link|<script|url\(|@import/i);
      expect(letter.html).not.toMatch(/<script>|"><b>/);
      expect(letter.subject).toMatch(/^[^\p{Cc}\u2028\u2029\u202a-\u202e]{1,200}$/u);
      const cells = [
        ...letter.html.matchAll(/<td[^>]*>([^<]*)<\/td>|<p class="code"[^>]*>([^<]*)<\/p>|href="([^"]*)"/g),
      ];
      const words = cells.map(([, cell, command, link]) => unescaped((cell || command || link || '').trim()));
      expect(words.length).toBeGreaterThan(0);
      expect(words.filter((each) => !letter.text.includes(each))).toEqual([]);
    },
  );
});

describe('a letter', () => {
  test('about the payment names the amount and the lasting link, also as a code to print', () => {
    const { text, html, images } = requestMail(paymentLink, facts('en'));
    expect(text).toContain('JP¥5,000');
    const link = `https://esign.acme.test/pay/${TOKEN}`;
    expect(text).toContain(link);
    expect(html).toContain(`href="${link}"`);
    expect(html).toMatch(/<img\s+src="cid:link@qr"[^>]* alt="The payment link as a QR code"/);
    expect(images?.map(({ content }) => readCode(content))).toEqual([link]);
  });

  test('makes no link of an address that is not http', () => {
    const base = { ...facts('en'), baseUrl: 'javascript:alert(1)' };
    const { html } = requestMail(paymentLink, base);

    expect(html).not.toContain('href=');
  });

  test('about an ended contract shows the reason, the words of the customer and the way on', () => {
    const { text } = requestMail(
      { mail: 'contract-ended', contractId, reason: 'declined', declineReason: 'Too dear\nAmount: €1' },
      facts('en'),
    );

    expect(text).toContain('Reason: declined by the customer');
    // In one line: it cannot look like a fact of ours.
    expect(text).toContain('In the customer’s words: Too dear Amount: €1');
    expect(text).toContain('esignctl reset-signature 12');
  });

  test('keeps facts readable when a title is 255 characters wide', () => {
    const { subject } = requestMail(
      { mail: 'admin-signed', contractId },
      {
        ...facts('en'),
        customer: { firstName: '😀'.repeat(120), lastName: 'x', username: 'a@b.test' },
      },
    );

    expect(subject.length).toBeLessThanOrEqual(200);
    expect(subject).not.toMatch(/\p{Cs}/u);
  });
});

const contractId = 7;
const AT = '2026-03-02T09:14:07.000Z';
const TOKEN = '0123456789abcdef0123456789abcdef';
const paymentLink = { mail: 'payment-link', contractId, paymentId: 'cs_1' } as const;

function facts(locale: Locale): RequestFacts {
  return {
    locale,
    timeZone: 'UTC',
    issuer: 'Acme & Sons',
    baseUrl: 'https://esign.acme.test',
    write: commandLine,
    request: {
      id: 12,
      status: 'WAITING_SIGNATURE',
      payToken: TOKEN,
      reference: 'REQ-2026-000012',
      title: `<script>alert(1)</script>"><b>\r\nBcc: x@y.test \u202e${'wide '.repeat(40)}`,
    },
    customer: { firstName: 'Ada <script>', lastName: 'O’Byron & Co', username: 'ada@kunde.test' },
    contract: {
      id: contractId,
      amount: 5000,
      currency: 'jpy',
      vat: null,
      signedAt: AT,
      expiredAt: '2026-03-01T00:00:00.000Z',
    },
    payment: () => ({ amount: 12_000, currency: 'eur', paidAt: AT }),
    isToPay: true,
    isBare: false,
  };
}

function allLetters(locale: Locale): Record<string, MailContent> {
  const base = facts(locale);
  const interrupted = { ...base, request: { ...base.request, status: 'in_progress' } as const };
  const reasons = ['declined', 'canceled', 'rejected', 'deleted', 'expired', 'not_found'] as const;
  const ended = (reason: (typeof reasons)[number], about: RequestFacts) =>
    requestMail({ mail: 'contract-ended', contractId, reason, declineReason: null }, about);
  const trouble = { ...paymentLink, mail: 'payment-trouble', detail: '<script>declined' } as const;
  const otherPrice = (amount: number | null, currency: string | null) =>
    requestMail({ ...trouble, trouble: 'other_price', paid: { amount, currency } }, base);
  const foreign = { mail: 'foreign-signature', contractId, signId: 'sr_<b>', externalId: null } as const;
  const webhook = {
    mail: 'webhook-disabled',
    webhookId: 3,
    url: 'https://x.test/"><b>',
    event: 'request.updated',
    error: 'http_500',
  } as const;
  return {
    'contract-signed': requestMail({ mail: 'contract-signed', contractId }, base),
    'admin-signed': requestMail({ mail: 'admin-signed', contractId }, base),
    'payment-link': requestMail(paymentLink, base),
    'payment-received': requestMail({ mail: 'payment-received', contractId, paymentId: 'cs_1' }, base),
    'admin-paid': requestMail({ mail: 'admin-paid', contractId, paymentId: 'cs_1' }, base),
    'payment-reminder': requestMail({ mail: 'payment-reminder', contractId, at: AT }, base),
    'canceled-signed': requestMail({ mail: 'canceled-signed', contractId }, base),
    'request-canceled': cancelMail(base),
    ...Object.fromEntries(reasons.map((reason) => [`contract-ended ${reason}`, ended(reason, base)])),
    'contract-ended before sending': ended('deleted', interrupted),
    'signed-late': requestMail({ mail: 'signed-late', contractId, signedAt: AT }, base),
    'signed-late without proof': requestMail({ mail: 'signed-late', contractId, signedAt: null }, base),
    'payment-trouble failed': requestMail({ ...trouble, trouble: 'payment_failed' }, base),
    'payment-trouble old session': requestMail({ ...trouble, trouble: 'old_session_paid' }, base),
    'payment-trouble other price': otherPrice(9900, 'usd'),
    'payment-trouble unknown price': otherPrice(null, null),
    'replaced-signed': requestMail({ mail: 'replaced-signed', contractId, by: 8 }, base),
    'foreign-signature served': requestMail({ ...foreign, isServed: true }, base),
    'foreign-signature stopped': requestMail({ ...foreign, isServed: false }, base),
    'unknown-payment': unknownPaymentMail(
      { mail: 'unknown-payment', paymentId: 'cs_<b>', amount: 12_000, currency: 'eur' },
      base,
    ),
    'webhook-disabled failing': webhookMail({ ...webhook, cause: 'failing' }, base),
    'webhook-disabled gone': webhookMail({ ...webhook, cause: 'gone' }, base),
  };
}

function unescaped(markup: string): string {
  return markup
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
