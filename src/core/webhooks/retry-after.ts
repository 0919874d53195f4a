/** How long a receiver asks us to stay away: `Retry-After` of a 429 or 503, in seconds or as a date; a day at most. */
import type { Answer } from './outbound.js';

const DAY_MS = 86_400_000;

export function retryAfterMs({ status, headers }: Answer, now: Date): number {
  if (status !== 429 && status !== 503) return 0;
  const value = headers['retry-after'] ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return ms > 0 ? Math.min(ms, DAY_MS) : 0;
}
