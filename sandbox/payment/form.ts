/** Decodes a form body with brackets (`line_items[0][price_data][currency]=eur`) into nested members. */
import { unknownParameter } from './errors.js';

export type FormValue = string | FormMembers;
export type FormMembers = { [name: string]: FormValue };

const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

/** Throws for unreadable names, and for a name that is both a value and a group. */
export function decodeForm(body: string): FormMembers {
  // No prototype: a parameter may be named __proto__.
  const members: FormMembers = Object.create(null);
  for (const [name, value] of new URLSearchParams(body)) {
    const found = NAME.exec(name);
    if (!found) throw unreadable(name);
    const inner = [...(found[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map(([, key]) => key ?? '');
    put(members, [found[1] ?? '', ...inner], value, name);
  }
  return members;
}

function put(members: FormMembers, path: string[], value: string, name: string): void {
  const [first = '', ...rest] = path;
  // `name[]=` appends.
  const key = first === '' ? String(Object.keys(members).length) : first;
  if (rest.length === 0) {
    if (typeof members[key] === 'object') throw unreadable(name);
    members[key] = value;
    return;
  }
  const empty: FormMembers = Object.create(null);
  const group = members[key] ?? empty;
  if (typeof group === 'string') throw unreadable(name);
  members[key] = group;
  put(group, rest, value, name);
}

const unreadable = (name: string) => unknownParameter(name, 'Invalid parameter name');

export function group(value: FormValue | undefined): FormMembers {
  return typeof value === 'object' ? value : {};
}

export function text(value: FormValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
