/** Pseudo-random numbers and ids from a seed: the same seed gives the same ids in the same order. */

export type Random = () => number;

/** Mulberry32: small, fast and good enough for ids that need not be secret. Numbers in [0, 1). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export type Ids = { uuid(): string; token(length: number): string };

export function seededIds(random: Random): Ids {
  const pick = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');
  const hex = (length: number): string => pick('0123456789abcdef', length);
  return {
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${pick('89ab', 1)}${hex(3)}-${hex(12)}`,
    token: (length) => pick('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', length),
  };
}
