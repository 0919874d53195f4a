/** One check of the installation, and what mends it when it fails. No message holds a secret. */
export interface Check {
  name: string;
  /** warning: it works, but somebody should look. */
  state: 'ok' | 'warning' | 'failed';
  message: string;
  mend: string | null;
}

export function ok(name: string, message: string): Check {
  return { name, state: 'ok', message, mend: null };
}

export function warning(name: string, message: string, mend: string): Check {
  return { name, state: 'warning', message, mend };
}

export function failed(name: string, message: string, mend: string): Check {
  return { name, state: 'failed', message, mend };
}
