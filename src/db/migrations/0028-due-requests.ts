/**
 * From when on the office has to look at a request, unless something happens before: the end of the time to sign, a payment
 * that has been on its way for too long; at once where a contract is over or a payment is missing. Null: it needs nobody.
 * What is wrong then, and whether anything is, the findings say (core/explain). The list of what needs the office so
 * reads only the requests that may be in it, and the lists of those that wait leave them out.
 */
const DUE = `
CREATE VIEW requestsDue AS
  SELECT r.id,
    CASE
      WHEN r.status = 'new' OR r.status = 'in_progress' THEN iif(c.id IS NULL, NULL, r.statusSince)
      WHEN r.status = 'WAITING_SIGNATURE' AND c.status = 'PENDING' AND c.signerId IS NOT NULL
        THEN c.expiredAt
      WHEN r.status = 'WAITING_SIGNATURE' THEN r.statusSince
      WHEN r.status = 'WAITING_PAYMENT' AND p.generation >= c.paymentGeneration
        THEN strftime('%Y-%m-%dT%H:%M:%fZ', p.pendingSince, '+14 days')
      WHEN r.status = 'WAITING_PAYMENT' THEN r.statusSince
    END AS dueAt
  FROM requests r
    LEFT JOIN contracts c ON c.id = (SELECT max(id) FROM contracts WHERE requestId = r.id)
    LEFT JOIN payments p ON p.contractId = c.id
      AND p.generation = (SELECT max(generation) FROM payments WHERE contractId = c.id);
`;

const due = (id: string) => `
  UPDATE requests SET dueAt = (SELECT dueAt FROM requestsDue WHERE id = requests.id)
    WHERE id = ${id} AND dueAt IS NOT (SELECT dueAt FROM requestsDue WHERE id = requests.id);`;

const trigger = (name: string, event: string, id: string) => `
CREATE TRIGGER ${name} AFTER ${event} BEGIN ${due(id)}
END;`;

const OF_CONTRACT = 'status, signerId, expiredAt, paymentGeneration';
const OF_PAYMENT = 'status, pendingSince';
const REQUEST_OF_PAYMENT = '(SELECT requestId FROM contracts WHERE id = NEW.contractId)';

export const sql = `
ALTER TABLE requests ADD COLUMN dueAt TEXT;
${DUE}
UPDATE requests SET dueAt = (SELECT dueAt FROM requestsDue WHERE id = requests.id)
  WHERE status <> 'COMPLETE' AND status <> 'CANCELED';
${trigger('dueWithRequest', 'UPDATE OF status ON requests', 'NEW.id')}
${trigger('dueWithNewContract', 'INSERT ON contracts', 'NEW.requestId')}
${trigger('dueWithContract', `UPDATE OF ${OF_CONTRACT} ON contracts`, 'NEW.requestId')}
${trigger('dueWithoutContract', 'DELETE ON contracts', 'OLD.requestId')}
${trigger('dueWithNewPayment', 'INSERT ON payments', REQUEST_OF_PAYMENT)}
${trigger('dueWithPayment', `UPDATE OF ${OF_PAYMENT} ON payments`, REQUEST_OF_PAYMENT)}

CREATE INDEX requestsDueAt ON requests (dueAt, id) WHERE dueAt IS NOT NULL;
-- With the date, so that those that are over are left out without looking at the table.
DROP INDEX requestsWaiting;
CREATE INDEX requestsWaiting ON requests (status, statusSince, id, dueAt)
  WHERE status = 'WAITING_SIGNATURE' OR status = 'WAITING_PAYMENT';

CREATE INDEX webhooksDisabled ON webhooks (id) WHERE disabledReason IS NOT NULL;
-- Mails that wait for another attempt although the server does not take mail for the address.
CREATE INDEX jobsRefused ON jobs (state, id)
  WHERE state = 'available' AND attempt > 0 AND errors ->> '$[#-1].reason' = 'recipient_refused';

PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'name = ''backup''', 'name = ''backup'' OR name = ''digest''')
  WHERE type = 'table' AND (name = 'runs' OR name = 'failingRuns');
PRAGMA writable_schema = RESET;
`;
