/** What runs here. */
import { existsSync, readFileSync } from 'node:fs';
import { MIGRATIONS } from '../../db/migrations/index.js';

const PLACES = ['../../package.json', '../../../package.json', '../../../../package.json'];

/** The version of the package that this file belongs to, built or not. */
export function packageVersion(): string {
  const file = PLACES.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
  return file ? JSON.parse(readFileSync(file, 'utf8')).version : 'unknown';
}

/** Of the program, of the databases that it opens, and of its Node. */
export interface Versions {
  version: string;
  schema: number;
  node: string;
}

export function versions(): Versions {
  const schema = Math.max(...MIGRATIONS.map(({ version }) => version));
  return { version: packageVersion(), schema, node: process.versions.node };
}

/** `1.0.0 (schema 52, Node 24.21.0)` */
export function versionLine(): string {
  const { version, schema, node } = versions();
  return `${version} (schema ${schema}, Node ${node})`;
}
