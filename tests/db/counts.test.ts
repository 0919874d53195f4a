/** The counts by time: compared, found wrong and mended month by month, in their indexes. */
import { expect, test } from 'vitest';
import { COUNTED, countsOf } from '../../src/db/counts.js';
import type { Db } from '../../src/db/db.js';
import { aDatabase, aRecorder, stepsOf, type Run } from './support.js';

const TABLES = ['requests', 'contracts'] as const;
const JANUARY = { from: '2026-01', until: '2026-02' };

/** 200 of each, over eight months. */
function withRows(db: Db): Db {
  db.raw.exec(`
    INSERT INTO users (id, username, passwordHash, firstName, lastName, role, enabled, createdAt, updatedAt)
      VALUES (1, 'anna', '', '', '', 'ROLE_USER', 1, '2026', '2026');
    INSERT INTO equipments (id, ownerId, name, model, serialNumber, createdAt, updatedAt) VALUES (1, 1, '', '', '', '2026', '2026');
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
      INSERT INTO requests (id, ownerId, equipmentId, title, description, status, createdAt, updatedAt)
      SELECT i, 1, 1, '', '', iif(i % 3, 'new', 'COMPLETE'),
        strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-01', (i * 29) || ' hours'), '2026' FROM n;
    INSERT INTO contracts (requestId, status, amount, currency, createdAt, expiredAt)
      SELECT id, iif(id % 3, 'PENDING', 'EXPIRED'), 1, 'eur', createdAt, '2027' FROM requests;`);
  return db;
}

test.each(TABLES)(
  'counts of %s are compared with the rows in indexes that hold all that is looked at',
  (table) => {
    const recorder = aRecorder({ rows: 0, isWrong: 0 });
    countsOf(table).compare(recorder.db, JANUARY);
    const plan = stepsOf(aDatabase().db, recorder.runs[0] as Run);
    const steps = plan.filter((step) => step.includes(table));
    expect(steps.length).toBeGreaterThan(1);
    for (const step of steps)
      expect(step).toMatch(/^SEARCH \w+ USING COVERING INDEX \w+By(Creation|Status) /);
    for (const step of plan.filter((each) => each.includes('Counts')))
      expect(step).toMatch(/^SEARCH \w+ USING PRIMARY KEY \(unit=\? AND period>\? AND period<\?\)/);
  },
);

test.each(TABLES)('counting %s again reads one stretch, never the table', (table) => {
  const { db } = aDatabase();
  const recorder = aRecorder({ at: null });
  const counts = countsOf(table);
  expect([...counts.stretches(recorder.db)]).toHaveLength(1);
  counts.recount(recorder.db, JANUARY);
  expect(recorder.runs).toHaveLength(3);
  for (const run of recorder.runs)
    expect(stepsOf(db, run).join('\n')).not.toMatch(
      new RegExp(`SCAN (${table}|${COUNTED[table].counts})\\b`),
    );
});

test.each(TABLES)(
  'counts of %s that are wrong in any month are found there, and counting that month again mends them',
  (table) => {
    const db = withRows(aDatabase().db);
    const counts = countsOf(table);
    const wrong = () => [...counts.stretches(db)].filter((stretch) => counts.compare(db, stretch).isWrong);
    const kept = () => db.raw.prepare(`SELECT * FROM ${COUNTED[table].counts}`).all();
    const right = kept();
    expect(wrong()).toEqual([]);
    const lies = [
      `UPDATE ${COUNTED[table].counts} SET count = count + 1 WHERE unit = 10`,
      `DELETE FROM ${COUNTED[table].counts}`,
      `INSERT INTO ${COUNTED[table].counts} VALUES (7, '1999-01', 'nonsense', 3)`,
      `INSERT INTO ${COUNTED[table].counts} VALUES (7, '2099-01', 'nonsense', 3)`,
    ];
    for (const lie of lies) {
      db.raw.exec(lie);
      const found = wrong();
      expect({ lie, found: found.length > 0 }).toEqual({ lie, found: true });
      for (const stretch of found) counts.recount(db, stretch);
      expect(kept()).toEqual(right);
    }
  },
);
