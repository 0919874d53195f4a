#!/usr/bin/env -S node --
/** The daemon; src/server/main.ts reads the options. */
// The `--` keeps node from taking our --env-file for its own.
import { fileURLToPath } from 'node:url';
import { launch } from './launch.cjs';

await launch(fileURLToPath(import.meta.url), async () => {
  const { main } = await import('../src/server/main.js');
  process.exit(await main(process.argv.slice(2), process.env));
});
