/** Reads and writes the values of the PDF language: just what finding and placing a signature needs. */

export class Name {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export class Ref {
  readonly number: number;
  readonly generation: number;
  constructor(number: number, generation: number) {
    this.number = number;
    this.generation = generation;
  }
}

/** Text as bytes, one character (0–255) each. */
export class Text {
  readonly bytes: string;
  constructor(bytes: string) {
    this.bytes = bytes;
  }
}

/** An operator of a content stream, or a word such as true and null. */
export class Word {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Dict = Map<string, Value>;
export type Value = number | Name | Ref | Text | Word | Value[] | Dict;

const SPACE = /[\0\t\n\f\r ]/;
const SPACES_AND_COMMENTS = /(?:[\0\t\n\f\r ]+|%[^\r\n]*)*/y;
const REF = /(\d+)[\0\t\n\f\r ]+(\d+)[\0\t\n\f\r ]+R(?![A-Za-z])/y;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)/y;
const NAME = /\/([^\0\t\n\f\r ()<>[\]{}/%]*)/y;
const WORD = /[^\0\t\n\f\r ()<>[\]{}/%]+/y;
const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Walks over latin1 text (one character a byte). */
export class Reader {
  readonly text: string;
  at: number;

  constructor(text: string, at = 0) {
    this.text = text;
    this.at = at;
  }

  /** Undefined at the end of the text or at a closing bracket that was never opened. */
  next(): Value | undefined {
    this.#match(SPACES_AND_COMMENTS);
    const ref = this.#match(REF);
    if (ref) return new Ref(Number(ref[1]), Number(ref[2]));
    const number = this.#match(NUMBER);
    if (number) return Number(number[0]);
    const name = this.#match(NAME);
    if (name) return new Name((name[1] ?? '').replace(/#([\dA-Fa-f]{2})/g, (_, hex: string) => fromHex(hex)));
    if (this.text.startsWith('<<', this.at)) return this.#dict();
    if (this.text[this.at] === '<') return this.#hexText();
    if (this.text[this.at] === '(') return this.#literalText();
    if (this.text[this.at] !== '[') return this.#word();
    this.at += 1;
    return this.#until(']');
  }

  #word(): Word | undefined {
    const word = this.#match(WORD);
    return word ? new Word(word[0]) : undefined;
  }

  #dict(): Dict {
    this.at += 2;
    const entries = this.#until('>>');
    const dict: Dict = new Map();
    for (let index = 0; index + 1 < entries.length; index += 2) {
      const [key, value] = [entries[index], entries[index + 1]];
      if (key instanceof Name && value !== undefined) dict.set(key.text, value);
    }
    return dict;
  }

  #until(end: string): Value[] {
    const values: Value[] = [];
    for (;;) {
      this.#match(SPACES_AND_COMMENTS);
      if (this.text.startsWith(end, this.at)) {
        this.at += end.length;
        return values;
      }
      const value = this.next();
      if (value === undefined) throw new Error(`PDF: ${end} is missing`);
      values.push(value);
    }
  }

  #hexText(): Text {
    const end = this.text.indexOf('>', this.at);
    const digits = this.text.slice(this.at + 1, end).replace(/[^\dA-Fa-f]/g, '');
    this.at = end + 1;
    return new Text(fromHex(digits.length % 2 === 0 ? digits : `${digits}0`));
  }

  #literalText(): Text {
    let bytes = '';
    let depth = 0;
    for (;;) {
      const character = this.text[this.at];
      if (character === undefined) throw new Error('PDF: ) is missing');
      this.at += 1;
      if (character === '\\') bytes += this.#escape();
      else if (character === '(' && (depth += 1) === 1) continue;
      else if (character === ')' && (depth -= 1) === 0) return new Text(bytes);
      else bytes += character;
    }
  }

  #escape(): string {
    const octal = /[0-7]{1,3}/y;
    const code = this.#match(octal);
    if (code) return String.fromCharCode(Number.parseInt(code[0], 8) & 0xff);
    const character = this.text[this.at] ?? '';
    this.at += 1;
    if (SPACE.test(character) && /[\r\n]/.test(character)) return '';
    return ESCAPES[character] ?? character;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }
}

const fromHex = (digits: string): string => Buffer.from(digits, 'hex').toString('latin1');

export function write(value: Value): string {
  if (typeof value === 'number') return String(Number(value.toFixed(4)));
  if (value instanceof Name) return `/${value.text.replace(/[^!-~]|[()<>[\]{}/%#]/g, hexEscape)}`;
  if (value instanceof Ref) return `${value.number} ${value.generation} R`;
  if (value instanceof Text) return `<${Buffer.from(value.bytes, 'latin1').toString('hex')}>`;
  if (value instanceof Word) return value.text;
  if (Array.isArray(value)) return `[${value.map(write).join(' ')}]`;
  return `<<${[...value].map(([key, entry]) => `${write(new Name(key))} ${write(entry)}`).join(' ')}>>`;
}

const hexEscape = (character: string): string => `#${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
