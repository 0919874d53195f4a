/** Opens the data directory for one command, as the person who calls it. */
import { userInfo } from 'node:os';
import { pino } from 'pino';
import type { Actor } from '../core/actor.js';
import type { Config } from '../core/config.js';
import { openContext, type Context } from '../core/context.js';
import { LOG_FORM } from '../core/log-form.js';
import type { ExitCode } from './exit-codes.js';
import type { CliIo, Shell } from './io.js';
import { settings } from './reading.js';

/** The writer waits for the lock in turns of so long; in between, Ctrl-C is heard. */
const LOCK_BLOCKS_MS = 100;

export interface Session {
  ctx: Context;
  actor: Actor;
}

/**
 * Reads the settings, opens everything, and closes it whatever becomes of the work. Throws `no_data` where there is no
 * database, unless the work may be the first.
 */
export async function withSession(
  shell: Shell,
  work: (session: Session) => Promise<ExitCode>,
  { mayBeFirst = false }: { mayBeFirst?: boolean } = {},
): Promise<ExitCode> {
  const config = settings(shell);
  shell.signal.throwIfAborted();
  const ctx = openContext(config, {
    log: quietLog(config.logLevel),
    mustExist: !mayBeFirst,
    cut: shell.interruption.cut,
    busyTimeoutMs: LOCK_BLOCKS_MS,
  });
  try {
    return await work({ ctx, actor: callerOf(shell.io) });
  } finally {
    shell.interruption.settle();
    await ctx.close();
  }
}

/** Who types: the history names the person, also behind sudo. */
export function callerOf({ env }: CliIo): Actor {
  return { kind: 'cli', name: env['SUDO_USER'] || loginName() };
}

function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user without an entry in the user database, as in many containers.
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

/** stderr is for people, unless they ask for the log. */
function quietLog(level: Config['logLevel']) {
  const isWanted = level === 'debug' || level === 'trace';
  return pino({ level: isWanted ? level : 'silent', ...LOG_FORM }, pino.destination({ fd: 2, sync: true }));
}
