/**
 * A request needs the office, too, while the signature provider has another address of the customer than we have. The
 * correction of a customer and that of the signers are one transaction, so this lasts only where the provider refuses.
 */
const DIFFERS = `c.signerEmail IS NOT NULL AND lower(c.signerEmail) <> lower(u.username)`;

const due = (which: string) => `
  UPDATE requests SET dueAt = (SELECT dueAt FROM requestsDue WHERE id = requests.id)
    WHERE ${which} AND dueAt IS NOT (SELECT dueAt FROM requestsDue WHERE id = requests.id);`;

export const sql = `
DROP VIEW requestsDue;
CREATE VIEW requestsDue AS
  SELECT r.id,
    CASE
      WHEN r.status = 'new' OR r.status = 'in_progress' THEN iif(c.id IS NULL, NULL, r.statusSince)
      WHEN r.status = 'WAITING_SIGNATURE' AND c.status = 'PENDING' AND c.signerId IS NOT NULL
        THEN iif(${DIFFERS}, r.statusSince, c.expiredAt)
      WHEN r.status = 'WAITING_SIGNATURE' THEN r.statusSince
      WHEN r.status = 'WAITING_PAYMENT' AND p.generation >= c.paymentGeneration
        THEN strftime('%Y-%m-%dT%H:%M:%fZ', p.pendingSince, '+14 days')
      WHEN r.status = 'WAITING_PAYMENT' THEN r.statusSince
    END AS dueAt
  FROM requests r
    JOIN users u ON u.id = r.ownerId
    LEFT JOIN contracts c ON c.id = (SELECT max(id) FROM contracts WHERE requestId = r.id)
    LEFT JOIN payments p ON p.contractId = c.id
      AND p.generation = (SELECT max(generation) FROM payments WHERE contractId = c.id);

CREATE TRIGGER dueWithSigner AFTER UPDATE OF signerEmail ON contracts BEGIN ${due('id = NEW.requestId')}
END;
CREATE TRIGGER dueWithCustomer AFTER UPDATE OF username ON users WHEN NEW.username <> OLD.username BEGIN
  ${due(`ownerId = NEW.id AND status = 'WAITING_SIGNATURE'`)}
END;
${due(`status = 'WAITING_SIGNATURE'`)}
`;
