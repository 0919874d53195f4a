/** bin/launch.cjs, where every program starts: which Node runs it, and that nobody notices when it is another one. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAM } from '../cli/support.js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryDirectory } from '../support/app.js';
import { PATIENCE } from '../support/patience.js';

const LAUNCHER = fileURLToPath(new URL('../../bin/launch.cjs', import.meta.url));
const BUILT = (program: string) => fileURLToPath(new URL(`../../dist/bin/${program}.js`, import.meta.url));

/** Makes the first process an old Node, and leaves the one that it starts as it is. */
const OLD_NODE = `
  if (!process.env.LAUNCHER_LIFELINE) {
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2', napi: '9' } });
  }`;

interface Installed {
  /** What follows `node` to run the program. */
  words: string[];
  /** Where npm would have put the Node that it brings. */
  brought: string;
}

/** An installation with one program; `brings` says whether npm has brought a Node along. */
function installed(program: string, { isOld = true, brings = true } = {}): Installed {
  const directory = temporaryDirectory();
  const brought = join(directory, `node_modules/node-${process.platform}-${process.arch}`);
  mkdirSync(join(directory, 'bin'));
  copyFileSync(LAUNCHER, join(directory, 'bin/launch.cjs'));
  writeFileSync(join(directory, 'program.mjs'), program);
  writeFileSync(join(directory, 'old-node.cjs'), OLD_NODE);
  if (brings) {
    mkdirSync(join(brought, 'bin'), { recursive: true });
    writeFileSync(join(brought, 'package.json'), '{}');
    symlinkSync(process.execPath, join(brought, 'bin/node'));
  }
  const first = isOld ? ['--require', join(directory, 'old-node.cjs'), '--'] : ['--'];
  return { words: [...first, join(directory, 'bin/launch.cjs'), join(directory, 'program.mjs')], brought };
}

function start({ words }: Installed): ChildProcess {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function said(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await expect.poll(() => text, PATIENCE).toMatch(pattern);
  return (pattern.exec(text) as RegExpExecArray)[1] ?? '';
}

test.each([false, true])(
  'arguments, input, output and exit code are the program’s; Node too old: %s',
  (isOld) => {
    const { words } = installed(
      `process.stdin.pipe(process.stdout).on('error', () => {});
     console.log(JSON.stringify(process.argv.slice(2)));
     process.exitCode = 7;`,
      { isOld },
    );
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...words, '--env-file', 'nowhere', 'two words', ''],
      { input: 'what was typed', encoding: 'utf8' },
    );
    expect({ status, stdout, stderr }).toEqual({
      status: 7,
      stdout: '["--env-file","nowhere","two words",""]\nwhat was typed',
      stderr: '',
    });
  },
);

test('a Node that is new enough runs the program itself: there is no second process', () => {
  const { words } = installed('console.log(process.pid, process.ppid);', { isOld: false, brings: false });
  const { stdout, pid } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect(stdout).toBe(`${pid} ${process.pid}\n`);
});

test('an old Node alone says in one line what is missing, and ends with 2', () => {
  const { words } = installed('console.log("it ran");', { brings: false });
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^program needs Node 22\.14 or newer[^\n]+ 20\.20\.2[^\n]+\.\n$/);
});

test('a brought Node that cannot run here ends with the same line', () => {
  const program = installed('');
  const { words, brought } = { ...program };
  writeFileSync(join(brought, 'package.json'), '{}');
  symlinkSync('/nowhere/node', join(brought, 'bin/other'));
  spawnSync('mv', ['-T', join(brought, 'bin/other'), join(brought, 'bin/node')]);
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^program needs Node 22\.14 or newer[^\n]+ENOENT\.\n$/);
});

test('a signal to the first process is the program’s to answer', async () => {
  const child = start(
    installed(
      `process.on('SIGTERM', () => process.exit(5));
       setInterval(() => {}, 1000);
       console.log('up');`,
    ),
  );
  await said(child, /^up$/m);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([5, null]);
});

test('a program that a signal ends is seen by its parent as ended by that signal', async () => {
  const child = start(installed(`process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);`));
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
});

test('when the first process is killed, the program does not live on', async () => {
  const child = start(installed(`setInterval(() => {}, 1000); console.log('pid', process.pid);`));
  const pid = Number(await said(child, /^pid (\d+)$/m));
  child.kill('SIGKILL');
  await vi.waitUntil(() => !existsSync(`/proc/${pid}`), PATIENCE);
});

test('Ctrl-C on a terminal reaches the program once', async () => {
  const { words } = installed(
    `let times = 0;
     process.on('SIGINT', () => {
       times += 1;
       // A second one would be on its way already.
       if (times === 1) setTimeout(() => { console.log('times: ' + times); process.exit(0); }, 200);
     });
     setInterval(() => {}, 1000);
     console.log('up');`,
  );
  const command = [process.execPath, ...words].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const heard = said(child, /times: (\d+)/);
  let text = '';
  child.stdout.on('data', (chunk: string) => (text += chunk));
  await expect.poll(() => text, PATIENCE).toContain('up');
  child.stdin.write('\u0003');
  expect(await heard).toBe('1');
});

test.each(['esignd', 'esignctl', 'esign-sandbox', 'esign-demo'])(
  '%s is started by its name, also through a link, and its --env-file is not Node’s',
  (program) => {
    const link = join(temporaryDirectory(), program);
    symlinkSync(BUILT(program), link);
    const { status, stderr } = spawnSync(link, ['--env-file', '/nowhere/esign.env', 'status'], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    });
    // Node itself would end with 9 and "node: /nowhere/esign.env: not found".
    expect(status).toBe(2);
    expect(stderr).not.toMatch(/^node: /m);
  },
);

test('each file of the command line can be the first to be loaded, and lacks nothing then', () => {
  const directory = PROGRAM.replace(/\.js$/, '/');
  const script = `
    const { readdirSync, readFileSync } = require('node:fs');
    const files = readdirSync(${JSON.stringify(directory)});
    const lacks = [];
    for (const file of files) {
      process.emitWarning = (words) => lacks.push(file + ': ' + words);
      for (const each of Object.keys(require.cache))
        if (each.startsWith(${JSON.stringify(directory)})) delete require.cache[each];
      if (!readFileSync(${JSON.stringify(directory)} + file, 'utf8').startsWith('"use strict";')) lacks.push(file + ' is not strict');
      const part = require(${JSON.stringify(directory)} + file);
      for (const name of Object.keys(part)) if (part[name] === undefined) lacks.push(file + ' lacks ' + name);
    }
    console.log(JSON.stringify({ files: files.length, lacks }));`;
  const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  const { files, lacks } = JSON.parse(stdout) as { files: number; lacks: string[] };
  expect(files).toBeGreaterThan(100);
  expect(lacks).toEqual([]);
});
