/**
 * Every choice of a simulation comes from one number. Each part draws from a stream of its own, named after it, so that
 * leaving out a person or a fault changes nothing that the others draw.
 */
export class Chance {
  readonly #seed: number;
  readonly #name: string;
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number, name = '') {
    this.#seed = seed;
    this.#name = name;
    this.#a = seed >>> 0;
    this.#b = hash(name, 0x9e3779b9);
    this.#c = hash(name, 0x85ebca6b);
    for (let i = 0; i < 12; i += 1) this.next();
  }

  /** An independent stream. */
  of(name: string | number): Chance {
    return new Chance(this.#seed, `${this.#name}/${name}`);
  }

  /** In [0, 1): the generator sfc32. */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1));
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)] as T;
  }

  /** Mostly short, at times very long, as waits are. */
  wait(usualMs: number, mostMs: number): number {
    return Math.min(mostMs, usualMs * -Math.log(1 - this.next()));
  }

  bytes(count: number): Buffer {
    const bytes = Buffer.alloc(count);
    for (let i = 0; i < count; i += 1) bytes[i] = this.int(0, 255);
    return bytes;
  }

  uuid(): string {
    const hex = this.bytes(16).toString('hex');
    const variant = '89ab'[this.int(0, 3)] ?? '8';
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      variant + hex.slice(17, 20),
      hex.slice(20),
    ].join('-');
  }
}

/** FNV-1a with another start for each use. */
function hash(text: string, start: number): number {
  let state = start;
  for (let i = 0; i < text.length; i += 1) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  return state >>> 0;
}
