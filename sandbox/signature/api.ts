/** The signature provider's calls on a request itself; signers and documents have their own files. */
import { Hono } from 'hono';
import { loseAnswers, type GateEnv } from '../fault-gate.js';
import type { World } from '../world.js';
import * as actions from './actions.js';
import { auditTrailPdf } from './audit-trail.js';
import { documentApi, sendPdf } from './document-api.js';
import { createGuard, type Guard } from './guard.js';
import { listPage, pageAsked } from './list.js';
import { getRequest, requireReady, requireStatus } from './lookup.js';
import { answerProblem, methodNotAllowed, Problem, readBody } from './problems.js';
import { cancelSchema, createSchema, expirationDate, updateSchema } from './schemas.js';
import { signerApi } from './signer-api.js';
import type { SignatureRequest } from './types.js';
import { briefRequestView, requestView } from './views.js';
import { z } from 'zod';

const HALF_A_YEAR_MS = 182 * 86_400_000;

export function signatureApi(world: World): Hono<GateEnv> {
  const guard = createGuard(world);
  const api = new Hono<GateEnv>();
  // By the sandbox's clock, which tests can move.
  api.use((c, next) => {
    c.header('Date', new Date(world.now()).toUTCString());
    return next();
  });
  api.use(loseAnswers(world));
  api.onError((error, c) => {
    if (error instanceof Problem) return answerProblem(c, error);
    throw error;
  });
  api.route('/signature_requests', requestApi(world, guard));
  api.route('/signature_requests/:id/documents', documentApi(world, guard));
  api.route('/signature_requests/:id/signers', signerApi(world, guard));
  refuseOtherMethods(api);
  return api;
}

/** After all routes: what gets here has a known path but an unknown method. */
function refuseOtherMethods(api: Hono<GateEnv>): void {
  const named = api.routes.filter(({ method }) => method !== 'ALL');
  for (const path of new Set(named.map((route) => route.path))) api.all(path, methodNotAllowed);
}

function requestApi(world: World, guard: Guard): Hono<GateEnv> {
  const api = new Hono<GateEnv>();

  api.post('/', ...guard('create'), async (c) => {
    const request = create(world, await readBody(c, createSchema(world.now())));
    return c.json(briefRequestView(request), 201);
  });

  api.get('/', ...guard('list', pageAsked), (c) =>
    c.json(listPage(world, c.req.query(), { isFirstAgain: c.get('fault')?.kind === 'first_page' })),
  );

  api.get('/:id', ...guard('get'), (c) => c.json(briefRequestView(getRequest(world, c.req.param('id')))));

  api.patch('/:id', ...guard('update'), async (c) => {
    const request = getRequest(world, c.req.param('id'));
    requireStatus(request, 'signature_request.not_editable', 'draft', 'approval', 'ongoing');
    const { name, expiration_date } = await readBody(c, updateSchema(world.now()));
    request.name = name ?? request.name;
    request.expirationDate = expiration_date ?? request.expirationDate;
    return c.json(briefRequestView(request));
  });

  api.delete('/:id', ...guard('delete'), (c) => {
    const request = getRequest(world, c.req.param('id'));
    if (['approval', 'ongoing'].includes(request.status)) {
      throw new Problem(400, 'signature_request.not_deletable', 'Cancel the signature request first.');
    }
    actions.remove(world, request, c.req.query('permanent_delete') === 'true');
    return c.body(null, 204);
  });

  api.post('/:id/activate', ...guard('activate'), (c) => {
    const request = getRequest(world, c.req.param('id'));
    requireStatus(request, 'signature_request.not_in_draft', 'draft');
    requireReady(request);
    actions.activate(world, request);
    const { cancel_reason: _, ...view } = requestView(world, request);
    return c.json(view, 201);
  });

  api.post('/:id/cancel', ...guard('cancel'), async (c) => {
    const request = getRequest(world, c.req.param('id'));
    const { reason } = await readBody(c, cancelSchema);
    requireStatus(request, 'signature_request.not_cancelable', 'approval', 'ongoing');
    actions.cancel(world, request, reason);
    return c.json(briefRequestView(request), 201);
  });

  api.get('/:id/audit_trails/download', ...guard('audit_pdf'), async (c) => {
    const request = getRequest(world, c.req.param('id'));
    if (request.signers.length > 1 && c.req.query('merge') !== 'true') {
      throw new Problem(400, 'sandbox.archive_not_simulated', 'The sandbox makes no ZIP archives.');
    }
    const pdf = await auditTrailPdf(world, request, request.signers);
    return sendPdf(world, c, pdf, `audit-trail-${request.id}.pdf`);
  });

  api.post('/:id/reactivate', ...guard('reactivate'), async (c) => {
    const request = getRequest(world, c.req.param('id'));
    const schema = z.object({ expiration_date: expirationDate(world.now()) });
    const { expiration_date } = await readBody(c, schema);
    requireStatus(request, 'signature_request.not_expired', 'expired');
    actions.reactivate(world, request, expiration_date);
    return c.json(briefRequestView(request), 201);
  });

  return api;
}

function create(world: World, body: z.output<ReturnType<typeof createSchema>>): SignatureRequest {
  const now = world.now();
  const request: SignatureRequest = {
    id: world.ids.uuid(),
    name: body.name,
    status: 'draft',
    deliveryMode: body.delivery_mode,
    externalId: body.external_id ?? null,
    timezone: body.timezone,
    orderedSigners: body.ordered_signers,
    signersAllowedToDecline: body.signers_allowed_to_decline,
    emailCustomNote: body.email_custom_note ?? null,
    auditTrailLocale: body.audit_trail_locale ?? null,
    createdAt: now,
    expirationDate: body.expiration_date ?? new Date(now + HALF_A_YEAR_MS).toISOString().slice(0, 10),
    activatedAt: null,
    completedAt: null,
    deletedAt: null,
    decline: null,
    cancelReason: null,
    reminders: body.reminder_settings ?? null,
    remindersSent: 0,
    documents: [],
    signers: [],
  };
  world.signatureRequests.set(request.id, request);
  return request;
}
