/** Reduces a failing story: the same seed with fewer hours, people and faults, as long as the same promise breaks. */
import type { Options } from './plan.js';
import type { Outcome } from './world.js';

export interface Shrunk<O extends Outcome = Outcome> {
  options: Options;
  outcome: O;
  tries: number;
}

/** Each attempt simulates a whole world. */
const TRIES_MAX = 120;

export async function shrink<O extends Outcome>(
  options: Options,
  outcome: O,
  play: (options: Options) => Promise<O>,
): Promise<Shrunk<O>> {
  const wanted = kindOf(outcome);
  const best: Shrunk<O> = { options: { ...options, only: new Set(outcome.keys) }, outcome, tries: 0 };

  /** Whether it still breaks in the same way; if so, it is the best so far. */
  const isEnough = async (less: Pick<Options, 'only' | 'hours'>) => {
    if (best.tries >= TRIES_MAX) return false;
    best.tries += 1;
    const smaller = { ...best.options, ...less };
    const found = await play(smaller);
    if (kindOf(found) !== wanted) return false;
    best.options = { ...smaller, only: new Set(found.keys) };
    best.outcome = found;
    return true;
  };
  const kept = (): string[] => [...(best.options.only ?? [])];
  const leaveOut = (keys: readonly string[]) =>
    isEnough({ only: new Set(kept().filter((key) => !keys.includes(key))) });
  /** Halves, quarters, and so on, down to single ones. */
  const leaveOutParts = async (isOne: (key: string) => boolean) => {
    for (let size = Math.ceil(kept().filter(isOne).length / 2); size >= 1; size = Math.floor(size / 2))
      for (const part of partsOf(kept().filter(isOne), size)) await leaveOut(part);
  };

  await isEnough({ hours: Math.ceil(outcome.hours) });
  for (const share of [0.25, 0.5, 0.75])
    if (await isEnough({ hours: Math.ceil(share * best.outcome.hours) })) break;
  await leaveOut(kept().filter((key) => !isStory(key)));
  for (const kind of new Set(
    kept()
      .filter((key) => !isStory(key))
      .map(withoutNumber),
  ))
    await leaveOut(kept().filter((key) => withoutNumber(key) === kind));
  for (let size = Infinity; kept().length < size && best.tries < TRIES_MAX;) {
    size = kept().length;
    await leaveOutParts(isStory);
    await leaveOutParts((key) => !isStory(key));
  }
  return best;
}

/** Which promise is broken, regardless of whom and what it affects. */
function kindOf({ violation }: Outcome): string | undefined {
  return violation?.split('\n')[0]?.replaceAll(/[\w-]*\d[\w-]*/g, '#');
}

function isStory(key: string): boolean {
  return /^(b-)?s\d+$/.test(key);
}

function withoutNumber(key: string): string {
  return key.replace(/\d+$/, '');
}

function partsOf(keys: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(keys.length / size) }, (_, i) =>
    keys.slice(i * size, (i + 1) * size),
  );
}
