/**
 * Contracts are counted by month, day and hour and by status, as requests are (0008), so that a page in the middle of their list
 * costs no more than the first. One statement a unit takes a fraction of the time of a list of units.
 */
const UNITS = [7, 10, 13];
const each = (statement: (unit: number) => string) => UNITS.map(statement).join('\n  ');

const countIn = each(
  (unit) => `INSERT INTO contractCounts (unit, period, status, count)
    VALUES (${unit}, substr(NEW.createdAt, 1, ${unit}), NEW.status, 1) ON CONFLICT DO UPDATE SET count = count + 1;`,
);

const countOut = `${each(
  (unit) => `UPDATE contractCounts SET count = count - 1
    WHERE unit = ${unit} AND period = substr(OLD.createdAt, 1, ${unit}) AND status = OLD.status;`,
)}
  DELETE FROM contractCounts WHERE count = 0;`;

export const sql = `
DROP TRIGGER contractCountsInsert;
DROP TRIGGER contractCountsDelete;
DROP TRIGGER contractCountsUpdate;
DROP TABLE contractCounts;
CREATE TABLE contractCounts (
  unit INTEGER NOT NULL CHECK (unit = length(period)),
  period TEXT NOT NULL,
  status TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (unit, period, status)
) STRICT, WITHOUT ROWID;
CREATE INDEX contractCountsEmpty ON contractCounts (count) WHERE count = 0;
${each(
  (unit) => `INSERT INTO contractCounts (unit, period, status, count)
    SELECT ${unit}, substr(createdAt, 1, ${unit}) AS period, status, count(*) FROM contracts GROUP BY period, status;`,
)}

CREATE TRIGGER contractCountsInsert AFTER INSERT ON contracts BEGIN
  ${countIn}
END;
CREATE TRIGGER contractCountsDelete AFTER DELETE ON contracts BEGIN
  ${countOut}
END;
CREATE TRIGGER contractCountsUpdate AFTER UPDATE OF status, createdAt ON contracts
  WHEN OLD.status <> NEW.status OR OLD.createdAt <> NEW.createdAt
BEGIN
  ${countOut}
  ${countIn}
END;

DROP INDEX contractsByCreation;
CREATE INDEX contractsByCreation ON contracts (createdAt, id);
-- Not the bare status: the planner would take the index for the daily expiry, and sort.
CREATE INDEX contractsByStatus ON contracts (status || '', createdAt, id);
`;
