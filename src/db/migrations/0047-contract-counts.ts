/** How many contracts are in each status: a total costs the same after ten years as on the first day. */
const moved = (by: '+' | '-', row: 'NEW' | 'OLD') =>
  `UPDATE contractCounts SET count = count ${by} 1 WHERE status = ${row}.status;`;

export const sql = `
CREATE TABLE contractCounts (
  status TEXT PRIMARY KEY,
  count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO contractCounts (status, count)
  SELECT column1, (SELECT count(*) FROM contracts WHERE status = column1) FROM (VALUES ('PENDING'), ('SIGNED'), ('EXPIRED'));

CREATE TRIGGER contractCountsInsert AFTER INSERT ON contracts BEGIN ${moved('+', 'NEW')}
END;
CREATE TRIGGER contractCountsDelete AFTER DELETE ON contracts BEGIN ${moved('-', 'OLD')}
END;
CREATE TRIGGER contractCountsUpdate AFTER UPDATE OF status ON contracts WHEN OLD.status <> NEW.status
BEGIN ${moved('-', 'OLD')} ${moved('+', 'NEW')}
END;
`;
