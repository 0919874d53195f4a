/** A second process at the same database: plain Node with better-sqlite3, none of our code. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface, type Interface } from 'node:readline';
import { onTestFinished } from 'vitest';

export interface OtherProcess {
  child: ChildProcess;
  /** The next line that the script says. */
  hear(): Promise<string>;
  /** Ends it as the kernel would. */
  kill(): Promise<void>;
  ended: Promise<unknown>;
}

const SQLITE = createRequire(import.meta.url).resolve('better-sqlite3');
const PRELUDE = `
  const Database = require(${JSON.stringify(SQLITE)});
  const args = process.argv.slice(1);
  const say = (line) => process.stdout.write(line + '\\n');
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
`;

/** Runs `script`, which knows `Database`, `args`, `say(line)` and `pause(ms)`. */
export function otherProcess(script: string, ...args: string[]): OtherProcess {
  const code = `${PRELUDE}(async () => { ${script} })().catch((error) => { say(String(error)); process.exit(1); })`;
  const child = spawn(process.execPath, ['-e', code, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: Interface = createInterface({ input: child.stdout });
  const said = lines[Symbol.asyncIterator]();
  const ended = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    child,
    ended,
    hear: async () => String((await said.next()).value),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Writes rows into the table `pairs` (a, b) without a pause, each whole only at the end of its transaction; it says when there are 200. */
export function writerOfPairs(database: string): OtherProcess {
  return otherProcess(
    `const db = new Database(args[0], { timeout: 10000 });
     for (let i = 1; ; i += 1) {
       db.transaction(() => {
         db.prepare('INSERT INTO pairs VALUES (?, NULL)').run(i);
         db.prepare('UPDATE pairs SET b = a WHERE a = ?').run(i);
       })();
       if (i === 200) say('writing');
       if (i % 50 === 0) await pause(0);
     }`,
    database,
  );
}
