/**
 * The mails about a request as they were sent, for evidence: the text, without the HTML that says the same, and the digests
 * of what was attached. Before this only the history knew that a mail had left.
 */
export const sql = `
CREATE TABLE sentMails (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  requestId INTEGER NOT NULL REFERENCES requests (id) ON DELETE CASCADE,
  contractId INTEGER,
  at TEXT NOT NULL,
  mail TEXT NOT NULL,
  sender TEXT NOT NULL,
  address TEXT NOT NULL,
  messageId TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  attachments TEXT NOT NULL
) STRICT;
CREATE INDEX sentMailsByRequest ON sentMails (requestId, id);
`;
