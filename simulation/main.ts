/** `npm run simulate`: years of the service in minutes, every choice from one seed. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../compile-cache'));

const [first, ...words] = process.argv.slice(2);

if (first === '--planted') {
  const { showPlanted } = await import('./planted/main.js');
  process.exitCode = showPlanted(words);
} else {
  // Before anything of the service is loaded.
  await import('./machine/install.js');
  const { explore } = await import('./explore.js');
  process.exitCode = await explore(process.argv.slice(2));
}
