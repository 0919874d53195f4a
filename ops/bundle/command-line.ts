/** How esignctl is cut into files: a short command is done before a long text is read. */
import type { OutputOptions, Plugin } from 'rolldown';

/** Lets `bin/esignctl.ts`, an ES module as all programs are, hand over to the files of this module. */
export const HANDS_OVER: Plugin = {
  name: 'hands-over',
  resolveId: (name) =>
    name === '../src/cli/start.js' ? { id: './esignctl/start.cjs', external: true } : null,
};

/** The addon of better-sqlite3 is looked for beside the package, not beside the bundle. */
export const ADDON: Plugin = {
  name: 'addon',
  load: (file) => (file.endsWith('/better-sqlite3/lib/binding.js') ? BINDING : null),
};

const BINDING = `
  const { dirname, join } = require('node:path');
  module.exports = require(join(dirname(require.resolve('better-sqlite3')), 'binding.js'));`;

/**
 * What a file requires is loaded when it is first used, as no module works when it is imported: few commands come to
 * cryptography, the providers or zod.
 */
export const LOADED_LATE: Plugin = {
  name: 'loaded-late',
  renderChunk(code) {
    let late = code;
    for (const [line, name, file] of code.matchAll(REQUIRED)) {
      late = late
        .replace(line, `let ${name}_loaded; const ${name} = () => (${name}_loaded ??= require(${file}));`)
        .replaceAll(
          new RegExp(String.raw`(?<!\w|(?<!\.\.)\.)${name}(?:\.default\b|(?=\.))`, 'g'),
          `(${name}())`,
        );
    }
    return late;
  },
};

/** With its second line, which looks for a default among the exports of a CommonJS module: there, it is the whole. */
const REQUIRED = /^(?:let|const) (\w+) = require\(("(?!\.\/rolldown-runtime).*")\);(?:\n\1 = .*)?$/gm;

/**
 * What every command loads stands in three files, each with all that it imports: the words, which are enough for --help, the
 * settings with the database, and the rows. Beside them, what is slow to load and seldom used; a group takes what the ones
 * above it have left.
 */
const LOADED_TOGETHER: OutputOptions['codeSplitting'] = {
  groups: [
    { name: 'chalk', test: /node_modules\/chalk\//, priority: 6 },
    { name: 'version', test: /src\/(core\/installation\/version|db\/migrations\/[\w-]+)\.ts$/, priority: 5 },
    { name: 'words', test: /src\/cli\/main\.ts$/, priority: 4 },
    {
      name: 'reading',
      test: /src\/cli\/(output\/output|run\/settings)\.ts$|src\/core\/(installation\/data|status\/metrics|http\/provider-error)\.ts$/,
      priority: 3,
    },
    { name: 'rows', test: /\/src\/(db|core\/jobs)\/(?!migrations)/, minShareCount: 3, priority: 2 },
    { name: 'zod', test: /node_modules\/zod\//, priority: 2 },
    { name: 'croner', test: /node_modules\/croner\//, priority: 2 },
    { name: 'providers', test: /src\/core\/(signature|payment)\/(provider|webhook-event)\.ts$/, priority: 1 },
  ],
};

/** Of its content, so that what runs while it is replaced finds no file of the next version under a name that it knows. */
export const CHUNK = '[name]-[hash]';

/** CommonJS: Node then neither loads all of its own modules that are named, nor looks for what they export. */
export const COMMAND_LINE_FILES: OutputOptions = {
  format: 'cjs',
  strict: true,
  entryFileNames: 'esignctl/[name].cjs',
  chunkFileNames: `esignctl/${CHUNK}.cjs`,
  codeSplitting: LOADED_TOGETHER,
};
