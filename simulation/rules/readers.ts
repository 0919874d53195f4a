/** Each mail is in the language of its reader, at the reader's address, and says the price of its contract. */
import type { Outside, Rows } from './facts.js';
import type { Price } from './price.js';

type Locale = 'en' | 'fr';

const CLOSINGS: Readonly<Record<Locale, string>> = { en: 'Kind regards,', fr: 'Cordialement,' };
const REGIONS: Readonly<Record<Locale, string>> = { en: 'en-GB', fr: 'fr-FR' };

const TO_CUSTOMER = [
  'contract-signed',
  'payment-link',
  'payment-reminder',
  'payment-received',
  'request-canceled',
];
const WITH_PRICE = ['payment-link', 'payment-reminder', 'payment-received', 'admin-paid', 'payment-trouble'];

interface Ordered {
  mail: string;
  paymentId: string | null;
  contractId: number | null;
  amount: number | null;
  currency: string | null;
  locale: Locale | null;
  /** JSON: what was paid instead. */
  paid: string | null;
}

/** `jobId`: of the mail. `house`: how the office reads. */
export function writtenWrongly(
  rows: Rows,
  { sessions }: Outside,
  jobId: number,
  { to, text }: { to: string; text: string },
  house: { locale: Locale; office: string },
): string[] {
  const [order] = rows<Ordered>(
    `SELECT j.payload ->> '$.mail' AS mail, j.payload ->> '$.paymentId' AS paymentId, c.id AS contractId, c.amount, c.currency, u.locale,
       j.payload ->> '$.paid' AS paid FROM jobs j LEFT JOIN contracts c ON c.id = j.payload ->> '$.contractId'
       LEFT JOIN requests r ON r.id = coalesce(c.requestId, j.payload ->> '$.requestId')
       LEFT JOIN users u ON u.id = r.ownerId WHERE j.id = ?`,
    jobId,
  );
  if (!order) return [];
  const { mail, amount, currency, contractId, paymentId } = order;
  const isToCustomer = TO_CUSTOMER.includes(mail);
  const locale = (isToCustomer ? order.locale : null) ?? house.locale;
  const wrong = [];
  if (isToCustomer === (to === house.office)) wrong.push(`the mail ${mail} went to ${to}`);
  if (!text.includes(`${CLOSINGS[locale]}\n`))
    wrong.push(`the mail ${mail} is not in ${locale}, the language of ${to}`);
  const inWords = (price: Price) =>
    new Intl.NumberFormat(REGIONS[locale], { style: 'currency', currency: price.currency }).format(
      price.amount / 100,
    );
  if (WITH_PRICE.includes(mail) && amount !== null && currency !== null) {
    const price = inWords({ amount, currency });
    if (!text.includes(price))
      wrong.push(`the mail ${mail} to ${to} does not say ${price}, the price of its contract`);
  }
  const paid = order.paid === null ? undefined : inWords(JSON.parse(order.paid) as Price);
  if (paid !== undefined && !text.includes(paid))
    wrong.push(`the mail ${mail} to ${to} does not say ${paid}, which was paid`);
  const how = sessions.get(paymentId ?? '')?.payment_status;
  if (mail === 'payment-received' && (how !== 'paid' || !counts(rows, contractId, paymentId)))
    wrong.push(`${to} is thanked for ${paymentId}, which does not count`);
  return wrong;
}

function counts(rows: Rows, contractId: number | null, paymentId: string | null): boolean {
  const sql = "SELECT 1 FROM payments WHERE state = 'paid' AND contractId = ? AND paymentId = ?";
  return rows(sql, contractId, paymentId).length > 0;
}
