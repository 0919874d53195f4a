/** `npm run schema`: writes src/db/schema.ts anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { typesOf } from './types.js';

const file = (name: string) => fileURLToPath(new URL(`../../../src/db/${name}`, import.meta.url));
writeFileSync(file('schema.ts'), typesOf(readFileSync(file('schema.sql'), 'utf8')));
