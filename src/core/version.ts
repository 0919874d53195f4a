/** The version of the package that this file belongs to, built or not. */
import { readFileSync } from 'node:fs';

export function packageVersion(): string {
  for (const place of ['../../package.json', '../../../package.json']) {
    try {
      const manifest = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8')) as {
        version: string;
      };
      return manifest.version;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return 'unknown';
}
