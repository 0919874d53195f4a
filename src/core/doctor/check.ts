/** One check of the installation, and how to fix what fails. No message holds a secret. */
import { command, type Advice } from '../commands.js';

export interface Check {
  name: string;
  /** warning: it works, but needs attention. */
  state: 'ok' | 'warning' | 'failed';
  message: string;
  /** Of one that is ok: it looked at a part, and this looks at everything. */
  fix: Advice | null;
}

/** How much a check may look at. Nobody waits longer for it because the data has grown. */
export interface Extent {
  /** Everything, however long it takes. */
  isFull: boolean;
}

export function ok(name: string, message: string): Check {
  return { name, state: 'ok', message, fix: null };
}

/** Nothing is wrong in the part that was looked at, which the message names. */
export function partlyOk(name: string, message: string): Check {
  return {
    name,
    state: 'ok',
    message,
    fix: ['Everything: ', { ...command('doctor'), options: ['--full'] }],
  };
}

export function warning(name: string, message: string, fix: Advice): Check {
  return { name, state: 'warning', message, fix };
}

const NAMED_MAX = 5;

/** The first few of them by name. */
export function someOf(names: readonly (string | number)[], between = ', '): string {
  return [...names.slice(0, NAMED_MAX), ...(names.length > NAMED_MAX ? ['…'] : [])].join(between);
}

export function failed(name: string, message: string, fix: Advice): Check {
  return { name, state: 'failed', message, fix };
}
