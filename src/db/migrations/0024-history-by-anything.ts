/**
 * The history by whoever did something, by what was done, and by what it was done to. Words and actors of everyday work
 * are so frequent that the newest of them are found by reading backwards; the indexes leave them out, so that a story
 * does not pay for them (db/history/search.ts has the same lists).
 */
export const sql = `
ALTER TABLE history ADD COLUMN subject TEXT;
UPDATE history SET subject = 'user:' || (detail ->> 'userId')
  WHERE what >= 'user.' AND what < 'user/' AND detail ->> 'userId' IS NOT NULL;
UPDATE history SET subject = 'webhook:' || (detail ->> 'webhookId')
  WHERE what >= 'webhook.' AND what < 'webhook/' AND detail ->> 'webhookId' IS NOT NULL;
UPDATE history SET subject = 'equipment:' || (detail ->> 'equipmentId')
  WHERE what >= 'equipment.' AND what < 'equipment/' AND detail ->> 'equipmentId' IS NOT NULL;

CREATE INDEX historyBySubject ON history (subject, id) WHERE subject IS NOT NULL;
CREATE INDEX historyByActor ON history (actor, id) WHERE actor <> 'webhook' AND actor <> 'job';
CREATE INDEX historyByWord ON history (what, id)
  WHERE what <> 'request.created' AND what <> 'request.moved' AND what <> 'contract.created'
    AND what <> 'contract.sent' AND what <> 'contract.signed' AND what <> 'payment.session_created'
    AND what <> 'payment.received' AND what <> 'mail.sent';
`;
