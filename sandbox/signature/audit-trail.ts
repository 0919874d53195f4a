/** Audit trails: how each signature came about, as JSON for one signer and as a PDF. They may lag behind the signature. */
import { createHash } from 'node:crypto';
import { blankPdf } from '../pdf/blank.js';
import { stampPdf } from '../pdf/stamp.js';
import type { World } from '../world.js';
import { lastSecondOf } from './last-day.js';
import { Problem } from './problems.js';
import type { SignatureRequest, Signer } from './types.js';
import { wireTime } from './views.js';

/** Refuses while the signer has not signed, or a fault lets the trail lag behind. */
export function auditTrail(world: World, request: SignatureRequest, signer: Signer) {
  if (signer.signedAt === null || world.faults.take('audit_trail', 'audit')) throw notReady();
  const at = wireTime(signer.signedAt);
  const { first_name, last_name, email, phone_number } = signer.info;
  return {
    version: 5,
    signature_request: {
      id: request.id,
      name: request.name,
      sent_at: request.activatedAt === null ? null : wireTime(request.activatedAt),
      expired_at: wireTime(lastSecondOf(request)),
      timezone: request.timezone,
    },
    sender: {
      id: request.id,
      type: 'ApiKey',
      email: 'sender@sandbox.test',
      first_name: 'Sandbox',
      last_name: 'Sender',
      ip_address: '127.0.0.1',
      phone_number: null,
    },
    signer: {
      id: signer.id,
      first_name,
      last_name,
      email_address: email,
      phone_number,
      ip_address: '127.0.0.1',
      consent_given_at: at,
      signature_process_completed_at: at,
    },
    documents: request.documents.map(({ id, filename, sha256 }) => ({
      id,
      name: filename,
      mime_type: 'application/pdf',
      initial_hash: sha256,
      signatures: [
        {
          reason: `Signed by ${first_name} ${last_name}`,
          hash: createHash('sha256').update(`${sha256} ${signer.id} ${at}`).digest('hex'),
        },
      ],
    })),
    organization: { id: null, name: 'Sandbox' },
    authentication: { mode: signer.authenticationMode, validated_at: at },
    electronic_signature_level: { level: signer.level },
  };
}

/** The trails of these signers in one PDF. Refuses until the request is done. */
export async function auditTrailPdf(
  world: World,
  request: SignatureRequest,
  signers: readonly Signer[],
): Promise<Buffer> {
  if (request.status !== 'done' || world.faults.take('audit_trail', 'audit_pdf')) throw notReady();
  const lines = signers.flatMap((signer) => [
    `Audit trail of ${signer.info.first_name} ${signer.info.last_name} <${signer.info.email}>`,
    `Consent given and signed at ${wireTime(signer.signedAt ?? 0)} from 127.0.0.1`,
    `Signature request ${request.id}`,
    ...request.documents.map(({ filename, sha256 }) => `${filename} SHA-256 ${sha256}`),
  ]);
  const place = { from: 'top', page: 1, x: 48, y: 48, width: 500, height: 20 * lines.length } as const;
  return stampPdf(blankPdf(), [{ place, lines }]);
}

function notReady(): Problem {
  return new Problem(400, 'audit_trail.not_ready_for_download', 'The audit trail is not ready yet.');
}
