/** Ctrl-C: the first one ends the command within a second, in order; the second one ends the process at once. */
import { EXIT } from './exit-codes.js';

/** Aborts on the first SIGINT or SIGTERM of this process. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    // Everything is stored in transactions, so even this leaves nothing half done; the next run takes it up.
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    // What the terminal has drawn for the key stands on a line of its own.
    if (process.stderr.isTTY) process.stderr.write('\n');
    controller.abort();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return controller.signal;
}
