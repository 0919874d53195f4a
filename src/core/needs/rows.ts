/**
 * What needs the office, as it is read (rules 12): what has one cause is one row with one command for all, and a request
 * appears once, with whatever else is wrong with it beneath.
 */
import { adviceText, OF_A_REQUEST, type Command } from '../commands.js';
import type { AboutRequest, Need } from './needs.js';

export interface NeedRow extends Need {
  /** The same in every language. */
  cause: string;
  /** The time of the last; null where there is but one. */
  until: string | null;
  count: number;
  requests: readonly AboutRequest[];
  also: readonly Need[];
}

/** In the order in which the first of each was found. */
export function rowsOf(needs: readonly Need[]): NeedRow[] {
  return grouped(aboutEach(needs), causeKey).map((group) => {
    const [first] = group;
    const [{ since }] = first;
    const last = group.flat().reduce((max, need) => (need.since > max ? need.since : max), since);
    const requests = group.flatMap(([{ request }]) => request ?? []);
    const forAll = (each: Need, i: number): Need => ({
      ...each,
      request: group.length === 1 ? each.request : null,
      next: merged(
        each.next,
        group.flatMap((needs) => needs[i]?.next ?? []),
      ),
    });
    const [need, ...also] = first;
    return {
      ...forAll(need, 0),
      ...causeOf(need),
      until: group.length > 1 ? last : null,
      count: group.length,
      requests,
      also: also.map((each, i) => forAll(each, i + 1)),
    };
  });
}

/** Each on its own: a line of a file for spreadsheets. */
export function apart(needs: readonly Need[]): NeedRow[] {
  return needs.map((need) => ({
    ...need,
    ...causeOf(need),
    until: null,
    count: 1,
    requests: need.request ? [need.request] : [],
    also: [],
  }));
}

type Group<T> = [T, ...T[]];

function causeOf({ kind, cause = kind }: Need) {
  return { cause };
}

/** What is about no request stands alone. */
function aboutEach(needs: readonly Need[]): Group<Need>[] {
  return grouped(needs, ({ request }, i) => (request ? `request ${request.id}` : `${i}`));
}

/** Equal for what one cause has done and one command sets right: the words are the same, whichever requests they are about. */
function causeKey(needs: Group<Need>): string {
  const parts = needs.map(({ kind, what, next, signId, paymentId }) => {
    const about = SEVERAL.includes(next.name) ? [] : next.about;
    return [kind, adviceText(what, ({ name }) => name), { ...next, about }, signId, paymentId];
  });
  return JSON.stringify(parts);
}

const SEVERAL: readonly Command['name'][] = [
  ...OF_A_REQUEST.filter((name) => name !== 'explain'),
  'failed replay',
  'jobs push',
  'webhooks redeliver',
];

function merged(first: Command, commands: readonly Command[]): Command {
  if (!SEVERAL.includes(first.name)) return first;
  return { ...first, about: [...new Set(commands.flatMap(({ about }) => about))] };
}

function grouped<T>(all: readonly T[], keyOf: (one: T, i: number) => string): Group<T>[] {
  const groups = new Map<string, Group<T>>();
  for (const [i, one] of all.entries()) {
    const key = keyOf(one, i);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}
