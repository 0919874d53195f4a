/**
 * The notation of docs/cli-json.md, read and held against a document. `number`, `text`, `time`, `flag`, `null` and `any` stand
 * for themselves, `"word"` for that word, `a | b` for either, `[a]` for a list, `{ name: a, other?: b }` for an object of
 * just these members, `{ each: a }` for one whose names are not fixed, and another word for the shape described under it.
 */
export type Shape = (value: unknown, path: string) => string[];

const TOKEN = /\s*(?:("[^"]*")|([A-Za-z]\w*)(\?)?|([[\]{}|:,]))/y;

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const PLAIN: Record<string, (value: unknown) => boolean> = {
  number: (value) => typeof value === 'number',
  text: (value) => typeof value === 'string',
  time: (value) => typeof value === 'string' && TIME.test(value),
  flag: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  any: () => true,
};

/** Throws on words that are no shape. `named` are the shapes of other words. */
export function readShape(text: string, named: Record<string, Shape> = {}): Shape {
  const tokens = tokensOf(text);
  const shape = either(tokens, named);
  if (tokens.length > 0) throw new Error(`what is ${tokens.join(' ')} in ${text}`);
  return shape;
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const [, word, name, optional = '', sign] = TOKEN.exec(text) ?? [];
    const token = word ?? (name === undefined ? sign : name + optional);
    if (token === undefined) throw new Error(`no shape: ${text.slice(at)}`);
    tokens.push(token);
  }
  return tokens;
}

function either(tokens: string[], named: Record<string, Shape>): Shape {
  const choices = [one(tokens, named)];
  while (tokens[0] === '|') {
    tokens.shift();
    choices.push(one(tokens, named));
  }
  return (value, path) => {
    const faults = choices.map((choice) => choice(value, path));
    // Of several the one that comes nearest says what is wrong.
    return faults.toSorted((a, b) => a.length - b.length)[0] as string[];
  };
}

function one(tokens: string[], named: Record<string, Shape>): Shape {
  const token = tokens.shift() ?? 'the end';
  if (token === '[') return list(tokens, named);
  if (token === '{') return object(tokens, named);
  if (token.startsWith('"'))
    return (value, path) => (JSON.stringify(value) === token ? [] : [`${path} is not ${token}`]);
  const plain = PLAIN[token];
  if (plain)
    return (value, path) => (plain(value) ? [] : [`${path} is no ${token}: ${JSON.stringify(value)}`]);
  const shape = named[token];
  if (!shape) throw new Error(`no shape: ${token}`);
  return shape;
}

function list(tokens: string[], named: Record<string, Shape>): Shape {
  const each = either(tokens, named);
  take(tokens, ']');
  return (value, path) =>
    Array.isArray(value) ? value.flatMap((item, i) => each(item, `${path}[${i}]`)) : [`${path} is no list`];
}

function object(tokens: string[], named: Record<string, Shape>): Shape {
  const members = new Map<string, Shape>();
  const optional = new Set<string>();
  while (tokens[0] !== '}') {
    const name = tokens.shift() ?? '';
    take(tokens, ':');
    members.set(name.replace('?', ''), either(tokens, named));
    if (name.endsWith('?')) optional.add(name.replace('?', ''));
    if (tokens[0] !== '}') take(tokens, ',');
  }
  take(tokens, '}');
  const each = members.size === 1 ? members.get('each') : undefined;
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path} is no object`];
    const found = Object.entries(value);
    if (each) return found.flatMap(([name, member]) => each(member, `${path}.${name}`));
    const missing = [...members.keys()].filter((name) => !Object.hasOwn(value, name) && !optional.has(name));
    return [
      ...missing.map((name) => `${path}.${name} is missing`),
      ...found.flatMap(
        ([name, member]) =>
          members.get(name)?.(member, `${path}.${name}`) ?? [`${path}.${name} is not described`],
      ),
    ];
  };
}

function take(tokens: string[], wanted: string): void {
  const token = tokens.shift();
  if (token !== wanted) throw new Error(`${wanted} expected, not ${token ?? 'the end'}`);
}
