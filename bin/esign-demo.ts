#!/usr/bin/env node
/** The demo: sandbox and daemon together, with one request to sign; src/demo/main.ts does the work. */
import { main } from '../src/demo/main.js';

process.exitCode = await main(process.argv.slice(2));
