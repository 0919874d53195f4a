/** Part of `npm run build`: writes the manual pages to dist/man; `man -l dist/man/esignctl.1` shows one. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { esignctlPage } from './esignctl.js';
import { esigndPage } from './esignd.js';
import { createProgram } from '../../src/cli/program.js';

const directory = fileURLToPath(new URL('../../man/', import.meta.url));
const program = createProgram(process, { isJson: false, done: () => undefined });
mkdirSync(directory, { recursive: true });
writeFileSync(`${directory}esignctl.1`, esignctlPage(program));
writeFileSync(`${directory}esignd.8`, esigndPage());
