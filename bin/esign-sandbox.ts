#!/usr/bin/env -S node --
/** The sandbox of both providers; sandbox/main.ts reads the options. */
import { fileURLToPath } from 'node:url';
import { launch } from './launch.cjs';

await launch(fileURLToPath(import.meta.url), async () => {
  const { main } = await import('../sandbox/main.js');
  process.exitCode = await main(process.argv.slice(2), process.env);
});
