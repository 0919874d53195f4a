/** Loads every module at once. What is done while a module is loaded then belongs to no test, whichever needed the module first. */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../src');

for (const part of ['core', 'db'])
  for (const file of readdirSync(join(ROOT, part), { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.ts')) await import(join(ROOT, part, file));
