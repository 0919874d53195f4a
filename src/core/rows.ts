/** What the rows of the database look like, for the layers that show them: they import nothing of db. */
export type {
  CaseKind,
  ContractRow,
  ContractStatus,
  DeliveryState,
  InboxState,
  JobRow,
  JobState,
  OfferRow,
  PaymentRow,
  PaymentState,
  PriceRow,
  RequestRow,
  RequestStatus,
  UserRow,
} from '../db/schema.js';
