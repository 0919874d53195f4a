/**
 * Part of `npm run build`: bundles the modules that a program needs at every start into dist/bin/<program>.js and a
 * few chunks. Opening some three hundred small files takes most of a short command's time and half of the daemon's
 * start.
 */
import { chmodSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { rolldown, type OutputOptions, type Plugin } from 'rolldown';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

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

/** The only file that an old Node must read. */
const LAUNCHER = './launch.cjs';
/** Lets `bin/esignctl.ts`, an ES module as all programs, hand over to the bundle of the command line. */
const HANDS_OVER: Plugin = {
  name: 'hands-over',
  resolveId: (name) =>
    name === '../src/cli/start.js' ? { id: './esignctl/start.cjs', external: true } : null,
};

/**
 * What every command of esignctl loads stands in three files, each with all that it imports: the words, which are enough for --help,
 * the settings with the database, and the rows. Else it would be cut into some thirty, by who else uses which piece.
 */
const LOADED_TOGETHER: OutputOptions['codeSplitting'] = {
  groups: [
    { name: 'version', test: /src\/core\/installation\/version\.ts$/, priority: 3 },
    { name: 'words', test: /src\/cli\/(main|interrupt)\.ts$/, priority: 2 },
    {
      name: 'reading',
      test: /src\/cli\/(output|settings)\.ts$|src\/core\/installation\/data\.ts$/,
      priority: 1,
    },
    { name: 'rows', test: /\/src\/(db|core\/jobs)\/(?!migrations)/, minShareCount: 3 },
    { name: 'zod', test: /node_modules\/zod\//, priority: 1 },
    { name: 'undici', test: /node_modules\/undici\//, priority: 1 },
  ],
};

/**
 * What a file requires is loaded when something of it is first used: most commands need neither keys nor child processes, and of
 * what others share only a part. Not so the files that every command uses, over and over.
 */
const LATER: Plugin = {
  name: 'later',
  renderChunk: (code) =>
    // The second line, where there is one, is the bundler's for modules that are taken whole.
    LATER_BY +
    code.replaceAll(
      /^(?:let|const) (\w+) = require\("((?:node:|\.\/)(?!rolldown-runtime|words|reading|rows)[\w./-]+)"\);\n(?:\1 = \w+\.\w+\(\1, 1\);\n)?/gm,
      'const $1 = later(() => require("$2"));\n',
    ),
};

const LATER_BY = `const later = (load) => {
	let loaded;
	const get = (_, name) => (loaded ??= load(), name === "default" ? loaded.default ?? loaded : loaded[name]);
	return new Proxy({}, { get });
};
`;

for (const [program, packages] of Object.entries(PROGRAMS)) {
  rmSync(`${ROOT}dist/bin/${program}`, { recursive: true, force: true });
  if (program !== 'esignctl') await write(`bin/${program}.ts`, packages, modulesOf(program));
}
await write('bin/esignctl.ts', [], {}, [HANDS_OVER]);
// Node loads CommonJS a sixth faster: it looks for no names in Node's own modules, and loads those that are needed.
await write('src/cli/start.ts', COMMAND_LINE, {
  format: 'cjs',
  entryFileNames: 'esignctl/[name].cjs',
  chunkFileNames: 'esignctl/[name].cjs',
  codeSplitting: LOADED_TOGETHER,
  plugins: [LATER],
});
for (const program of [...Object.keys(PROGRAMS), 'esign-demo'])
  chmodSync(`${ROOT}dist/bin/${program}.js`, 0o755);

/** ES modules, the start of a program beside its parts. */
function modulesOf(program: string): OutputOptions {
  return { chunkFileNames: `${program}/[name].js` };
}

async function write(
  input: string,
  packages: readonly string[],
  output: OutputOptions,
  plugins: Plugin[] = [],
): Promise<void> {
  const bundle = await rolldown({
    input: ROOT + input,
    cwd: ROOT,
    platform: 'node',
    // Whoever comes first loads what several parts share.
    checks: { ineffectiveDynamicImport: false },
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    plugins,
    external: (name) =>
      name === LAUNCHER || isBuiltin(name) || (isPackage(name) && !packages.includes(packageOf(name))),
  });
  await bundle.write({
    dir: `${ROOT}dist/bin`,
    format: 'esm',
    // A program keeps its text in memory as long as it runs, at two bytes a letter where one of them is not Latin.
    comments: { legal: true, annotation: false, jsdoc: false },
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
    ...output,
  });
  await bundle.close();
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
