/** The word that somebody may have meant. */

/** Of the words the one with the fewest letters to change, and how many those are. Undefined when there are no words. */
export function nearestOf(
  typed: string,
  words: readonly string[],
): { word: string; distance: number } | undefined {
  const found = words.map((word) => ({ word, distance: distanceOf(typed, word) }));
  const [first, ...others] = found;
  return first && others.reduce((best, each) => (each.distance < best.distance ? each : best), first);
}

function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of a.split('').entries()) {
    let [left, diagonal] = [i + 1, i];
    row = row.map((above, j) => {
      if (j > 0) left = Math.min(diagonal + (letter === b[j - 1] ? 0 : 1), above + 1, left + 1);
      diagonal = above;
      return left;
    });
  }
  return row.at(-1) ?? 0;
}
