/** What needs the office, as programs and the command line read it (rules 12). */
import type { Advice } from '../commands.js';
import type { NeedRow } from '../needs/rows.js';
import type { Say } from '../texts/index.js';
import { describe } from './resource.js';

/** `write` writes out what advises commands, in the words of where it is read. */
export const todoIn = (write: (advice: Advice) => string) =>
  describe<NeedRow>()({
    lead: 'request',
    fields: {
      since: { kind: 'time', label: 'list.since', of: ({ since }) => since },
      kind: { kind: 'text', label: 'list.kind', of: ({ kind }) => kind, forPrograms: true },
      until: { kind: 'time', label: 'list.last', of: ({ until }) => until },
      cause: { kind: 'text', label: 'list.cause', of: ({ cause }) => cause, forPrograms: true },
      count: { kind: 'text', label: 'list.count', of: ({ count }) => count, forPrograms: true },
      request: {
        kind: 'text',
        label: 'list.reference',
        of: ({ request }) => request?.reference ?? null,
        words: ({ request, count }, say) =>
          request?.reference ?? (count > 1 ? say('todo.requests', { count }) : ''),
      },
      requestId: {
        kind: 'ref',
        label: 'list.request',
        of: ({ request }) => request?.id ?? null,
        forPrograms: true,
      },
      customer: {
        kind: 'text',
        label: 'list.customer',
        of: ({ request }) => request?.customer ?? null,
        words: ({ requests }, say) => customersOf(requests, say),
      },
      requests: {
        kind: 'text',
        label: 'list.request',
        of: ({ requests }) => requests.map(({ reference }) => reference),
        forPrograms: true,
      },
      what: {
        kind: 'text',
        label: 'list.message',
        of: ({ what, also }) => [what, ...also.map((each) => each.what)].map(write).join('\n'),
        isLong: true,
        isWhole: true,
        isSaid: true,
      },
      next: { kind: 'text', label: 'list.next', of: ({ next }) => write([next]), isLink: true },
      also: {
        kind: 'text',
        label: 'list.also',
        of: ({ also }) => also.map(({ next }) => write([next])),
        forPrograms: true,
      },
    },
  });

const NAMED_MAX = 3;

/** The first few, and how many more. */
export function customersOf(requests: NeedRow['requests'], say: Say): string {
  const names = requests.slice(0, NAMED_MAX).map(({ customer }) => customer);
  const more = requests.length - names.length;
  return more > 0 ? say('todo.more', { names: names.join(', '), count: more }) : names.join(', ');
}
