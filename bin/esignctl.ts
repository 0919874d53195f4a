#!/usr/bin/env -S node --
/** The operator's command line; src/cli/main.ts does the work. */
// The `--` keeps node from taking our --env-file for its own.
import module from 'node:module';
import { packageVersion } from '../src/core/version.js';

// From Node 22 on: what was compiled once is kept, which spares a quarter of the start.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

const { stdin, stdout, stderr, env } = process;
const words = process.argv.slice(2);

// Asked by installers and monitors all day: it needs nothing of the program.
if (words.length === 1 && /^(--version|-V)$/.test(words[0] as string)) {
  stdout.on('error', () => undefined).write(`${packageVersion()}\n`);
} else {
  const { runCli } = await import('../src/cli/main.js');
  const { interruptSignal } = await import('../src/cli/interrupt.js');
  process.exitCode = await runCli(words, { stdin, stdout, stderr, env, signal: interruptSignal() });
}
