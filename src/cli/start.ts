/** The entry of the command line: --version is answered before anything else is loaded, wherever it stands. */

/** Resolves with the exit code. */
export async function start(process: NodeJS.Process): Promise<number> {
  const { argv, stdout, stderr, env } = process;
  const words = argv.slice(2);
  if (words.includes('--version') || words.includes('-V')) {
    const { versionLine, versions } = await import('../core/installation/version.js');
    const said = words.includes('--json') ? JSON.stringify(versions()) : versionLine();
    stdout.on('error', () => undefined).write(`${said}\n`);
    return 0;
  }
  const { runCli } = await import('./main.js');
  const { interrupts } = await import('./run/interruption.js');
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
