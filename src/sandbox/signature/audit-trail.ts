/** The audit trail of one signer, as JSON. */
import { Problem } from './problems.js';
import type { SignatureRequest, Signer } from './types.js';
import { lastSecondOf } from './last-day.js';
import { wireTime } from './views.js';

/** Refuses while the signer has not signed. */
export function auditTrail(request: SignatureRequest, signer: Signer) {
  if (signer.signedAt === null) {
    throw new Problem(400, 'audit_trail.not_ready_for_download', 'The signer has not signed.');
  }
  const at = wireTime(signer.signedAt);
  const { first_name, last_name, email, phone_number } = signer.info;
  return {
    version: 4,
    signature_request: {
      id: request.id,
      name: request.name,
      sent_at: request.activatedAt === null ? null : wireTime(request.activatedAt),
      expired_at: wireTime(lastSecondOf(request)),
      timezone: request.timezone,
    },
    sender: { email: 'sender@sandbox.test' },
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
      initial_hash: sha256,
    })),
    organization: { name: 'Sandbox' },
    authentication: { mode: signer.authenticationMode, validated_at: at },
  };
}
