/**
 * Puts the simulated machine under everything that is imported after this: clocks, timers, randomness, files, the
 * network of `fetch`, process ids. The service itself runs unchanged.
 */
import { createHash, webcrypto } from 'node:crypto';
import type { readFileSync, readlinkSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';
import { Chance } from './chance.js';
import { aDisk, type Disk } from './disk.js';
import { installFiles } from './files.js';
import { commitSynced, willNotSync } from './power.js';
import { Scheduler, type Process } from './scheduler.js';
import { installTime } from './time.js';

export interface Machinery {
  scheduler: Scheduler;
  /** Ids, tokens, salts. */
  random: Chance;
  disk: Disk;
  fetch: typeof globalThis.fetch;
  /** After every commit of the service, with its process. */
  onCommit?: (process: Process) => void;
}

/** What modules see while they are loaded. */
let machinery: Machinery = {
  scheduler: new Scheduler(Date.UTC(2031, 0, 1)),
  random: new Chance(0),
  disk: aDisk(new Chance(0)),
  fetch: () => Promise.reject(new Error('there is no world yet')),
};

/** From now on everything is of this world. */
export function inhabit(next: Machinery): void {
  machinery = next;
}

/** Of the program that simulates. */
export const realPid = process.pid;

const require = createRequire(import.meta.url);
const world = () => machinery.scheduler;
const random = () => machinery.random;

installTime(world);
const disk = () => world().process().machine.disk ?? machinery.disk;
installFiles({ world, disk });
installRandomness();
installProcesses();
installPasswords();
holdForThreads();
watchDatabases();
runProgramsHere();
measureNothing();
globalThis.fetch = (...args) => machinery.fetch(...args);

function installRandomness(): void {
  const crypto = require('node:crypto') as object;
  const fill = <T extends ArrayBufferView>(view: T): T => {
    new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(random().bytes(view.byteLength));
    return view;
  };
  const ours = {
    randomUUID: () => random().uuid() as ReturnType<typeof webcrypto.randomUUID>,
    getRandomValues: fill,
  };
  Object.assign(crypto, {
    randomUUID: ours.randomUUID,
    randomBytes: (count: number) => random().bytes(count),
    randomInt: (least: number, most?: number) =>
      most === undefined ? random().int(0, least - 1) : random().int(least, most - 1),
    randomFillSync: fill,
  });
  syncBuiltinESMExports();
  Object.assign(Object.getPrototypeOf(webcrypto) as object, ours);
  Math.random = () => random().next();
}

/** Each process of the world has an id of its own, and the system knows of no other. */
function installProcesses(): void {
  Object.defineProperty(process, 'pid', { get: () => world().process().pid });
  const mustLive = (pid: number) => {
    if (!world().processes.has(pid)) throw Object.assign(new Error('ESRCH'), { code: 'ESRCH' });
  };
  const kill = process.kill.bind(process);
  process.kill = (pid, signal) => {
    if (signal !== 0) return kill(pid, signal);
    mustLive(pid);
    return true;
  };
  const files = require('node:fs') as {
    readFileSync: typeof readFileSync;
    readlinkSync: typeof readlinkSync;
  };
  const real = { ...files };
  files.readFileSync = ((path: string, ...options: []) => {
    const pid = Number(/^\/proc\/(\d+)\/stat$/.exec(path)?.[1]);
    if (path === '/proc/sys/kernel/random/boot_id') return 'simulated';
    if (Number.isNaN(pid)) return real.readFileSync(path, ...options);
    mustLive(pid);
    return `${pid} (simulated) S${' 0'.repeat(18)} ${pid}`;
  }) as typeof readFileSync;
  files.readlinkSync = ((path: string, ...options: []) =>
    path === '/proc/self/ns/pid' ? 'pid:[1]' : real.readlinkSync(path, ...options)) as typeof readlinkSync;
  syncBuiltinESMExports();
}

/** The real ones take a hundredth of a second of all cores each, and that is what they are for. */
function installPasswords(): void {
  const digest = (password: string) => createHash('sha256').update(`a password: ${password}`).digest('hex');
  Object.assign(require('@node-rs/argon2') as object, {
    hash: async (password: string) => `simulated$${digest(password)}`,
    verify: async (hash: string, password: string) => hash === `simulated$${digest(password)}`,
  });
}

/** What Node does in threads of its own ends at some time of the real world: ours waits for it. */
function holdForThreads(): void {
  const hold = (prototype: object, names: readonly string[]) => {
    for (const name of names) {
      const act = Reflect.get(prototype, name) as ((...args: unknown[]) => Promise<unknown>) | undefined;
      if (!act) continue;
      Reflect.set(prototype, name, function (this: object, ...args: unknown[]) {
        return world().outside(() => act.apply(this, args));
      });
    }
  };
  hold(Object.getPrototypeOf(webcrypto.subtle) as object, [
    'sign',
    'verify',
    'digest',
    'importKey',
    'encrypt',
    'decrypt',
  ]);
  hold(Blob.prototype, ['arrayBuffer', 'text', 'bytes']);
}

/** SQLite's own limit. */
const PAGES_MAX = 2 ** 32 - 2;

/** A killed process lets go of its databases; polls look again after each commit. */
function watchDatabases(): void {
  interface Handle {
    open: boolean;
    name: string;
    close(): void;
    pragma(words: string): unknown;
  }
  interface Statement {
    run(...values: unknown[]): unknown;
  }
  const { prototype } = require('better-sqlite3') as {
    prototype: Record<string, (this: Handle, ...args: unknown[]) => unknown>;
  };
  const known = new WeakSet<Handle>();
  /** Those whose commits wait for the disk. */
  const syncing = new WeakSet<Handle>();
  /** Those that have no room for another page. */
  const full = new WeakSet<Handle>();
  for (const name of ['exec', 'pragma', 'prepare']) {
    const act = prototype[name] as (this: Handle, ...args: unknown[]) => unknown;
    prototype[name] = function (...args) {
      if (!known.has(this)) {
        known.add(this);
        world()
          .process()
          .atDeath.push(() => this.open && this.close());
      }
      const result = act.apply(this, args);
      if (args[0] === 'synchronous = FULL') syncing.add(this);
      else if (String(args[0]).startsWith('synchronous = ')) syncing.delete(this);
      // The service's own are prepared; what is executed reads.
      if (name !== 'prepare') return result;
      if (args[0] === 'COMMIT') tellOf(result as Statement, this);
      if (args[0] === 'BEGIN IMMEDIATE') fill(result as Statement, this);
      return result;
    };
  }
  /** On a full disk a transaction may change its pages, and gets no new ones. */
  function fill(begin: Statement, database: Handle): void {
    const run = begin.run.bind(begin);
    begin.run = (...values) => {
      const isFull = disk().isFull && !world().isFrozen;
      if (isFull !== full.has(database)) {
        // SQLite raises a limit below the current page count to that count.
        database.pragma(`max_page_count = ${isFull ? 1 : PAGES_MAX}`);
        if (isFull) full.add(database);
        else full.delete(database);
      }
      return run(...values);
    };
  }
  function tellOf(commit: Statement, database: Handle): void {
    const run = commit.run.bind(commit);
    commit.run = (...values) => {
      const isSynced = syncing.has(database);
      if (!isSynced) willNotSync(disk(), database.name);
      const result = run(...values);
      if (isSynced) commitSynced(disk());
      world().happened();
      const process = world().process();
      // Its watcher is nobody of the world's.
      world().in(world().nobody, () => machinery.onCommit?.(process));
      return result;
    };
  }
}

/** Node reports its garbage collections as they happen, which is at another moment in each run. */
function measureNothing(): void {
  Object.assign(require('prom-client') as object, { collectDefaultMetrics: () => undefined });
}

/** Programs that the service starts do their work in this one: those that look through a database, or read a PDF. */
function runProgramsHere(): void {
  const children = require('node:child_process') as { execFile: object };
  const execFile = () => {
    throw new Error('only through promisify');
  };
  const ours = (_file: string, args: readonly string[]) => {
    const [script = '', , input = ''] = args.slice(args.indexOf('--eval') + 1);
    let hear: (bytes: Uint8Array) => void = () => undefined;
    const heard = new Promise<Uint8Array>((resolve) => (hear = resolve));
    const done = new Promise<{ stdout: string }>((resolve) => {
      const process = {
        argv: ['', input],
        stdin: {
          [Symbol.asyncIterator]: async function* () {
            yield await heard;
          },
        },
        // It writes once, when its work is done.
        stdout: { write: (stdout: string) => resolve({ stdout }) },
      };
      // oxlint-disable-next-line no-new-func, typescript/no-implied-eval
      (new Function('require', 'process', script) as (...given: unknown[]) => void)(require, process);
    });
    const stdin = { on: () => stdin, end: hear };
    return Object.assign(done, { child: { stdin } });
  };
  Object.assign(execFile, { [promisify.custom]: ours });
  children.execFile = execFile;
  syncBuiltinESMExports();
}
