/** Cases: what a person must decide. */
import { sql } from 'kysely';
import { all, changed, first, raw, run, sqlite } from '../db.js';
import type { CaseKind, CaseRow } from '../schema.js';
import { anyOf } from '../sql.js';
import { firstBy, newRow, oldestBy, rowsBy } from '../table.js';

/** False: it is known already, open or decided. */
export const insertCase = changed(
  newRow('cases', ['kind', 'subject', 'requestId', 'contractId', 'detail', 'openedAt'], {
    end: sql`on conflict do nothing`,
  }),
);

/** Opens it, or opens it again: what was settled only when its status is another, anything else that was decided always. */
export const putCase = run(
  (
    p: Pick<CaseRow, 'kind' | 'subject' | 'requestId' | 'contractId' | 'detail'> & {
      now: string;
    },
  ) =>
    raw(sql`insert into "cases" ("kind", "subject", "requestId", "contractId", "detail", "openedAt")
      values (${p.kind}, ${p.subject}, ${p.requestId}, ${p.contractId}, ${p.detail}, ${p.now})
      on conflict ("kind", "subject") do update set "detail" = excluded."detail",
        "openedAt" = iif("decidedAt" is null, "openedAt", excluded."openedAt"),
        "decidedAt" = null, "decision" = null, "decidedBy" = null, "reason" = null
      where "decision" is not 'settled' or "detail" ->> '$.status' is not excluded."detail" ->> '$.status'`),
);

const isOpen = sql<boolean>`"decidedAt" is null`;
const OPEN = { only: isOpen, order: sql`"openedAt", "id"` };

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

export const findCase = first(rowsBy('cases', 'kind', 'subject'));

/** All of a request, decided or not, the oldest first. */
export const listCasesOf = all(oldestBy('cases', 'requestId'));

/** Those of these requests that wait for a decision, the oldest first. */
export const listOpenCasesOf = all((p: { requestIds: readonly number[] }) =>
  sqlite
    .selectFrom('cases')
    .selectAll()
    .where('requestId', 'in', anyOf(p.requestIds))
    .where('decidedAt', 'is', null)
    .orderBy('id'),
);

/** Those that wait for a decision, the oldest first. */
export const listOpenCases = all(firstBy('cases', [], OPEN));

/** Those of one kind, the oldest first. */
export const listOpenCasesOfKind = all(firstBy('cases', ['kind'], OPEN));

/** Whoever decided is called something else. */
export const renameDecider = run((p: { from: string; to: string }) =>
  sqlite.updateTable('cases').set({ decidedBy: p.to }).where('decidedBy', '=', p.from),
);
