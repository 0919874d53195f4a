/** One hash a password and worker: it costs more than most tests. */
import { hashPassword } from '../../src/core/users/passwords.js';

const hashes = new Map<string, Promise<string>>();

export function hashOf(password: string): Promise<string> {
  const known = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, known);
  return known;
}
