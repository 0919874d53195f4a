/**
 * Files, on a disk in memory. What a program waits for takes time here, and what it did not sync is lost when the power
 * fails. Each step is done at once, in the order in which the steps were begun.
 */
import fs, { type BigIntStats, type Stats } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { Readable } from 'node:stream';
import { hasSynced, isInWorld, isUnsynced, renamed, type Disk } from './disk.js';
import type { Scheduler } from './scheduler.js';

const require = createRequire(import.meta.url);

/** The free blocks it reports, regardless of the computer. */
const ROOM = 10_000_000;

export interface Place {
  world: () => Scheduler;
  disk: () => Disk;
}

type Callback = (error: Error | null, value?: unknown) => void;

export function installFiles(place: Place): void {
  const { world, disk } = place;
  const files = require('node:fs') as typeof fs;
  const promises = require('node:fs/promises') as typeof fs.promises;
  const real = { ...promises };
  const { open, close, fsync, createReadStream, renameSync, statfsSync, writeSync } = files;
  const paths = new Map<number, string>();
  const isOurs = (path: unknown): path is string => isInWorld(path) && !world().isFrozen;

  /** Later, as by a thread of the pool. */
  const later = <T>(work: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const { chance } = disk();
      const ms = chance.happens(0.01) ? chance.between(5, 400) : chance.between(0.02, 0.6);
      world().after(ms, () => {
        world().happened();
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
    });
  const mayStore = () => {
    if (disk().isFull)
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  const sync = (descriptor: number) => {
    const path = paths.get(descriptor);
    if (path !== undefined) hasSynced(disk(), path);
  };
  const openNow = (path: string, flags: fs.OpenMode = 'r', mode?: fs.Mode): number => {
    const isWriting = typeof flags === 'string' && flags !== 'r';
    // A full disk still takes a name.
    const descriptor = files.openSync(path, flags, mode);
    paths.set(descriptor, path);
    if (isWriting) isUnsynced(disk(), path);
    return descriptor;
  };
  const closeNow = (descriptor: number) => {
    paths.delete(descriptor);
    files.closeSync(descriptor);
  };

  const renameNow = (from: string, to: string) => renamed(disk(), from, to, () => renameSync(from, to));

  class Handle {
    readonly fd: number;
    constructor(fd: number) {
      this.fd = fd;
    }
    read(block: Buffer, offset: number, length: number, at: number | null) {
      return later(() => ({ bytesRead: files.readSync(this.fd, block, offset, length, at), buffer: block }));
    }
    stat(options?: { bigint?: boolean }): Promise<Stats | BigIntStats> {
      return later(() => files.fstatSync(this.fd, options as { bigint: true }));
    }
    writeFile(content: string | Uint8Array) {
      return later(() => {
        mayStore();
        files.writeFileSync(this.fd, content);
      });
    }
    readFile() {
      return later(() => files.readFileSync(this.fd));
    }
    sync() {
      return later(() => sync(this.fd));
    }
    close() {
      return later(() => closeNow(this.fd));
    }
    createReadStream({ autoClose = true } = {}) {
      return Readable.from(this.#content(autoClose));
    }
    async *#content(isLast: boolean) {
      try {
        yield await this.readFile();
      } finally {
        if (isLast) await this.close();
      }
    }
  }

  const own = {
    open: (path: string, flags?: fs.OpenMode, mode?: fs.Mode) =>
      later(() => new Handle(openNow(path, flags, mode))),
    rename: (from: string, to: string) => later(() => renameNow(from, to)),
    rm: (path: string, options?: fs.RmOptions) => later(() => files.rmSync(path, options)),
    readFile: (path: string, options?: never) => later(() => files.readFileSync(path, options)),
    writeFile: (path: string, content: string, options?: fs.WriteFileOptions) =>
      later(() => {
        mayStore();
        files.writeFileSync(path, content, options);
      }),
    mkdir: (path: string, options?: fs.MakeDirectoryOptions) => later(() => files.mkdirSync(path, options)),
    readdir: (path: string, options?: never) => later(() => inOrder(files.readdirSync(path, options))),
    access: (path: string, mode?: number) => later(() => files.accessSync(path, mode)),
    stat: (path: string, options?: never) => later(() => files.statSync(path, options)),
  };
  for (const [name, act] of Object.entries(own)) {
    const before = real[name as 'rename'] as (...args: unknown[]) => Promise<unknown>;
    Object.assign(promises, {
      [name]: (path: unknown, ...rest: unknown[]) =>
        isOurs(path)
          ? (act as (...args: unknown[]) => Promise<unknown>)(path, ...rest)
          : before(path, ...rest),
    });
  }

  const calledBack = async (work: Promise<unknown>, done: Callback) => {
    try {
      const value = await work;
      // Outside of the promise, whose handlers would catch what it throws.
      queueMicrotask(() => done(null, value));
    } catch (error) {
      queueMicrotask(() => done(error as Error));
    }
  };
  const { watch } = files;
  Object.assign(files, {
    // Reports nothing, because when the real one does is a matter of chance.
    watch: (path: string, ...rest: never[]) => {
      if (isOurs(path)) throw Object.assign(new Error('ENOSYS: watch'), { code: 'ENOSYS' });
      return (watch as (...given: unknown[]) => unknown)(path, ...rest);
    },
    open: (path: string, flags: fs.OpenMode, mode: fs.Mode, done: Callback) => {
      if (!isOurs(path)) return open(path, flags, mode, done as never);
      return void calledBack(
        later(() => openNow(path, flags, mode)),
        done,
      );
    },
    // As streams do; the number may be another file's from now on.
    close: (descriptor: number, done: fs.NoParamCallback) => {
      paths.delete(descriptor);
      close(descriptor, done);
    },
    fsync: (descriptor: number, done: Callback) => {
      if (world().isFrozen || !paths.has(descriptor)) return fsync(descriptor, done);
      return void calledBack(
        later(() => sync(descriptor)),
        done,
      );
    },
    writeSync: (descriptor: number, ...content: [never]) => {
      if (!world().isFrozen && paths.has(descriptor)) mayStore();
      return writeSync(descriptor, ...content);
    },
    renameSync: (from: string, to: string) => (isOurs(from) ? renameNow(from, to) : renameSync(from, to)),
    statfsSync: (path: string, options?: never) =>
      isOurs(path)
        ? { ...statfsSync(path, options), bsize: 4_096, bavail: disk().isFull ? 0 : ROOM }
        : statfsSync(path, options),
    createReadStream: (path: string, options?: object) =>
      isOurs(path)
        ? Readable.from(
            (async function* () {
              yield await later(() => files.readFileSync(path));
            })(),
          )
        : createReadStream(path, options),
  });
  syncBuiltinESMExports();
}

/** A disk may give names in any order. */
function inOrder(names: unknown[]): unknown[] {
  const nameOf = (entry: unknown) => (typeof entry === 'string' ? entry : (entry as fs.Dirent).name);
  return names.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}
