import { hash, timingSafeEqual } from 'node:crypto';

/** Whether two secrets are the same, in constant time: it compares digests, which have equal lengths. */
export function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(expected));
}
