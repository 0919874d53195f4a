/** /api/import: a CSV file of customers, equipment and requests, for administrators (rules 6). */
import { Hono } from 'hono';
import { z } from 'zod';
import { parseInput, REASON } from '../../core/calls/input.js';
import { IMPORT_BYTES_MAX, importDocument, importFile } from '../../core/import/import-file.js';
import { actorOf, mustBeAdmin } from '../../core/users/rights.js';
import { readTyped } from '../http/body.js';
import type { Env, Parts } from '../parts.js';
import { documented } from './docs/operation.js';
import { authenticated, consumes } from './middleware.js';

const CSV_TYPES = ['text/csv'];
const ROW = z.object({
  line: z.int().meta({ examples: [2] }),
  what: z.string().meta({
    description: 'Begins with `created`, `unchanged` or `failed`',
    examples: ['created customer anna@example.org, equipment SN-4711'],
  }),
  error: z
    .string()
    .nullable()
    .meta({ description: 'What is wrong with the row', examples: [null] }),
});
const IMPORTED = z.object({
  created: z.int().meta({ examples: [1] }),
  unchanged: z.int().meta({ examples: [0] }),
  failed: z.int().meta({ examples: [0] }),
  rows: z.array(ROW),
  ignored: z
    .array(z.string())
    .meta({ description: 'Headings of columns whose names are unknown', examples: [[]] }),
  dryRun: z.boolean().meta({ examples: [false] }),
});

const DOCUMENTED = documented({
  title: 'Imports customers, equipment and requests',
  about:
    'A row is imported whole or not at all, and one with a fault does not keep out the others. What already exists is not changed, so importing the same file again changes nothing. The columns are those of `esignctl import`.',
  group: 'User',
  isForAdministrators: true,
  inQuery: {
    dryRun: {
      about: 'Says what would become of each row, and changes nothing.',
      schema: { type: 'boolean' },
    },
    reason: { about: 'Why, for the history.', schema: { type: 'string' } },
  },
  takes: {
    schema: z.string().meta({ examples: ['username,firstName,lastName\nanna@example.org,Anna,Weber\n'] }),
    refuses: [413, 415, 422],
  },
  returns: { status: 200, about: 'What became of each row.', schema: IMPORTED },
});

/** A misspelled dryRun must not import. */
const ASKED = z
  .object({
    dryRun: z
      .enum(['', 'true', 'false', '1', '0'], { error: 'Give true or false.' })
      .transform((word) => !['false', '0'].includes(word))
      .default(false),
    reason: REASON.optional(),
  })
  .catchall(z.undefined({ error: 'There is no such parameter. Give dryRun or reason.' }));

export function importRoutes(parts: Parts) {
  const { ctx } = parts;
  return new Hono<Env>().post(
    '/api/import',
    DOCUMENTED,
    authenticated(parts),
    consumes(CSV_TYPES),
    async (c) => {
      const user = c.get('user');
      mustBeAdmin(user);
      const { dryRun, reason } = parseInput(ASKED, c.req.query());
      const bytes = await readTyped(c, CSV_TYPES, IMPORT_BYTES_MAX);
      const imported = await importFile(ctx, bytes, { actor: actorOf(user), reason, dryRun });
      return c.json({ ...importDocument(imported), dryRun });
    },
  );
}
