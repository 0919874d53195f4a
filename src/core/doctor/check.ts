/** One check of the installation, and how to fix what fails. No message holds a secret. */
import type { Advice } from '../commands.js';

export interface Check {
  name: string;
  /** warning: it works, but needs attention. */
  state: 'ok' | 'warning' | 'failed';
  message: string;
  mend: Advice | null;
}

export function ok(name: string, message: string): Check {
  return { name, state: 'ok', message, mend: null };
}

export function warning(name: string, message: string, mend: Advice): Check {
  return { name, state: 'warning', message, mend };
}

export function failed(name: string, message: string, mend: Advice): Check {
  return { name, state: 'failed', message, mend };
}
