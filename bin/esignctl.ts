#!/usr/bin/env -S node --
/** The operator's command line; src/cli/main.ts does the work. */
// The `--` keeps node from taking our --env-file for its own.
import { runCli } from '../src/cli/main.js';
import { interruptSignal } from '../src/cli/interrupt.js';

const { stdin, stdout, stderr, env } = process;
process.exitCode = await runCli(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  signal: interruptSignal(),
});
