/** `npm run documents`: writes the tables of docs/ that are made from the code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TABLES, withTables } from './tables.js';

for (const name of Object.keys(TABLES)) {
  const file = fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url));
  writeFileSync(file, withTables(name, readFileSync(file, 'utf8')));
}
