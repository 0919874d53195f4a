export type {
  ContractEndedFacts,
  EndReason,
  MailContent,
  PaymentLinkFacts,
  PaymentTroubleFacts,
  RequestFacts,
  SignedFacts,
  SignedLateFacts,
  WebhookDisabledFacts,
} from './mail-types.js';
export { contractSignedMail, paymentLinkMail } from './customer-mails.js';
export {
  adminSignedNotice,
  contractEndedNotice,
  paymentTroubleNotice,
  signedLateNotice,
  webhookDisabledNotice,
} from './admin-notices.js';
