/**
 * How many requests were created in each month, day and hour, by status (units 7, 10, 13: so many characters of a time name
 * its month, day, hour). Totals come from here, and near which time the n-th request lies.
 */
const UNITS = '(VALUES (7), (10), (13))';

const countIn = `
  INSERT INTO requestCounts (unit, period, status, count)
    SELECT column1, substr(NEW.createdAt, 1, column1), NEW.status, 1 FROM ${UNITS} WHERE true
    ON CONFLICT DO UPDATE SET count = count + 1;`;

const countOut = `
  UPDATE requestCounts SET count = count - 1 WHERE (unit, period, status) IN
    (SELECT column1, substr(OLD.createdAt, 1, column1), OLD.status FROM ${UNITS});
  DELETE FROM requestCounts WHERE count = 0;`;

export const sql = `
CREATE TABLE requestCounts (
  unit INTEGER NOT NULL CHECK (unit = length(period)),
  period TEXT NOT NULL,
  status TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (unit, period, status)
) STRICT, WITHOUT ROWID;
CREATE INDEX requestCountsEmpty ON requestCounts (count) WHERE count = 0;

INSERT INTO requestCounts (unit, period, status, count)
  SELECT column1, substr(createdAt, 1, column1) AS period, status, count(*) FROM requests, ${UNITS} GROUP BY 1, 2, 3;

CREATE TRIGGER requestCountsInsert AFTER INSERT ON requests BEGIN ${countIn}
END;
CREATE TRIGGER requestCountsDelete AFTER DELETE ON requests BEGIN ${countOut}
END;
CREATE TRIGGER requestCountsUpdate AFTER UPDATE OF status, createdAt ON requests
  WHEN OLD.status <> NEW.status OR OLD.createdAt <> NEW.createdAt
BEGIN ${countOut} ${countIn}
END;

-- With the owner, so that a list by equipment and owner never looks at the table.
DROP INDEX requestsByEquipment;
CREATE INDEX requestsByEquipment ON requests (equipmentId, createdAt, id, status, ownerId);
`;
