/** The rows of a found list behind the one with this id. */
export function behind<Row extends { id: number }>(
  rows: readonly Row[],
  pastId: number | undefined,
  limit: number,
): Row[] {
  const from = rows.findIndex(({ id }) => id === pastId) + 1;
  return rows.slice(from, from + limit);
}
