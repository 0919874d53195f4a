/** Ctrl-C: the first ends the command cleanly within a second; the second ends the process at once. */
import { EXIT } from '../exit-codes.js';
import type { CliIo } from '../io.js';

/** `signal` aborts on the first SIGINT or SIGTERM of this process; a pager gets its SIGINT itself. */
export function interrupts(): Required<Pick<CliIo, 'signal' | 'leaveCtrlC'>> {
  const controller = new AbortController();
  let isLeft = false;
  const stop = (name: NodeJS.Signals) => {
    if (isLeft && name === 'SIGINT') return;
    // Safe, because everything is stored in transactions; the next run resumes.
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    // Ends the line on which the terminal echoed `^C`.
    if (process.stderr.isTTY) process.stderr.write('\n');
    controller.abort();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return {
    signal: controller.signal,
    leaveCtrlC: async (work) => {
      isLeft = true;
      try {
        return await work();
      } finally {
        isLeft = false;
      }
    },
  };
}
