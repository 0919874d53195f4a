/** Runs a pager. */
import { spawn } from 'node:child_process';
import type { CliIo } from '../io.js';

/** What a shell returns for a command that it cannot find or run. */
const NOT_RUN: readonly (number | null)[] = [126, 127];

/** Resolves when the pager has ended, also when it was left early; false when there is none. */
export function page(io: CliIo, text: string): Promise<boolean> {
  const { env, stdout, stderr, signal, leaveCtrlC = (work) => work() } = io;
  const [file, ...words] = pagerOf(env);
  return leaveCtrlC(async () => {
    const pager = spawn(file as string, words, {
      stdio: ['pipe', stdout.fd ?? 'inherit', stderr.fd ?? 'inherit'],
      env: pagerEnvironment(env),
      ...(signal && { signal }),
    });
    // Left before it has read everything.
    pager.stdin?.on('error', () => undefined).end(text);
    return new Promise<boolean>((resolve) => {
      pager.on('error', () => resolve(false)).on('close', (code) => resolve(!NOT_RUN.includes(code)));
    });
  });
}

/** Behind sudo only ours: another would run with the rights of the service. */
function pagerOf({ PAGER, SUDO_USER }: CliIo['env']): string[] {
  return PAGER && !SUDO_USER ? ['/bin/sh', '-c', PAGER] : ['less', '-FRX'];
}

/** Without our settings, which hold secrets; and less starts no other program, for the same reason. */
function pagerEnvironment(env: CliIo['env']): NodeJS.ProcessEnv {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('ESIGN_'));
  return { LESSCHARSET: 'utf-8', ...Object.fromEntries(others), LESSSECURE: '1' };
}
