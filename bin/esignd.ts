#!/usr/bin/env -S node --
/** The daemon; src/server/main.ts reads the options. */
// The `--` keeps node from taking our --env-file for its own.
import { main } from '../src/server/main.js';

process.exit(await main(process.argv.slice(2), process.env));
