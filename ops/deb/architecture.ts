/** What differs between the architectures. */
import { execFileSync } from 'node:child_process';

export interface Architecture {
  /** Debian's name. */
  name: string;
  /** The name used by npm and Node. */
  cpu: string;
}

const CPUS: Readonly<Record<string, string>> = { amd64: 'x64', arm64: 'arm64' };

/** By default this machine's. Throws for one without binaries. */
export function architecture(wanted?: string): Architecture {
  const name = wanted ?? execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim();
  const cpu = CPUS[name];
  if (cpu === undefined) {
    throw new Error(`no package for ${name}: only for ${Object.keys(CPUS).join(', ')}`);
  }
  return { name, cpu };
}
