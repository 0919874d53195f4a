#!/usr/bin/env -S node --
/** The operator's command line; src/cli/start.ts does the work. */
// The `--` keeps node from taking our --env-file for its own.
import { start } from '../src/cli/start.js';

process.exitCode = await start(process);
