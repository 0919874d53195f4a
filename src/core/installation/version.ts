/** The version of the package that this file belongs to, built or not. */
import { existsSync, readFileSync } from 'node:fs';

const PLACES = ['../../package.json', '../../../package.json', '../../../../package.json'];

export function packageVersion(): string {
  const file = PLACES.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
  return file ? JSON.parse(readFileSync(file, 'utf8')).version : 'unknown';
}
