/** Where a list goes on that is walked step by step, since its pages cannot be counted. Opaque, so that nobody relies on what is in it. */

export function cursorOf({ id }: { id: number }): string {
  return Buffer.from(`past ${id}`).toString('base64url');
}

/** The id of the row behind which the list goes on; undefined for what is no cursor. */
export function idOfCursor(cursor: string): number | undefined {
  const [, id] = /^past (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return id === undefined ? undefined : Number(id);
}
