/** The words of the history: what happened to which kind of thing. */

export const HISTORY_WORDS = [
  'request.created',
  'request.changed',
  'request.priced',
  'request.moved',
  'request.settled',
  'request.renewed',
  'request.deleted',
  'request.exported',
  'equipment.created',
  'equipment.changed',
  'equipment.deleted',
  'contract.created',
  'contract.sent',
  'contract.signed',
  'contract.pdf_fetched',
  'contract.trail_kept',
  'contract.ended',
  'contract.signed_late',
  'contract.foreign_signature',
  'contract.replaced_signed',
  'contract.canceled_signed',
  'contract.signer_corrected',
  'contract.signer_refused',
  'contract.signer_error',
  'contract.late_accepted',
  'contract.second_accepted',
  'contract.last_moment_told',
  'payment.session_created',
  'payment.session_found',
  'payment.session_expired',
  'payment.session_closed',
  'payment.pending',
  'payment.given_up',
  'payment.failed',
  'payment.received',
  'payment.old_session_paid',
  'payment.paid_unsigned',
  'payment.canceled_paid',
  'payment.other_price',
  'payment.unknown',
  'payment.settled',
  'payment.checked',
  'payment.renewed',
  'payment.reminded',
  'signature.reminded',
  'inbox.replayed',
  'job.pushed',
  'job.replayed',
  'job.removed',
  'signature.checked',
  'signature.settled',
  'signatures.checked',
  'contracts.expired',
  'user.created',
  'user.invited',
  'user.joined',
  'user.password_set',
  'user.password_reset',
  'user.changed',
  'user.promoted',
  'user.demoted',
  'user.enabled',
  'user.disabled',
  'user.exported',
  'user.erased',
  'database.migrated',
  'price.set',
  'price.removed',
  'offer.created',
  'offer.changed',
  'offer.deleted',
  'troubleshooting.created',
  'troubleshooting.changed',
  'troubleshooting.deleted',
  'mail.sent',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.disabled',
  'webhook.enabled',
  'webhook.pinged',
  'webhook.redelivered',
  'settings.reloaded',
  'data.pruned',
  'data.restored',
  'data.taken_over',
] as const;

export type HistoryWord = (typeof HISTORY_WORDS)[number];

/** Request, contract, user … */
export const HISTORY_NOUNS = [...new Set(HISTORY_WORDS.map(nounOf))].toSorted();

function nounOf(word: HistoryWord): string {
  return word.slice(0, word.indexOf('.'));
}

/** The words that `request.moved` or `request` names. */
export function wordsCalled(what: string): HistoryWord[] {
  return HISTORY_WORDS.filter((word) => word === what || nounOf(word) === what);
}

/** Nouns whose entries say in `detail` which thing they are about. */
export const SUBJECTS = { user: 'userId', webhook: 'webhookId', equipment: 'equipmentId' } as const;
