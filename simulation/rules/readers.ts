/** Each mail is in the language of its reader, and at the reader's address, and thanks for nothing that does not count. */
import type { Outside, Rows } from './facts.js';

type Locale = 'en' | 'fr';

const GREETINGS: Readonly<Record<Locale, string>> = { en: 'Hello', fr: 'Bonjour' };
const TO_CUSTOMER = [
  'contract-signed',
  'payment-link',
  'payment-reminder',
  'payment-received',
  'request-canceled',
];
interface Ordered {
  mail: string;
  paymentId: string | null;
  contractId: number | null;
  locale: Locale | null;
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
    `SELECT j.payload ->> '$.mail' AS mail, j.payload ->> '$.paymentId' AS paymentId, c.id AS contractId, u.locale
       FROM jobs j LEFT JOIN contracts c ON c.id = j.payload ->> '$.contractId'
       LEFT JOIN requests r ON r.id = coalesce(c.requestId, j.payload ->> '$.requestId')
       LEFT JOIN users u ON u.id = r.ownerId WHERE j.id = ?`,
    jobId,
  );
  if (!order) return [];
  const { mail, contractId, paymentId } = order;
  const isToCustomer = TO_CUSTOMER.includes(mail);
  const locale = (isToCustomer ? order.locale : null) ?? house.locale;
  const wrong = [];
  if (isToCustomer === (to === house.office)) wrong.push(`the mail ${mail} went to ${to}`);
  if (!text.startsWith(GREETINGS[locale]))
    wrong.push(`the mail ${mail} is not in ${locale}, the language of ${to}`);
  const how = sessions.get(paymentId ?? '')?.payment_status;
  if (mail === 'payment-received' && (how !== 'paid' || !counts(rows, contractId, paymentId)))
    wrong.push(`${to} is thanked for ${paymentId}, which does not count`);
  return wrong;
}

function counts(rows: Rows, contractId: number | null, paymentId: string | null): boolean {
  const sql = "SELECT 1 FROM payments WHERE state = 'paid' AND contractId = ? AND paymentId = ?";
  return rows(sql, contractId, paymentId).length > 0;
}
