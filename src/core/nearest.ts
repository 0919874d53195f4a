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
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1);
    }
    row = next;
  }
  return row[b.length] as number;
}
