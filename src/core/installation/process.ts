/** Questions about processes of this machine. */
import { codeOf } from '../../db/caught.js';

/** True when a process with that id exists (also one of another user). */
export function isProcessAlive(pid: number | null): boolean {
  if (pid === null || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
