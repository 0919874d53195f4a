/**
 * Files as they are used while the world stands still: in the real way. A process that was killed uses none, and what
 * it did not sync is remembered, in case the power fails.
 */
import type fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { hasSynced, isInWorld, isUnsynced, renamed } from './disk.js';
import type { Place } from './files.js';

const require = createRequire(import.meta.url);

type Flushing = { flush?: boolean; flags?: string };

export function watchStandingFiles({ world, disk }: Place): void {
  const files = require('node:fs') as typeof fs;
  const promises = require('node:fs/promises') as typeof fs.promises;
  const { renameSync, writeFileSync, rmSync, openSync, fsyncSync, createWriteStream } = files;
  const opened = new Map<number, string>();
  const { open, rename, writeFile } = { ...promises };
  const isStanding = (path: unknown): path is string => isInWorld(path) && world().isFrozen;
  /** Something that waits for nothing cannot wait for ever. */
  const mustLive = (path: unknown) => {
    if (isStanding(path) && !world().usesFile()) throw new Error('its process was killed');
  };
  const written = (path: unknown, { flush }: Flushing = {}) => {
    if (isStanding(path) && !flush) isUnsynced(disk(), path);
  };

  Object.assign(promises, {
    open: async (path: string, flags?: string, mode?: fs.Mode) => {
      const handle = await open(path, flags, mode);
      if (!isStanding(path)) return handle;
      if (flags !== undefined && flags !== 'r') written(path);
      const sync = handle.sync.bind(handle);
      handle.sync = async () => {
        await sync();
        hasSynced(disk(), path);
      };
      return handle;
    },
    rename: async (from: string, to: string) =>
      isStanding(to) ? renamed(disk(), from, to, () => renameSync(from, to)) : rename(from, to),
    writeFile: async (path: string, content: string, options?: Flushing) => {
      written(path, options);
      await writeFile(path, content, options);
    },
  });
  Object.assign(files, {
    renameSync: (from: string, to: string) => {
      mustLive(to);
      if (isStanding(to)) renamed(disk(), from, to, () => renameSync(from, to));
      else renameSync(from, to);
    },
    openSync: (path: string, flags: fs.OpenMode, mode?: fs.Mode) => {
      const descriptor = openSync(path, flags, mode);
      if (isStanding(path)) opened.set(descriptor, path);
      return descriptor;
    },
    fsyncSync: (descriptor: number) => {
      fsyncSync(descriptor);
      hasSynced(disk(), opened.get(descriptor) ?? '');
    },
    rmSync: (path: string, options?: fs.RmOptions) => {
      mustLive(path);
      rmSync(path, options);
    },
    writeFileSync: (path: string, content: string, options?: Flushing) => {
      mustLive(path);
      written(path, options);
      writeFileSync(path, content, options);
    },
    createWriteStream: (path: string, options?: Flushing) => {
      written(path);
      const stream = createWriteStream(path, options);
      if (isStanding(path) && options?.flush) stream.once('close', () => hasSynced(disk(), path));
      return stream;
    },
  });
  syncBuiltinESMExports();
}
