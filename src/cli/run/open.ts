/** Opens the data directory for one command and always closes it. Loads only what is needed. */
import { userInfo } from 'node:os';
import type { Config } from '../../core/settings/config.js';
import type { Actor } from '../../core/actor.js';
import type { Context } from '../../core/context.js';
import type { Data } from '../../core/installation/data.js';
import type { Log } from '../../core/log/log.js';
import { inLanguage } from '../../core/users/names.js';
import type { Shell } from '../io.js';

/** For commands that only read: fast, because nothing that acts is loaded. */
export async function withData<T>(shell: Shell, work: (data: Data) => T | Promise<T>): Promise<T> {
  const { settings } = await import('./settings.js');
  const { openData } = await import('../../core/installation/data.js');
  const { systemClock } = await import('../../core/clock.js');
  const config = settings(shell);
  shell.signal.throwIfAborted();
  const db = openData(config.dataDir, { installation: config.installation, mustExist: true });
  try {
    return await work({ config, clock: systemClock, db });
  } finally {
    db.close();
  }
}

/**
 * For what a command says itself. The command line speaks English, whatever `ESIGN_LOCALE` says: that is for mails and
 * pages, which a command may cause as well.
 */
export function inEnglish<T extends Pick<Data, 'config'>>(one: T): T {
  return Object.create(one, { config: { value: inLanguage(one.config, 'en') } });
}

export interface Session {
  ctx: Context;
  /** Who does it and why, and whether it is a dry run. */
  by: By;
}

export interface By {
  actor: Actor;
  reason?: string;
  dryRun: boolean;
}

/** The writer waits for the lock in steps of this length, between which Ctrl-C is noticed. */
const LOCK_BLOCKS_MS = 100;

/** For all other commands. Throws `no_data` without a database. */
export async function withSession<T>(shell: Shell, work: (session: Session) => Promise<T>): Promise<T> {
  const { settings } = await import('./settings.js');
  const { openContext } = await import('../../core/open-context.js');
  const config = settings(shell);
  shell.signal.throwIfAborted();
  const ctx = openContext(config, {
    ...(await logAt(config.logLevel)),
    mustExist: true,
    cut: shell.interruption.cut,
    busyTimeoutMs: LOCK_BLOCKS_MS,
    ...shell.io.waysOut,
  });
  try {
    return await work({ ctx, by: byWhom(shell) });
  } finally {
    shell.interruption.settle();
    await ctx.close();
  }
}

export function byWhom({ io: { env }, reason, dryRun }: Shell): By {
  // The history names the person, even behind sudo.
  const actor: Actor = { kind: 'cli', name: env['SUDO_USER'] || loginName() };
  return { actor, dryRun, ...(reason && { reason }) };
}

function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user without an entry in the user database, common in containers.
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

/** None, unless it is asked for: stderr is for people. */
async function logAt(level: Config['logLevel']): Promise<{ log?: Log }> {
  if (level !== 'debug' && level !== 'trace') return {};
  const { pino } = await import('pino');
  const { LOG_FORM } = await import('../../core/log/form.js');
  return { log: pino({ level, ...LOG_FORM }, pino.destination({ fd: 2, sync: true })) };
}
