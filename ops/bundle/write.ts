/**
 * Part of `npm run build`: puts the modules that a program needs at every start into few files, dist/bin/<program>.js and
 * the chunks beside it. Opening some three hundred small files takes longer than all the rest of a short command, and half
 * of the daemon's start.
 */
import { chmodSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Stays a file of its own: an old Node reads it, and nothing else. */
const LAUNCHER = './launch.cjs';

const COMMAND_LINE = ['commander', 'chalk', 'kysely', 'croner', 'ipaddr.js'];
// The last is the bundler's own: it writes calls of it in the place of templates that hold a <script>.
const SERVER = ['hono', '@hono/node-server', 'zod', 'undici', '@oxc-project/runtime'];

/** The packages that go into a program's files; every other one is seldom needed, or finds files of its own beside it. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  esignctl: COMMAND_LINE,
  esignd: [
    ...COMMAND_LINE,
    ...SERVER,
    'jose',
    'nodemailer',
    'p-retry',
    'prom-client',
    'rate-limiter-flexible',
  ],
  'esign-sandbox': [...COMMAND_LINE, ...SERVER, 'postal-mime'],
};

for (const [program, takenIn] of Object.entries(PROGRAMS)) {
  const bundle = await rolldown({
    input: `${ROOT}bin/${program}.ts`,
    cwd: ROOT,
    platform: 'node',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    external: (name) =>
      name === LAUNCHER || isBuiltin(name) || (isPackage(name) && !takenIn.includes(packageOf(name))),
  });
  rmSync(`${ROOT}dist/bin/${program}`, { recursive: true, force: true });
  await bundle.write({ dir: `${ROOT}dist/bin`, format: 'esm', chunkFileNames: `${program}/[name].js` });
  await bundle.close();
}
for (const program of [...Object.keys(PROGRAMS), 'esign-demo'])
  chmodSync(`${ROOT}dist/bin/${program}.js`, 0o755);

function isPackage(name: string): boolean {
  return !/^[./#]/.test(name);
}

/** `hono` of `hono/html`. */
function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}
