/** The signature provider's calls on the signers of a request. */
import { Hono, type Context } from 'hono';
import type { z } from 'zod';
import type { GateEnv } from '../fault-gate.js';
import { sizeOf } from '../pdf/page.js';
import type { World } from '../world.js';
import { auditTrail, auditTrailPdf } from './audit-trail.js';
import { sendPdf } from './document-api.js';
import { freshenLink, notify } from './actions.js';
import type { Guard } from './guard.js';
import { getDocument, getRequest, getSigner, requireStatus, requireUnlocked } from './lookup.js';
import { invalid, Problem, readBody } from './problems.js';
import { signerInfo, signerPatchSchema, signerSchema, type SignerField } from './schemas.js';
import type { SignatureRequest, Signer } from './types.js';
import { signerView } from './views.js';

export function signerApi(world: World, guard: Guard): Hono<GateEnv> {
  const api = new Hono<GateEnv>();
  const requestOf = (c: Context): SignatureRequest => getRequest(world, c.req.param('id') ?? '');

  api.post('/', ...guard('signer'), async (c) => {
    const request = requestOf(c);
    const body = await readBody(c, signerSchema);
    requireStatus(request, 'signature_request.not_in_draft', 'draft');
    requireUnlocked(request);
    for (const [index, field] of body.fields.entries()) requireOnPage(request, field, index);
    const signer = addSigner(world, request, body);
    return c.json(signerView(world, request, signer), 201);
  });

  api.get('/', ...guard('signers'), (c) => {
    const request = requestOf(c);
    return c.json(request.signers.map((signer) => signerView(world, request, signer)));
  });

  api.get('/:signerId', ...guard('signer_get'), (c) => {
    const request = requestOf(c);
    const signer = getSigner(request, c.req.param('signerId'));
    freshenLink(world, request, signer);
    return c.json(signerView(world, request, signer));
  });

  api.patch('/:signerId', ...guard('signer_update'), async (c) => {
    const request = requestOf(c);
    const signer = getSigner(request, c.req.param('signerId'));
    const { info, signature_authentication_mode: mode } = await readBody(c, signerPatchSchema);
    requireStatus(request, 'signer.not_editable', 'draft', 'ongoing');
    if (signer.status === 'signed') throw new Problem(400, 'signer.not_editable', 'The signer has signed.');
    // Members that were not sent stay; null removes a phone number.
    signer.info = signerInfo.parse({ ...signer.info, ...info });
    signer.authenticationMode = mode ?? signer.authenticationMode;
    // A changed signer gets a new mail, as from the provider.
    if (request.status === 'ongoing') notify(world, request, signer);
    return c.json(signerView(world, request, signer));
  });

  api.post('/:signerId/send_reminder', ...guard('remind'), (c) => {
    const request = requestOf(c);
    const signer = getSigner(request, c.req.param('signerId'));
    requireStatus(request, 'signature_request.not_ongoing', 'ongoing');
    if (signer.status !== 'notified')
      throw new Problem(400, 'signer.not_notified', `The signer is ${signer.status}.`);
    notify(world, request, signer);
    return c.body(null, 201);
  });

  api.get('/:signerId/audit_trails', ...guard('audit'), (c) => {
    const request = requestOf(c);
    return c.json(auditTrail(world, request, getSigner(request, c.req.param('signerId'))));
  });

  api.get('/:signerId/audit_trails/download', ...guard('audit_pdf'), async (c) => {
    const request = requestOf(c);
    const signer = getSigner(request, c.req.param('signerId'));
    return sendPdf(world, c, await auditTrailPdf(world, request, [signer]), `audit-trail-${signer.id}.pdf`);
  });

  return api;
}

/** Refuses a field that does not lie wholly on its page as a reader shows it. */
function requireOnPage(request: SignatureRequest, field: SignerField, index: number): void {
  const page = getDocument(request, field.document_id).pages[field.page - 1];
  if (!page) throw invalid(`fields.${index}.page`, 'The document has no such page.');
  const { width, height } = sizeOf(page);
  if (field.x + field.width > width) throw invalid(`fields.${index}.x`, 'This field is outside of its page.');
  if (field.y + field.height > height)
    throw invalid(`fields.${index}.y`, 'This field is outside of its page.');
}

function addSigner(world: World, request: SignatureRequest, body: z.output<typeof signerSchema>): Signer {
  const signer: Signer = {
    id: world.ids.uuid(),
    status: 'initiated',
    info: body.info,
    level: body.signature_level,
    authenticationMode: body.signature_authentication_mode,
    fields: body.fields,
    linkToken: null,
    linkExpiresAt: null,
    signedAt: null,
  };
  request.signers.push(signer);
  return signer;
}
