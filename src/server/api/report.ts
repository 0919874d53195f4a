/** /api/reports/2026-10: the figures of a month, for administrators (rules 15). */
import { Hono } from 'hono';
import { z } from 'zod';
import { isMonth } from '../../core/calls/asked-time.js';
import { FIGURES, monthSpan, readReport, reportDocument } from '../../core/report/report.js';
import { mustBeAdmin } from '../../core/users/rights.js';
import { HttpError } from '../http/errors.js';
import type { Env, Parts } from '../parts.js';
import { TIME } from './docs/fields.js';
import { documented } from './docs/operation.js';
import { authenticated } from './middleware.js';

const COUNTED = z.object({
  count: z.int().meta({ examples: [3] }),
  amount: z.int().meta({ description: 'In minor units', examples: [12_000] }),
});
const BLOCK = z.object({
  currency: z.string().meta({ examples: ['eur'] }),
  ...Object.fromEntries(FIGURES.map((figure) => [figure, COUNTED])),
});

const REPORT = documented({
  title: 'Shows the figures of a month',
  about:
    'What was sent, signed and paid in it; what was signed in it and is not paid yet; and what of that is overdue. What has money on its way or waiting for a decision is not overdue.',
  group: 'Request',
  isForAdministrators: true,
  inPath: { month: '2026-10' },
  returns: {
    status: 200,
    about: 'The figures, in the currency of the settings; `others` has those in other currencies.',
    schema: BLOCK.extend({ from: TIME, until: TIME, others: z.array(BLOCK) }),
  },
  refuses: [404],
});

export function reportRoutes(parts: Parts) {
  const { ctx } = parts;
  return new Hono<Env>().get('/api/reports/:month', REPORT, authenticated(parts), (c) => {
    mustBeAdmin(c.get('user'));
    const month = c.req.param('month');
    if (!isMonth(month)) throw new HttpError(404, 'Not Found');
    return c.json(reportDocument(readReport(ctx, monthSpan(ctx, month))));
  });
}
