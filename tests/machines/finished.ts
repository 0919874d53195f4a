/** Runs one of our long programs to its end, and kills it with all that it has started when the test ends before. */
import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';

export async function finished(
  program: string,
  options: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [program, ...options], {
    detached: true,
    env: { ...process.env, ...env },
  });
  // With its whole group: what it started must not outlive the test.
  onTestFinished(() => void (child.exitCode === null && process.kill(-(child.pid as number), 'SIGKILL')));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, said };
}
