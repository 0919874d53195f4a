/** Cases: what a person must decide. */
import { sql } from 'kysely';
import { all, changed, run, sqlite } from '../db.js';
import type { CaseKind, CaseRow } from '../schema.js';
import { anyOf } from '../sql.js';
import { newRow, oldestBy } from '../table.js';

/** False: it is known already, open or decided. */
export const insertCase = changed(
  newRow('cases', ['kind', 'subject', 'requestId', 'contractId', 'detail', 'openedAt'], {
    end: sql`on conflict do nothing`,
  }),
);

const isOpen = sql<boolean>`"decidedAt" is null`;

/** Decides those that are open, of these kinds and about these subjects. */
export const decideCases = run(
  (
    p: { kinds: readonly CaseKind[]; subjects: readonly string[] } & Pick<
      CaseRow,
      'decision' | 'decidedBy' | 'reason'
    > & { now: string },
  ) =>
    sqlite
      .updateTable('cases')
      .set({ decidedAt: p.now, decision: p.decision, decidedBy: p.decidedBy, reason: p.reason })
      .where('kind', 'in', anyOf(p.kinds))
      .where('subject', 'in', anyOf(p.subjects))
      .where(isOpen),
);

/** All of a request, decided or not, the oldest first. */
export const listCasesOf = all(oldestBy('cases', 'requestId'));

/** Those that wait for a decision, the oldest first. */
export const listOpenCases = all((p: { limit: number }) =>
  sqlite.selectFrom('cases').selectAll().where(isOpen).orderBy('openedAt').orderBy('id').limit(p.limit),
);
