/** Shows progress on a terminal; silent elsewhere. */
import { isColored } from './colors.js';
import type { Shell } from '../io.js';

export interface Progress {
  update(text: string): void;
  /** Prints something without disturbing the progress line. */
  around(print: () => void): void;
}

const SILENT: Progress = { update: () => undefined, around: (print) => print() };

const BAR_WIDTH = 24;

/** `████████░░░░ 63 of 105`. */
export function bar(done: number, total: number): string {
  const full = Math.round((BAR_WIDTH * Math.min(done, total)) / Math.max(1, total));
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${done} of ${total}`;
}

export async function withProgress<T>(
  shell: Shell,
  text: string,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const { stderr, env } = shell.io;
  // A terminal without a known width would be flooded with erase codes.
  if (!stderr.isTTY || !stderr.columns || env['TERM'] === 'dumb') return work(SILENT);
  const { default: ora } = await import('ora');
  const color = isColored(stderr, env) ? 'cyan' : false;
  // Leaves stdin and cursor alone, so that Ctrl-C stays a signal and a killed process leaves the terminal intact.
  const spinner = ora({
    text,
    stream: stderr,
    color,
    isEnabled: true,
    discardStdin: false,
    hideCursor: false,
  });
  spinner.start();
  shell.signal.addEventListener('abort', () => spinner.stop(), { once: true });
  try {
    return await work({
      update: (now) => (spinner.text = now),
      around: (print) => {
        spinner.clear();
        print();
      },
    });
  } finally {
    spinner.stop();
  }
}
