#!/usr/bin/env -S node --
/** The operator's command line; src/cli/start.ts does the work. */
// The `--` keeps node from taking our --env-file for its own.
import { fileURLToPath } from 'node:url';
import { launch } from './launch.cjs';

await launch(fileURLToPath(import.meta.url), async () => {
  const { start } = await import('../src/cli/start.js');
  process.exitCode = await start(process);
});
