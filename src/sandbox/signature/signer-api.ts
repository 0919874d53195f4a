/** The signature provider's calls on the signers of a request. */
import { Hono } from 'hono';
import type { z } from 'zod';
import type { GateEnv } from '../fault-gate.js';
import type { World } from '../world.js';
import { freshenLink, notify } from './actions.js';
import { auditTrail } from './audit-trail.js';
import type { Guard } from './guard.js';
import { getDocument, getRequest, getSigner, requireStatus } from './lookup.js';
import { Problem, readBody } from './problems.js';
import { signerPatchSchema, signerSchema } from './schemas.js';
import type { SignatureRequest, Signer, SignerInfo } from './types.js';
import { signerView } from './views.js';

export function signerApi(world: World, guard: Guard): Hono<GateEnv> {
  const api = new Hono<GateEnv>();
  const requestOf = (id: string | undefined): SignatureRequest => getRequest(world, id ?? '');

  api.post('/', ...guard('signer'), async (c) => {
    const request = requestOf(c.req.param('id'));
    const body = await readBody(c, signerSchema);
    requireStatus(request, 'signature_request.not_in_draft', 'draft');
    for (const field of body.fields) getDocument(request, field.document_id);
    const signer = addSigner(world, request, body);
    return c.json(signerView(world, request, signer), 201);
  });

  api.get('/', ...guard('signers'), (c) => {
    const request = requestOf(c.req.param('id'));
    return c.json(request.signers.map((signer) => signerView(world, request, signer)));
  });

  api.get('/:signerId', ...guard('signer_get'), (c) => {
    const request = requestOf(c.req.param('id'));
    const signer = getSigner(request, c.req.param('signerId'));
    freshenLink(world, request, signer);
    return c.json(signerView(world, request, signer));
  });

  api.patch('/:signerId', ...guard('signer_update'), async (c) => {
    const request = requestOf(c.req.param('id'));
    const signer = getSigner(request, c.req.param('signerId'));
    const { info, signature_authentication_mode: mode } = await readBody(c, signerPatchSchema);
    requireStatus(request, 'signer.not_editable', 'draft', 'ongoing');
    if (signer.status === 'signed') throw new Problem(400, 'signer.not_editable', 'The signer has signed.');
    signer.info = changedInfo(signer.info, info ?? {});
    signer.authenticationMode = mode ?? signer.authenticationMode;
    // As the provider's console does: the changed signer gets a new mail.
    if (request.status === 'ongoing') notify(world, request, signer);
    return c.json(signerView(world, request, signer));
  });

  api.post('/:signerId/send_reminder', ...guard('remind'), (c) => {
    const request = requestOf(c.req.param('id'));
    const signer = getSigner(request, c.req.param('signerId'));
    requireStatus(request, 'signature_request.not_ongoing', 'ongoing');
    if (signer.status !== 'notified')
      throw new Problem(400, 'signer.not_notified', `The signer is ${signer.status}.`);
    notify(world, request, signer);
    return c.body(null, 201);
  });

  api.get('/:signerId/audit_trails', ...guard('audit'), (c) => {
    const request = requestOf(c.req.param('id'));
    return c.json(auditTrail(request, getSigner(request, c.req.param('signerId'))));
  });

  return api;
}

function addSigner(world: World, request: SignatureRequest, body: z.output<typeof signerSchema>): Signer {
  const signer: Signer = {
    id: world.ids.uuid(),
    status: 'initiated',
    info: { ...body.info, phone_number: body.info.phone_number ?? null },
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

/** Members that were not sent stay; a phone number may be taken away by null. */
function changedInfo(info: SignerInfo, sent: Partial<Loose<SignerInfo>>): SignerInfo {
  return {
    first_name: sent.first_name ?? info.first_name,
    last_name: sent.last_name ?? info.last_name,
    email: sent.email ?? info.email,
    locale: sent.locale ?? info.locale,
    phone_number: sent.phone_number === undefined ? info.phone_number : sent.phone_number,
  };
}

type Loose<T> = { [K in keyof T]: T[K] | undefined };
