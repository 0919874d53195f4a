#!/usr/bin/env node
/** The daemon; src/server/main.ts reads the options. */
import { main } from '../src/server/main.js';

process.exit(await main(process.argv.slice(2), process.env));
