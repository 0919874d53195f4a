/**
 * A request that waits for its payment needs the office according to the session that counts, as `findCurrentPayment` finds
 * it: after a restore, one of a later generation may stand beside the one whose money is on its way. A session that a person
 * gave up is still asked about: its money may arrive after all.
 */
const told = (what: string) => `EXISTS (
  SELECT 1 FROM history WHERE requestId = (SELECT requestId FROM contracts WHERE id = payments.contractId)
    AND detail ->> '$.paymentId' = payments.paymentId AND ${what})`;

export const sql = `
ALTER TABLE payments ADD COLUMN givenUpAt TEXT;
UPDATE payments SET givenUpAt = pendingSince
  WHERE status = 'expired' AND pendingSince IS NOT NULL AND ${told("what = 'payment.renewed' AND detail ->> '$.despitePending'")}
    AND NOT ${told("what = 'payment.failed'")};
DROP INDEX paymentsOpen;
CREATE INDEX paymentsPayable ON payments (id) WHERE status = 'open' OR givenUpAt IS NOT NULL;

DROP VIEW requestsDue;
CREATE VIEW requestsDue AS
  SELECT r.id,
    CASE
      WHEN r.status = 'new' OR r.status = 'in_progress' THEN iif(c.id IS NULL, NULL, r.statusSince)
      WHEN r.status = 'WAITING_SIGNATURE' AND c.status = 'PENDING' AND c.signerId IS NOT NULL
        THEN iif(c.signerEmail IS NOT NULL AND lower(c.signerEmail) <> lower(u.username), r.statusSince, c.expiredAt)
      WHEN r.status = 'WAITING_SIGNATURE' THEN r.statusSince
      WHEN r.status = 'WAITING_PAYMENT' AND (p.status = 'open' OR p.generation >= c.paymentGeneration)
        THEN strftime('%Y-%m-%dT%H:%M:%fZ', p.pendingSince, '+14 days')
      WHEN r.status = 'WAITING_PAYMENT' THEN r.statusSince
    END AS dueAt
  FROM requests r
    JOIN users u ON u.id = r.ownerId
    LEFT JOIN contracts c ON c.id = (SELECT max(id) FROM contracts WHERE requestId = r.id)
    LEFT JOIN payments p ON p.id = (
      SELECT id FROM payments WHERE contractId = c.id
        ORDER BY status = 'open' DESC, status = 'open' AND pendingSince IS NOT NULL DESC,
          iif(status = 'open', expiresAt, NULL) DESC, generation DESC
        LIMIT 1);
UPDATE requests SET dueAt = (SELECT dueAt FROM requestsDue WHERE id = requests.id)
  WHERE status = 'WAITING_PAYMENT' AND dueAt IS NOT (SELECT dueAt FROM requestsDue WHERE id = requests.id);
`;
