/** Names of other processes of this machine, as they hold locks and jobs. */
import { spawnSync } from 'node:child_process';
import { holderName } from '../../src/core/installation/process.js';

export const OURS = holderName('command');

/** The name of a process with other parts than this one's. */
export function named(
  parts: Partial<Record<'role' | 'boot' | 'namespace' | 'pid' | 'startedAt', string | number>>,
): string {
  const [role, boot, namespace, pid, startedAt] = OURS.split('-');
  return Object.values({ role, boot, namespace, pid, startedAt, ...parts }).join('-');
}

/** The one that has started the tests. */
export const LIVING = named({ pid: process.ppid, startedAt: '' });

/** Its number has been in use, and is not any more. */
export const DEAD = named({ pid: spawnSync('true').pid });
