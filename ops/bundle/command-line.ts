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
 * What every command loads stands in three files, each with all that it imports: the words, which are enough for --help, the
 * settings with the database, and the rows. Of the core, each module is a file of its own, so that none brings others along.
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
    {
      debugName: 'core',
      name: (file) => file.replace(/.*\/src\/(.*)\.ts$/, '$1').replaceAll('/', '-'),
      test: /\/src\/core\//,
      includeDependenciesRecursively: false,
    },
  ],
};

/**
 * A file loads what it requires when it first uses something of it: most commands need no keys and no child processes, and only a
 * part of what commands share. Only the files that every command uses all the time are loaded at once. The bundler also requires
 * files just to run them; none of our modules does anything then, so these lines are left out.
 */
const LATER: Plugin = {
  name: 'later',
  renderChunk: (code) =>
    HEAD + code.replaceAll(RUN, '').replaceAll(REQUIRED, 'const $1 = $$later(() => require("$2"));\n'),
};

const RUN = /^require\("\.\/[\w-]+\.cjs"\);\n/gm;
/** The second line, where there is one, is the bundler's for modules that are taken whole. */
const REQUIRED =
  /^(?:let|const) (\w+) = require\("((?:node:|\.\/)(?!(?:rolldown-runtime|words|reading|rows)\.cjs)[\w./-]+)"\);\n(?:\1 = \w+\.\w+\(\1, 1\);\n)?/gm;

/** Strict, as an ES module is. No name of our own begins with a dollar. */
const HEAD = `"use strict";
const $later = (load) => {
  let loaded;
  const get = (_, name) => (loaded ??= load(), name === "default" ? loaded.default ?? loaded : loaded[name]);
  return new Proxy({}, { get });
};
`;

/** CommonJS: Node then neither loads all of its own modules that are named, nor looks for what they export. */
export const COMMAND_LINE_FILES: OutputOptions = {
  format: 'cjs',
  entryFileNames: 'esignctl/[name].cjs',
  chunkFileNames: 'esignctl/[name].cjs',
  codeSplitting: LOADED_TOGETHER,
  plugins: [LATER],
};
