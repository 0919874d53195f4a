/** Where a list goes on that is walked step by step, since its pages cannot be counted. Opaque, so that nobody relies on what is in it. */

import type { Place } from '../../db/sql.js';

export type { Place };

export function cursorOf({ id, key }: Place): string {
  return Buffer.from(key === undefined ? `past ${id}` : `past ${id} ${key}`).toString('base64url');
}

/** Undefined for what is no cursor. */
export function placeOfCursor(cursor: string): Place | undefined {
  const [, id, key] = /^past (\d{1,15})(?: (.*))?$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return id === undefined ? undefined : { id: Number(id), key };
}
