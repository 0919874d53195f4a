/** What a state means at a glance: pages and command line give the same state the same colour. */
import type {
  ContractStatus,
  DeliveryState,
  InboxState,
  JobState,
  OfferStatus,
  PaymentState,
  RequestStatus,
  TroubleshootingStatus,
} from '../../db/schema.js';

export type Tone = 'plain' | 'busy' | 'wait' | 'good' | 'bad';

type StoredState =
  | RequestStatus
  | ContractStatus
  | OfferStatus
  | TroubleshootingStatus
  | DeliveryState
  | PaymentState
  | InboxState
  | JobState;

/** What people see of some of them. */
type ShownState =
  | 'enabled'
  | 'disabled'
  | 'off'
  | 'on_its_way'
  | 'declined'
  | 'lapsed'
  | 'ended'
  | 'offer_refused';

export const TONES: Readonly<Record<StoredState | ShownState, Tone>> = {
  new: 'plain',
  in_progress: 'busy',
  WAITING_SIGNATURE: 'wait',
  /** It waits for a signature that cannot come any more. */
  declined: 'bad',
  lapsed: 'bad',
  ended: 'bad',
  WAITING_PAYMENT: 'wait',
  COMPLETE: 'good',
  CANCELED: 'plain',
  PENDING: 'wait',
  SIGNED: 'good',
  EXPIRED: 'bad',
  draft: 'plain',
  sent: 'wait',
  accepted: 'good',
  solved: 'good',
  open: 'wait',
  given_up: 'plain',
  over: 'plain',
  case: 'bad',
  paid: 'good',
  settled: 'plain',
  received: 'busy',
  done: 'good',
  refused: 'bad',
  ignored: 'plain',
  available: 'busy',
  running: 'busy',
  completed: 'good',
  failed: 'bad',
  pending: 'busy',
  /** A payment that is pending. */
  on_its_way: 'busy',
  delivered: 'good',
  /** An offer that is refused: in French its word agrees with the noun. */
  offer_refused: 'bad',
  enabled: 'good',
  disabled: 'bad',
  off: 'bad',
};
