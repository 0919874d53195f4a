/**
 * Who holds a lock, a job or a half-written file: a process, by a name that no other ever has. Its number alone is given to
 * another process one day; with its start, its PID namespace and the boot of its machine it is not.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { codeOf } from '../../db/caught.js';

/** Whether it holds the daemon's lock. */
export type Role = 'daemon' | 'command';

/** This process by its name, which can be part of a file's. What the system does not tell is left empty. */
export function holderName(role: Role): string {
  return [role, bootId(), pidNamespace(), process.pid, statOf(process.pid)?.startedAt ?? ''].join('-');
}

/**
 * Whether the holder has certainly ended, as far as the process `ours` can tell. A holder in another PID namespace, or one
 * that the system hides, counts as alive.
 */
export function hasEnded(holder: string | null, ours: string): boolean {
  const [them, us] = [parsed(holder), parsed(ours)];
  if (!them || !us || holder === ours) return false;
  // Who holds the daemon's lock knows that no other daemon lives.
  if (them.role === 'daemon' && us.role === 'daemon') return true;
  if (differ(them.boot, us.boot)) return true;
  if (differ(them.namespace, us.namespace)) return false;
  if (!isInUse(them.pid)) return true;
  const found = statOf(them.pid);
  return found !== undefined && (found.isDead || differ(found.startedAt, them.startedAt));
}

/** The number of a holder, for people; only on its own machine is it that of a process. */
export function pidOf(holder: string): number | undefined {
  return parsed(holder)?.pid;
}

const NAME = /^(?<role>daemon|command)-(?<boot>\w*)-(?<namespace>\d*)-(?<pid>[1-9]\d*)-(?<startedAt>\d*)$/;

function parsed(holder: string | null) {
  const { role = '', boot = '', namespace = '', pid, startedAt = '' } = NAME.exec(holder ?? '')?.groups ?? {};
  return pid === undefined ? undefined : { role, boot, namespace, pid: Number(pid), startedAt };
}

const differ = (one: string, other: string) => one !== '' && other !== '' && one !== other;

/** Its first part is random enough. The daemon's unit hides it (`ProcSubset=pid`). */
const bootId = () => told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')).slice(0, 8);

const pidNamespace = () => told(() => readlinkSync('/proc/self/ns/pid')).replaceAll(/\D/g, '');

function isInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/** A dead process keeps its number until its parent has heard of it; some parents never listen. */
const DEAD = new Set(['Z', 'X']);

function statOf(pid: number): { isDead: boolean; startedAt: string } | undefined {
  const text = told(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // The name of its program, in brackets, may hold anything.
  const [state, ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const startedAt = fields[18];
  return state === undefined || startedAt === undefined ? undefined : { isDead: DEAD.has(state), startedAt };
}

/** Empty where the system does not tell it. */
function told(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
