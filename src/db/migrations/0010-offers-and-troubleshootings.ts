/** What hangs on a request and goes with it: offers, of which the newest sets the price, and reports of trouble. */
const common = (prefix: string, statuses: string) => `
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reference TEXT NOT NULL GENERATED ALWAYS AS ('${prefix}-' || substr(createdAt, 1, 4) || '-' || printf('%06d', id)) VIRTUAL,
  requestId INTEGER NOT NULL REFERENCES requests (id) ON DELETE CASCADE,
  -- Of the request, which never changes hands.
  ownerId INTEGER NOT NULL REFERENCES users (id),
  description TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN (${statuses})),
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL`;

const indexes = (table: string) => `
CREATE INDEX ${table}ByCreation ON ${table} (createdAt, id, status);
CREATE INDEX ${table}ByOwner ON ${table} (ownerId, createdAt, id, status);
CREATE INDEX ${table}ByRequest ON ${table} (requestId, id, status);`;

export const sql = `
CREATE TABLE offers (${common('OFF', "'draft', 'sent', 'accepted', 'refused'")},
  amount INTEGER NOT NULL CHECK (amount > 0),
  currency TEXT NOT NULL CHECK (length(currency) = 3)
) STRICT;
${indexes('offers')}

CREATE TABLE troubleshootings (${common('TRB', "'open', 'in_progress', 'solved'")}
) STRICT;
${indexes('troubleshootings')}
`;
