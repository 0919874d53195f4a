/** Copies the history into the log once it is on disk, whichever process wrote it. */
import { HISTORY_TOPIC, listHistoryAfter, newestHistoryId } from '../../db/history/history.js';
import type { Context } from '../context.js';

const LINES_A_TURN = 200;

/** Logs what is committed from now on, in order and with ids only; actor and details stay in the history. */
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
    // A run over many contracts must not block calls.
    if (entries.length === LINES_A_TURN) setImmediate(tell);
  };
  const tell = () => {
    if (!db.raw.open) return;
    try {
      if (log.isLevelEnabled('info')) tellNext();
      else last = newestHistoryId(db);
    } catch (error) {
      // A log that lags behind must not end the daemon; the next commit tries again.
      log.error({ err: error }, 'the history could not be read for the log');
    }
  };
  writer.onCommit(HISTORY_TOPIC, tell);
}
