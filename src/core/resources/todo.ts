/** What needs the office, as programs and the command line read it (rules 12). */
import type { Advice } from '../commands.js';
import type { Need } from '../needs/needs.js';
import { describe } from './resource.js';

/** `write` writes out what advises commands, in the words of where it is read. */
export const todoIn = (write: (advice: Advice) => string) =>
  describe<Need>()({
    lead: 'request',
    fields: {
      since: { kind: 'time', label: 'list.since', of: ({ since }) => since },
      kind: { kind: 'text', label: 'list.kind', of: ({ kind }) => kind, forPrograms: true },
      request: { kind: 'text', label: 'list.reference', of: ({ request }) => request?.reference ?? null },
      requestId: {
        kind: 'ref',
        label: 'list.request',
        of: ({ request }) => request?.id ?? null,
        forPrograms: true,
      },
      customer: { kind: 'text', label: 'list.customer', of: ({ request }) => request?.customer ?? null },
      what: {
        kind: 'text',
        label: 'list.message',
        of: ({ what }) => write(what),
        isLong: true,
        isWhole: true,
        isSaid: true,
      },
      next: { kind: 'text', label: 'list.next', of: ({ next }) => write([next]), isLink: true },
    },
  });
