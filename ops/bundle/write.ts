/**
 * Part of `npm run build`: removes what is stale, writes the licences, and bundles the modules that a program needs at every start into
 * dist/bin/<program>.js and a few chunks. Opening some three hundred small files takes most of a short command's time
 * and half of the daemon's start.
 */
import { chmodSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { rolldown, type OutputOptions } from 'rolldown';
import { removeStale } from './stale.js';
import { writeLicences } from './licences.js';
import { ADDON, CHUNK, COMMAND_LINE_FILES, HANDS_OVER, LOADED_LATE } from './command-line.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** What measures a text. */
const TEXT_WIDTH = ['string-width', 'strip-ansi', 'ansi-regex', 'emoji-regex', 'is-fullwidth-code-point'];
const CALLS = ['hono', 'qr', 'p-retry', 'is-network-error'];
const COMMAND_LINE = ['commander', 'chalk', 'kysely', 'croner', 'ipaddr.js', 'zod', ...TEXT_WIDTH, ...CALLS];
// The last is the bundler's own runtime, for templates that hold a <script>.
const SERVER = ['@hono/node-server', '@oxc-project/runtime'];
const METRICS = ['prom-client', 'tdigest', 'bintrees', '@opentelemetry/api'];

/** The packages to bundle. All others are seldom needed, or look for files beside their own. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  esignctl: COMMAND_LINE,
  esignd: [...COMMAND_LINE, ...SERVER, ...METRICS, 'jose', 'nodemailer'],
  'esign-sandbox': [...COMMAND_LINE, ...SERVER, 'postal-mime'],
};

/** Not bundled: it is the only file that an old Node must read. */
const LAUNCHER = './launch.cjs';

removeStale(ROOT);
const bundled = new Set<string>();
for (const [program, packages] of Object.entries(PROGRAMS)) {
  rmSync(`${ROOT}dist/bin/${program}`, { recursive: true, force: true });
  await write(`bin/${program}.ts`, packages, { chunkFileNames: `${program}/${CHUNK}.js` });
}
await write('src/cli/start.ts', [...COMMAND_LINE, 'better-sqlite3'], COMMAND_LINE_FILES);
writeLicences(ROOT, bundled);
for (const program of [...Object.keys(PROGRAMS), 'esign-demo'])
  chmodSync(`${ROOT}dist/bin/${program}.js`, 0o755);

async function write(input: string, packages: readonly string[], output: OutputOptions): Promise<void> {
  const bundle = await rolldown({
    input: ROOT + input,
    cwd: ROOT,
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    plugins: [HANDS_OVER, ADDON, LOADED_LATE],
    // Whoever comes first loads what several parts share.
    checks: { ineffectiveDynamicImport: false },
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    external: (name) =>
      name === LAUNCHER || isBuiltin(name) || (isPackage(name) && !packages.includes(packageOf(name))),
  });
  const { output: written } = await bundle.write({
    dir: `${ROOT}dist/bin`,
    format: 'esm',
    // A program keeps its text in memory as long as it runs, at two bytes a letter where one of them is not Latin.
    comments: { legal: true, annotation: false, jsdoc: false },
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
    ...output,
  });
  await bundle.close();
  if (input.includes('sandbox')) return;
  for (const chunk of written)
    if (chunk.type === 'chunk') for (const file of chunk.moduleIds) bundled.add(file);
}

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
