#!/usr/bin/env node
/** The sandbox of both providers; src/sandbox/main.ts reads the options. */
import { main } from '../src/sandbox/main.js';

process.exitCode = await main(process.argv.slice(2), process.env);
