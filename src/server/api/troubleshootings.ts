/** /api/troubleshootings (rules 6): made and changed by the owner of the request and by administrators. */
import { z } from 'zod';
import { choice, words } from '../../core/calls/input.js';
import {
  changeTroubleshooting,
  createTroubleshooting,
  deleteTroubleshooting,
  getTroubleshooting,
  type TroubleshootingRow,
} from '../../core/troubleshootings/troubleshootings.js';
import { TROUBLESHOOTING_STATUSES } from '../../core/lifecycle.js';
import { TROUBLESHOOTINGS } from '../../core/resources/troubleshootings.js';
import { ID, link, TIME } from './docs/fields.js';
import { iriField, iriOf } from './iri.js';
import type { Parts } from '../parts.js';
import { declareResource, resourceRoutes } from './resource.js';

const DESCRIPTION = words({ lengthMax: 5_000, isMultiline: true }).meta({
  examples: ['It went out again in the night.'],
});

const TROUBLESHOOTING = declareResource({
  type: 'Troubleshooting',
  name: 'troubleshootings',
  about: 'A report of trouble with what a request is about.',
  fields: {
    id: ID,
    reference: z.string().meta({ examples: ['TRB-2026-000001'] }),
    request: link('requests'),
    description: DESCRIPTION,
    status: z.enum(TROUBLESHOOTING_STATUSES),
    createdAt: TIME,
    updatedAt: TIME,
  },
  shows: (row: TroubleshootingRow) => ({ ...row, request: iriOf('requests', row.requestId) }),
  noun: TROUBLESHOOTINGS,
});

const Patch = z.object({ description: DESCRIPTION, status: choice(TROUBLESHOOTING_STATUSES) }).partial();

export function troubleshootingRoutes(parts: Parts) {
  const New = z.object({
    request: iriField('requests', parts.ctx.config.baseUrl),
    description: DESCRIPTION,
  });
  return resourceRoutes(parts, TROUBLESHOOTING, {
    list: 'Lists troubleshootings',
    create: {
      title: 'Reports trouble',
      takes: New,
      run: (ctx, user, { request, description }, keep) =>
        createTroubleshooting(ctx, user, { requestId: request, description }, keep),
    },
    show: { title: 'Shows a troubleshooting', run: getTroubleshooting },
    change: { title: 'Changes a troubleshooting', takes: Patch, run: changeTroubleshooting },
    remove: { title: 'Removes a troubleshooting', run: deleteTroubleshooting },
  });
}
