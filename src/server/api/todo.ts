/** /api/todo: what needs the office (rules 12), in the words of `esignctl todo`. */
import { Hono } from 'hono';
import { z } from 'zod';
import { writerOf, type WriteCommand } from '../../core/commands.js';
import { needDocument } from '../../core/needs/need-document.js';
import { NEED_KINDS } from '../../core/needs/kinds.js';
import { listNeeds, type Need } from '../../core/needs/needs.js';
import { mustBeAdmin } from '../../core/users/rights.js';
import { declareCollection } from '../collection.js';
import { TIME } from '../docs/fields.js';
import { documented } from '../docs/notes.js';
import { listed, type Resource } from '../docs/operation.js';
import { shownTime, type Item } from '../hydra.js';
import { authenticated, negotiated } from '../middleware.js';
import type { Env, Parts } from '../parts.js';
import { queryOf } from '../query.js';
import { sendJson } from '../respond.js';

const TYPE = 'Need';
const PATH = '/api/todo';
/** All findings of each are gathered anew, so that the list costs the same however much waits. */
const NEEDS_MAX = 200;

const NEED: Resource = {
  type: TYPE,
  path: PATH,
  about: 'Something that needs the office’s attention.',
  fields: z.object({
    since: TIME,
    kind: z.enum(NEED_KINDS),
    request: z
      .string()
      .optional()
      .meta({
        description: 'The reference; absent when it is about no request',
        examples: ['REQ-2026-000069'],
      }),
    requestId: z
      .int()
      .optional()
      .meta({ examples: [69] }),
    customer: z
      .string()
      .optional()
      .meta({ examples: ['Anna Weber'] }),
    what: z.string().meta({
      description: 'What happened, in the language of the settings',
      examples: ['The deadline for signing has passed.'],
    }),
    next: z.string().meta({
      description: 'The command that settles it',
      examples: ['esignctl reset-signature 69'],
    }),
  }),
  parameters: [],
};

const LIST = documented({
  title: 'Lists what needs the office',
  about: `What has waited longest comes first. At most ${NEEDS_MAX} are listed and counted; the rest comes up as these are settled.`,
  isForAdministrators: true,
  returns: listed(NEED),
});

export function todoRoutes(parts: Parts): Hono<Env> {
  const { ctx } = parts;
  const collection = declareCollection({ type: TYPE, path: PATH, filters: {}, orders: [] });
  return new Hono<Env>().get(PATH, LIST, authenticated(parts), negotiated(), async (c) => {
    mustBeAdmin(c.get('user'));
    const asked = collection.ask(queryOf(c), ctx.config.baseUrl);
    const { needs } = await listNeeds(ctx, NEEDS_MAX);
    const rows = needs.slice(asked.offset, asked.offset + asked.limit);
    return sendJson(
      c,
      collection.answer(asked, { total: needs.length, rows }, (need) => itemOf(need, writerOf(ctx.config))),
    );
  });
}

/** It has no number, and so its place in the list as IRI. */
function itemOf(need: Need, write: WriteCommand): Item {
  const { kind, request, next } = need;
  const about = request?.id ?? next.about.join('-');
  const shown = Object.entries(needDocument(need, write)).filter(([, value]) => value !== null);
  return {
    '@id': `${PATH}#${encodeURIComponent(`${kind}-${about}-${next.name.replaceAll(' ', '-')}`)}`,
    '@type': TYPE,
    ...Object.fromEntries(shown),
    since: shownTime(need.since),
  };
}
