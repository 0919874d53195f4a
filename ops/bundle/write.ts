/**
 * Part of `npm run build`: puts the modules that esignctl needs at every start into few files, dist/bin/esignctl.js and the
 * chunks beside it. Opening some three hundred small files takes longer than all the rest of a short command.
 */
import { rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const CHUNKS = 'esignctl';

/** Every other package stays where it is: it is seldom needed, or finds files of its own beside it. */
const TAKEN_IN = ['commander', 'chalk', 'kysely', 'croner', 'ipaddr.js'];

const bundle = await rolldown({
  input: `${ROOT}bin/esignctl.ts`,
  cwd: ROOT,
  platform: 'node',
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  external: (name) => isBuiltin(name) || (isPackage(name) && !TAKEN_IN.includes(name)),
});
rmSync(`${ROOT}dist/bin/${CHUNKS}`, { recursive: true, force: true });
await bundle.write({ dir: `${ROOT}dist/bin`, format: 'esm', chunkFileNames: `${CHUNKS}/[name].js` });
await bundle.close();

function isPackage(name: string): boolean {
  return !/^[./#]/.test(name);
}
