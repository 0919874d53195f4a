/** The `webhook-id` of a delivery: a UUID of version 7, so that ids sort as their events happened. */
import { randomBytes } from 'node:crypto';

/** `at` is ISO 8601; its milliseconds lead. */
export function newMessageId(at: string): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.parse(at), 0, 6);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
