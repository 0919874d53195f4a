/** Work on the small and on the large installation, in turn; what grows by more than twice is told again at the end. */
import { median, print } from '../support.js';
import type { Installation } from './data.js';

/** Returns the milliseconds that count. */
export type Work = (one: Installation) => Promise<number>;

export interface Comparison {
  few: Installation;
  many: Installation;
  grown: string[];
}

const TWICE = 2;

/** After one run of each that does not count, unless there is only one. */
export async function compare(
  { few, many, grown }: Comparison,
  name: string,
  runs: number,
  work: Work,
): Promise<void> {
  const times: [number[], number[]] = [[], []];
  for (let run = runs === 1 ? 1 : 0; run <= runs; run += 1) {
    for (const [at, one] of [few, many].entries()) {
      const ms = await work(one);
      if (run > 0) times[at]?.push(ms);
    }
  }
  tell(grown, name, median(times[0]), median(times[1]));
}

export function tell(grown: string[], name: string, few: number, many: number): void {
  const ratio = many / few;
  const digits = many < 20 ? 1 : 0;
  const line = `${few.toFixed(digits)}, ${many.toFixed(digits)}; ${ratio.toFixed(1)}`;
  if (ratio > TWICE) grown.push(`${name}: ${line}`);
  print(`  ${name}`, line);
}
