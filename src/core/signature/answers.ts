/** What each answer of the decision about a signature means for whoever asked: said once (rules 4). */
import type { TextKey } from '../texts/index.js';
import type { SignatureAnswer } from './decide.js';

/** The keys of a check's messages; each has a text in every language. */
export type CheckKey =
  | 'check_signature_success'
  | 'check_signature_info.ongoing'
  | 'check_signature_info.expired'
  | 'check_signature_info.status'
  | 'not_waiting_signature'
  | 'contract_not_found'
  | 'no_sign_id'
  | 'contract_expired'
  | 'signature_not_found'
  | 'foreign_signature'
  | 'second_document'
  | 'provider_unavailable'
  | 'payment_creation_failed';

/**
 * completed: this call moved it. repeat: it was signed before. late: signed after the last moment, or without proof
 * of being in time. not_signable: the request does not wait for this contract. foreign: the signed document is
 * somebody else's. ended: closed unsigned there, or unknown there. not_confirmed: it is open there.
 */
type Completion = 'completed' | 'repeat' | 'late' | 'not_signable' | 'foreign' | 'ended' | 'not_confirmed';

/** Classes of waiting contracts. `over`: ended here, still open there. `waiting`: nothing has happened there either. */
export const SIGNATURE_CLASSES = [
  'signed',
  'expired',
  'declined',
  'canceled',
  'gone',
  'late',
  'over',
  'waiting',
  'failed',
] as const;

export type SignatureClass = (typeof SIGNATURE_CLASSES)[number];

interface Meaning {
  /** For the events that told of it. Absent: the provider is asked again. */
  completion?: Completion;
  class: SignatureClass;
  /** For the check; its words, where they are not those of the key. */
  key: CheckKey;
  words?: TextKey;
  /** Its words while the contract is not known to be sent. */
  unsentWords?: TextKey;
  /** It names the provider's status. */
  hasStatus?: true;
}

const NOT_WAITING = { class: 'waiting', key: 'not_waiting_signature' } as const;
const OPEN = { completion: 'not_confirmed', class: 'waiting' } as const;
const STATUS = { key: 'check_signature_info.status', hasStatus: true } as const;
const DECLINED = { completion: 'ended', class: 'declined', ...STATUS } as const;
const CANCELED = { completion: 'ended', class: 'canceled', ...STATUS } as const;

export const ANSWERS: Readonly<Record<SignatureAnswer, Meaning>> = {
  repeat: { completion: 'repeat', ...NOT_WAITING },
  not_waiting: { completion: 'not_signable', ...NOT_WAITING },
  unavailable: NOT_WAITING,
  unconfirmed: NOT_WAITING,
  not_sent: { completion: 'not_signable', ...NOT_WAITING, unsentWords: 'check_signature_not_sent' },
  foreign: { completion: 'foreign', class: 'failed', key: 'foreign_signature' },
  not_found: { completion: 'ended', class: 'gone', key: 'signature_not_found' },
  signed: { completion: 'completed', class: 'signed', key: 'check_signature_success' },
  late: { completion: 'late', class: 'late', key: 'contract_expired', words: 'check_signature_late' },
  ongoing: { ...OPEN, key: 'check_signature_info.ongoing' },
  ongoing_but_closed: { ...OPEN, class: 'over', key: 'contract_expired', hasStatus: true },
  other: { ...OPEN, ...STATUS },
  expired: {
    completion: 'ended',
    class: 'expired',
    key: 'check_signature_info.expired',
    unsentWords: 'check_signature_start_expired',
  },
  declined: DECLINED,
  rejected: DECLINED,
  canceled: CANCELED,
  deleted: CANCELED,
  signer_error: { ...CANCELED, words: 'check_signature_signer_error' },
};
