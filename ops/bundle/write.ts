/**
 * Part of `npm run build`: bundles the modules that a program needs at every start into dist/bin/<program>.js and a
 * few chunks. Opening some three hundred small files takes most of a short command's time and half of the daemon's
 * start.
 */
import { chmodSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { rolldown, type CodeSplittingGroup } from 'rolldown';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Not bundled: it is the only file that an old Node must read. */
const LAUNCHER = './launch.cjs';

/** What string-width is made of. */
const TEXT_WIDTH = ['string-width', 'strip-ansi', 'ansi-regex', 'emoji-regex', 'is-fullwidth-code-point'];
const CALLS = ['undici', 'hono', 'qr', 'p-retry', 'is-network-error'];
const COMMAND_LINE = ['commander', 'chalk', 'kysely', 'croner', 'ipaddr.js', 'zod', ...TEXT_WIDTH, ...CALLS];
// The last is the bundler's own runtime, for templates that hold a <script>.
const SERVER = ['@hono/node-server', '@oxc-project/runtime'];

/** The packages to bundle. All others are seldom needed, or look for files beside their own. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  esignctl: COMMAND_LINE,
  esignd: [...COMMAND_LINE, ...SERVER, 'jose', 'nodemailer', 'prom-client'],
  'esign-sandbox': [...COMMAND_LINE, ...SERVER, 'postal-mime'],
};

/**
 * What every command of esignctl loads stands in two files, each with all that it imports: the words, which are enough for --help,
 * and the settings with the database. Else it would be cut into some thirty, by who else uses which piece.
 */
const LOADED_TOGETHER: readonly CodeSplittingGroup[] = [
  { name: 'version', test: /src\/core\/installation\/version\.ts$/, priority: 3 },
  { name: 'words', test: /src\/cli\/(main|interrupt)\.ts$/, priority: 2 },
  {
    name: 'reading',
    test: /src\/cli\/(output|settings)\.ts$|src\/core\/installation\/data\.ts$/,
    priority: 1,
  },
  { name: 'zod', test: /node_modules\/zod\//, priority: 1 },
  { name: 'undici', test: /node_modules\/undici\//, priority: 1 },
];

for (const [program, takenIn] of Object.entries(PROGRAMS)) {
  const bundle = await rolldown({
    input: `${ROOT}bin/${program}.ts`,
    cwd: ROOT,
    platform: 'node',
    // Whoever comes first loads what several parts share.
    checks: { ineffectiveDynamicImport: false },
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    external: (name) =>
      name === LAUNCHER || isBuiltin(name) || (isPackage(name) && !takenIn.includes(packageOf(name))),
  });
  rmSync(`${ROOT}dist/bin/${program}`, { recursive: true, force: true });
  await bundle.write({
    dir: `${ROOT}dist/bin`,
    format: 'esm',
    chunkFileNames: `${program}/[name].js`,
    // A program keeps its text in memory as long as it runs, at two bytes a letter where one of them is not Latin.
    comments: { legal: true, annotation: false, jsdoc: false },
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
    codeSplitting: { groups: program === 'esignctl' ? [...LOADED_TOGETHER] : [] },
  });
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
