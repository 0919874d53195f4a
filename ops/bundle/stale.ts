/** Removes what an earlier build compiled from sources that are gone, so that nothing loads it and no package ships it. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What the compiler makes file by file; the rest of `dist` is written anew by each build. */
const COMPILED = ['bench', 'demo', 'ops', 'sandbox', 'simulation', 'src'];

export function removeStale(root: string): void {
  for (const directory of COMPILED)
    for (const name of readdirSync(join(root, 'dist', directory), { encoding: 'utf8', recursive: true })) {
      const source = join(root, directory, name.replace(/\.js$/, '.ts'));
      if (name.endsWith('.js') && !existsSync(source)) rmSync(join(root, 'dist', directory, name));
    }
}
