/** Since when the money of an open session is on its way: the customer has paid by a means that takes days. */
export const sql = `
ALTER TABLE payments ADD COLUMN pendingSince TEXT;

UPDATE payments SET pendingSince = (
  SELECT min(receivedAt) FROM inbox WHERE subjectId = payments.paymentId AND +source = 'payment' AND outcome = 'not_paid_yet'
) WHERE status = 'open';
`;
