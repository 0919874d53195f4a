/** The history in the log: what has happened to which request and contract, by whichever process, told once it is on disk. */
import { HISTORY_TOPIC, listHistoryAfter, newestHistoryId } from '../db/history.js';
import type { Context } from './context.js';

const LINES_A_TURN = 200;

/** Writes what is committed from now on, in order. It names ids only: who did it, and the details, stand in the history. */
export function logHistory({ db, writer, log }: Pick<Context, 'db' | 'writer' | 'log'>): void {
  let last = newestHistoryId(db);
  const tellNext = () => {
    const entries = listHistoryAfter(db, { id: last, limit: LINES_A_TURN });
    for (const { id, what, requestId, contractId } of entries) {
      last = id;
      log.info(
        { historyId: id, requestId: requestId ?? undefined, contractId: contractId ?? undefined },
        what,
      );
    }
    // A run over very many contracts must not hold up the calls.
    if (entries.length === LINES_A_TURN) setImmediate(tell);
  };
  const tell = () => {
    if (!db.raw.open) return;
    try {
      if (log.isLevelEnabled('info')) tellNext();
      else last = newestHistoryId(db);
    } catch (error) {
      // What was committed stands; a log that lags behind must not end the daemon. The next commit tries again.
      log.error({ err: error }, 'the history could not be read for the log');
    }
  };
  writer.onCommit(HISTORY_TOPIC, tell);
}
