/** From the process to the command line: what is asked for most often is answered before anything is loaded. */
import { packageVersion } from '../core/version.js';

/** Resolves with the exit code. */
export async function start({ argv, stdin, stdout, stderr, env }: NodeJS.Process): Promise<number> {
  const words = argv.slice(2);
  if (words.length === 1 && /^(--version|-V)$/.test(words[0] as string)) {
    stdout.on('error', () => undefined).write(`${packageVersion()}\n`);
    return 0;
  }
  const { runCli } = await import('./main.js');
  const { interruptSignal } = await import('./interrupt.js');
  const signal = interruptSignal();
  const exit = await runCli(words, { stdin, stdout, stderr, env, signal });
  // Whatever still runs was left; it must not keep the process.
  if (signal.aborted) process.exit(exit);
  return exit;
}
