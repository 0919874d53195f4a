/** What must hold when everything has come to rest, whoever judges: the simulator, the soak, the drill. */
import type { Outside, Rows } from './facts.js';
import { happenedTwice, movedWrongly, paidByEvents, stillOpen } from './history.js';
import { failed, overdue } from './jobs.js';
import { toldNobody } from './mails.js';
import { paidAndOpen, paidAndUntold } from './payments.js';

/** Also when nobody has helped. */
export function untrueAtRest(rows: Rows, { now }: Outside): string[] {
  return [...overdue(rows, now()), ...movedWrongly(rows), ...happenedTwice(rows), ...paidByEvents(rows)];
}

/** Once the office has helped. */
export function owedAtRest(rows: Rows, outside: Outside): string[] {
  return [
    ...failed(rows),
    ...toldNobody(rows),
    ...paidAndOpen(rows),
    ...paidAndUntold(rows, outside),
    ...stillOpen(rows),
  ];
}
