/**
 * The notation of docs/cli-json.md, read and held against a document. `number`, `text`, `time`, `flag`, `null` and `any` stand
 * for themselves, `"word"` for that word, `a or b` for either, `a and { … }` for an object with more members, `[a]` for a list,
 * `{ name: a, other? }` for an object of just these members, of which one without a type has that of its name, `{ each: a }`
 * for one whose names are not fixed, and another word for the shape of that name.
 */
export interface Shape {
  faults: (value: unknown, path: string) => string[];
  /** Of an object. */
  members?: Map<string, Member>;
}

interface Member {
  shape: Shape;
  isOptional: boolean;
}

interface Known {
  shapes?: Readonly<Record<string, Shape>>;
  /** The type of a member by its name. */
  types?: Readonly<Record<string, string>>;
}

const TOKEN = /\s*(?:("[^"]*")|([A-Za-z]\w*)(\?)?|([[\]{}:,]))/y;

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const PLAIN: Record<string, (value: unknown) => boolean> = {
  number: (value) => typeof value === 'number',
  text: (value) => typeof value === 'string',
  time: (value) => typeof value === 'string' && TIME.test(value),
  flag: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  any: () => true,
};

/** Throws on words that are no shape. */
export function readShape(text: string, known: Known = {}): Shape {
  const tokens = tokensOf(text);
  const shape = either(tokens, known);
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

function either(tokens: string[], known: Known, first = both(tokens, known)): Shape {
  const choices = [first];
  while (taken(tokens, 'or')) choices.push(both(tokens, known));
  if (choices.length === 1) return first;
  return {
    faults: (value, path) => {
      const faults = choices.map((choice) => choice.faults(value, path));
      // Of several the one that comes nearest says what is wrong.
      return faults.toSorted((a, b) => a.length - b.length)[0] as string[];
    },
  };
}

function both(tokens: string[], known: Known): Shape {
  let shape = one(tokens, known);
  while (taken(tokens, 'and')) {
    const members = [...membersOf(shape), ...membersOf(one(tokens, known))];
    shape = objectOf(new Map(members));
  }
  return shape;
}

function membersOf({ members }: Shape): Map<string, Member> {
  if (!members) throw new Error('only objects have more members');
  return members;
}

function one(tokens: string[], known: Known): Shape {
  const token = tokens.shift() ?? 'the end';
  if (token === '[') return list(tokens, known);
  if (token === '{') return object(tokens, known);
  if (token.startsWith('"'))
    return {
      faults: (value, path) => (JSON.stringify(value) === token ? [] : [`${path} is not ${token}`]),
    };
  const plain = PLAIN[token];
  if (plain)
    return {
      faults: (value, path) => (plain(value) ? [] : [`${path} is no ${token}: ${JSON.stringify(value)}`]),
    };
  const shape = known.shapes?.[token];
  if (!shape) throw new Error(`no shape: ${token}`);
  return shape;
}

function list(tokens: string[], known: Known): Shape {
  const each = either(tokens, known);
  take(tokens, ']');
  return {
    faults: (value, path) =>
      Array.isArray(value)
        ? value.flatMap((item, i) => each.faults(item, `${path}[${i}]`))
        : [`${path} is no list`],
  };
}

function object(tokens: string[], known: Known): Shape {
  const members = new Map<string, Member>();
  while (!taken(tokens, '}')) {
    const [name = '', optional] = tokens.shift()?.split(/(?=\?)/) ?? [];
    const shape = taken(tokens, ':') ? either(tokens, known) : either(tokens, known, usual(name, known));
    members.set(name, { shape, isOptional: optional !== undefined });
    if (tokens[0] !== '}') take(tokens, ',');
  }
  return objectOf(members);
}

function usual(name: string, known: Known): Shape {
  const type = known.types?.[name];
  if (type === undefined) throw new Error(`${name} has no type`);
  return readShape(type);
}

function objectOf(members: Map<string, Member>): Shape {
  const each = members.size === 1 ? members.get('each') : undefined;
  const faults: Shape['faults'] = (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path} is no object`];
    const found = Object.entries(value);
    if (each) return found.flatMap(([name, member]) => each.shape.faults(member, `${path}.${name}`));
    const missing = [...members].filter(
      ([name, { isOptional }]) => !Object.hasOwn(value, name) && !isOptional,
    );
    return [
      ...missing.map(([name]) => `${path}.${name} is missing`),
      ...found.flatMap(
        ([name, member]) =>
          members.get(name)?.shape.faults(member, `${path}.${name}`) ?? [`${path}.${name} is not described`],
      ),
    ];
  };
  return { faults, members };
}

function taken(tokens: string[], wanted: string): boolean {
  if (tokens[0] !== wanted) return false;
  tokens.shift();
  return true;
}

function take(tokens: string[], wanted: string): void {
  if (!taken(tokens, wanted)) throw new Error(`${wanted} expected, not ${tokens[0] ?? 'the end'}`);
}
