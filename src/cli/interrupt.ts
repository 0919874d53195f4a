/** Ctrl-C: the first ends the command cleanly within a second; the second ends the process at once. */
import { EXIT } from './exit-codes.js';

/** Aborts on the first SIGINT or SIGTERM of this process. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    // Safe, because everything is stored in transactions; the next run resumes.
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    // Ends the line on which the terminal echoed `^C`.
    if (process.stderr.isTTY) process.stderr.write('\n');
    controller.abort();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return controller.signal;
}
