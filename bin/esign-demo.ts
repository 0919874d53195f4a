#!/usr/bin/env -S node --
/** The demo: sandbox and daemon together, with one request to sign; demo/main.ts does the work. */
import { fileURLToPath } from 'node:url';
import { launch } from './launch.cjs';

await launch(fileURLToPath(import.meta.url), async () => {
  const { main } = await import('../demo/main.js');
  process.exitCode = await main(process.argv.slice(2));
});
