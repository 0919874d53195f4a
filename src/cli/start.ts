/** The entry of the command line: --version is answered before anything else is loaded. */
import { packageVersion } from '../core/installation/version.js';

/** Resolves with the exit code. */
export async function start(process: NodeJS.Process): Promise<number> {
  const { argv, stdout, stderr, env } = process;
  const words = argv.slice(2);
  if (words.length === 1 && /^(--version|-V)$/.test(words[0] as string)) {
    stdout.on('error', () => undefined).write(`${packageVersion()}\n`);
    return 0;
  }
  const { runCli } = await import('./main.js');
  const { interrupts } = await import('./run/interrupt.js');
  const { signal, leaveCtrlC } = interrupts();
  const exit = await runCli(words, {
    stdout,
    stderr,
    // Opened by the commands that read from it.
    get stdin() {
      return process.stdin;
    },
    env,
    signal,
    leaveCtrlC,
  });
  // Work that was abandoned must not keep the process alive.
  if (signal.aborted) process.exit(exit);
  return exit;
}
