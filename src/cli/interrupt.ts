/** Ctrl-C: the first one asks the command to finish what runs and stop, the second one ends the process. */
import { EXIT } from './exit-codes.js';

/** Aborts on the first SIGINT or SIGTERM of this process. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    // Everything is stored in transactions, so even this leaves nothing half done; the next run takes it up.
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
    if (process.stderr.isTTY) {
      process.stderr.write('\nStopping when what runs is finished; Ctrl-C again stops at once.\n');
    }
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return controller.signal;
}
