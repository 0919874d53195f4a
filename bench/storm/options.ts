/** The options of soak and drill: numbers above zero, all with a usual value. */
import { parseArgs } from 'node:util';

/** Ends the program with its usage when they are something else. */
export function numbersOf<Names extends string>(
  usage: string,
  usual: Record<Names, number>,
): Record<Names, number> {
  try {
    const names = Object.keys(usual) as Names[];
    const options = Object.fromEntries(
      names.map((name) => [name, { type: 'string', default: String(usual[name]) }] as const),
    );
    const { values } = parseArgs({ options });
    const numbers = Object.fromEntries(names.map((name) => [name, Number(values[name])]));
    if (Object.values(numbers).every((number) => number > 0)) return numbers as Record<Names, number>;
  } catch {
    // An unknown option.
  }
  process.stderr.write(usage);
  process.exit(2);
}
