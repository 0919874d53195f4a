/** What is mutated, and the tests that have to notice: those of the same subject that start no program and no browser. */
export interface Part {
  mutate: string[];
  /** They run in this order, so the quickest come first. */
  tests: string[];
  /** How much one test may compute, in ms, before its mutant counts as one that never ends; by default 5,000. */
  cpuMaxMs?: number;
}

/** Of every combination of facts. */
const ENUMERATION_MS = 60_000;

const PAYMENT_CASES = [
  'tests/core/requests/settle-request.test.ts',
  'tests/core/payment/{payment-cases,reconcile,observe}.test.ts',
];

export const PARTS: Record<string, Part> = {
  lifecycle: {
    mutate: ['src/core/lifecycle.ts'],
    tests: ['tests/core/lifecycle.test.ts'],
  },
  idempotency: {
    mutate: ['src/core/calls/idempotency.ts'],
    tests: ['tests/core/calls/idempotency.test.ts', 'tests/server/api/create-once.test.ts'],
  },
  writer: {
    mutate: ['src/db/writer.ts'],
    tests: ['tests/db/writer.test.ts', 'tests/core/{change,lock}.test.ts'],
  },
  jobs: {
    mutate: ['src/core/jobs/*.ts', '!src/core/jobs/lanes.ts'],
    tests: [
      'tests/core/jobs/*.test.ts',
      'tests/core/contracts/clock-ahead.test.ts',
      'tests/core/webhooks/deliver-webhook.test.ts',
      'tests/core/resources/resources.test.ts',
      'tests/server/admin/lists/{failed,webhooks}.test.ts',
      'tests/cli/commands/{failed,jobs}.test.ts',
    ],
  },
  lanes: {
    mutate: ['src/core/jobs/lanes.ts'],
    tests: ['tests/core/jobs/lanes.test.ts', 'tests/core/jobs/runner.test.ts'],
  },
  users: {
    mutate: ['src/core/users/**/*.ts'],
    tests: [
      'tests/core/users/*.test.ts',
      'tests/core/signature/signer-names.test.ts',
      'tests/core/requests/too-long.test.ts',
      'tests/core/import/import-file.test.ts',
      'tests/core/{mail/mails,explain/timeline,search/search}.test.ts',
      'tests/core/requests/due-date.test.ts',
      'tests/server/api/{users,login,rights,refusals}.test.ts',
      'tests/server/customer/password-pages.test.ts',
      'tests/server/http/rate-limit.test.ts',
      'tests/server/admin/frame/session.test.ts',
      'tests/cli/commands/users.test.ts',
    ],
  },
  'webhook-parts': {
    mutate: ['src/core/webhooks/{outbound,signatures,target}.ts'],
    tests: ['tests/core/webhooks/{outbound,signatures,target}.test.ts'],
  },
  webhooks: {
    mutate: ['src/core/webhooks/*.ts', '!src/core/webhooks/{outbound,signatures,target}.ts'],
    tests: [
      'tests/core/webhooks/{words,events,deliveries,deliver-webhook}.test.ts',
      'tests/server/api/{webhooks,refusals}.test.ts',
      'tests/cli/commands/webhooks.test.ts',
      'tests/server/admin/lists/webhooks.test.ts',
    ],
  },
  'payment-calls': {
    mutate: ['src/core/payment/provider.ts'],
    tests: ['tests/core/payment/provider.test.ts'],
  },
  'payment-decision': {
    mutate: ['src/core/payment/decide.ts'],
    tests: ['tests/core/payment/decide.test.ts', 'tests/rules.test.ts'],
    cpuMaxMs: ENUMERATION_MS,
  },
  'payment-facts': {
    mutate: ['src/core/payment/{pay-link,answers,our-payments,price}.ts'],
    tests: [
      'tests/core/payment/{our-payments,payment-event,receive-payment-webhook}.test.ts',
      'tests/core/prices/which-price.test.ts',
      'tests/core/payment/{order-of-mails,price,refusal}.test.ts',
      'tests/core/requests/{due-date,mailed-links}.test.ts',
      'tests/server/customer/pay.test.ts',
      ...PAYMENT_CASES,
      'tests/core/resources/resources.test.ts',
      'tests/server/admin/acts/entries.test.ts',
    ],
  },
  'payment-cases': {
    mutate: [
      'src/core/payment/{payment-cases,give-up-payment,close-pages}.ts',
      'src/core/requests/{settle-request,complete-request}.ts',
    ],
    tests: [
      'tests/core/payment/{give-up-payment,refusal}.test.ts',
      'tests/core/requests/{complete-request,cancel-request,renew-request}.test.ts',
      'tests/core/payment/{check-payment,close-pages}.test.ts',
      ...PAYMENT_CASES,
    ],
  },
  'payment-check': {
    mutate: ['src/core/payment/{check-payment,check-all-payments,observe,reconcile,apply}.ts'],
    tests: [
      'tests/core/payment/{check-payment,check-all-payments,create-payment-session,receive-payment-webhook}.test.ts',
      'tests/core/payment/{close-pages,unknown-payments,renew-payment-session,order-of-mails}.test.ts',
      'tests/core/payment/{payment-event,give-up-payment,refusal}.test.ts',
      'tests/core/requests/renew-request.test.ts',
      'tests/core/inbox/replay.test.ts',
      'tests/core/installation/identity.test.ts',
      'tests/core/requests/cancel-request.test.ts',
      'tests/core/unwritten-histories.test.ts',
      'tests/core/takeover/take-over.test.ts',
      'tests/server/customer/pay.test.ts',
      'tests/server/api/request-acts.test.ts',
      ...PAYMENT_CASES,
    ],
  },
  'payment-session': {
    mutate: [
      'src/core/payment/{create-payment-session,payment-job,receive-payment-webhook}.ts',
      'src/core/payment/{follow-pay-link,renew-payment-session}.ts',
    ],
    tests: [
      'tests/core/payment/{create-payment-session,renew-payment-session,receive-payment-webhook,check-payment}.test.ts',
      'tests/core/payment/{payment-event,order-of-mails,give-up-payment,refusal}.test.ts',
      'tests/core/payment/unknown-payments.test.ts',
      'tests/core/inbox/replay.test.ts',
      'tests/core/requests/mailed-links.test.ts',
      'tests/core/users/change-user.test.ts',
      'tests/core/takeover/take-over.test.ts',
      'tests/server/customer/pay.test.ts',
      'tests/server/api/request-acts.test.ts',
      'tests/cli/commands/payments.test.ts',
      ...PAYMENT_CASES,
    ],
  },
  'signature-decision': {
    mutate: ['src/core/signature/{decide,standing}.ts'],
    tests: ['tests/core/signature/decide.test.ts', 'tests/rules.test.ts'],
    cpuMaxMs: ENUMERATION_MS,
  },
  'signature-start': {
    mutate: ['src/core/signature/{start-signature,take-steps,next-step,prepare-contract,sent,told}.ts'],
    tests: [
      'tests/rules.test.ts',
      'tests/core/signature/{next-step,signer-names,find-at-provider,fresh-sign-link}.test.ts',
      'tests/core/signature/{start-signature,failed-start,sent,second-document}.test.ts',
      'tests/core/payment/price.test.ts',
      'tests/core/prices/which-price.test.ts',
      'tests/core/contracts/supplied-pdf.test.ts',
      'tests/core/requests/reopen-request.test.ts',
      'tests/core/signature/{reset-signature,check-signature}.test.ts',
      'tests/core/installation/identity.test.ts',
      'tests/core/requests/cancel-request.test.ts',
      'tests/core/contracts/last-moment.test.ts',
      'tests/core/signature/accept-late.test.ts',
      'tests/core/requests/complete-request.test.ts',
      'tests/core/users/change-user.test.ts',
      'tests/core/unwritten-histories.test.ts',
      'tests/server/api/request-acts.test.ts',
    ],
  },
  'signature-reset': {
    mutate: ['src/core/signature/{reset-signature,close-at-provider}.ts'],
    tests: [
      'tests/core/signature/reset-signature.test.ts',
      'tests/core/requests/cancel-request.test.ts',
      'tests/core/signature/{sent,second-document,start-signature}.test.ts',
      'tests/core/installation/identity.test.ts',
      'tests/core/signature/failed-start.test.ts',
      'tests/core/payment/price.test.ts',
      'tests/core/prices/which-price.test.ts',
      'tests/core/takeover/take-over.test.ts',
      'tests/core/unwritten-histories.test.ts',
      'tests/server/api/{requests,request-acts}.test.ts',
    ],
  },
  'signature-check': {
    mutate: ['src/core/signature/{check-signature,accept-late}.ts'],
    tests: [
      'tests/core/signature/{check-signature,accept-late}.test.ts',
      'tests/core/contracts/last-moment.test.ts',
      'tests/core/signature/{not-found,sent}.test.ts',
      'tests/core/signature/{reset-signature,survey-signatures}.test.ts',
      'tests/core/installation/identity.test.ts',
      'tests/core/signature/{check-all-signatures,second-document}.test.ts',
      'tests/core/contracts/clock-ahead.test.ts',
      'tests/core/requests/complete-request.test.ts',
      'tests/core/contracts/expire-contracts.test.ts',
      'tests/core/unwritten-histories.test.ts',
      'tests/core/signature/failed-start.test.ts',
      'tests/core/users/change-user.test.ts',
      'tests/core/takeover/take-over.test.ts',
      'tests/server/api/request-acts.test.ts',
      'tests/cli/commands/{signature,contracts}.test.ts',
    ],
  },
  'signature-bulk': {
    mutate: [
      'src/core/signature/{check-all-signatures,survey-signatures,listed-signatures}.ts',
      'src/core/signature/unknown-signatures.ts',
    ],
    tests: [
      'tests/core/signature/{check-all-signatures,survey-signatures,second-document}.test.ts',
      'tests/core/installation/identity.test.ts',
      'tests/core/contracts/clock-ahead.test.ts',
      'tests/core/takeover/take-over.test.ts',
      'tests/core/signature/failed-start.test.ts',
      'tests/core/contracts/last-moment.test.ts',
      'tests/core/signature/{accept-late,sent}.test.ts',
      'tests/core/needs/needs.test.ts',
      'tests/core/requests/cancel-request.test.ts',
      'tests/core/unwritten-histories.test.ts',
      'tests/cli/commands/signature.test.ts',
    ],
  },
  'signature-facts': {
    mutate: ['src/core/signature/webhook-event.ts', 'src/core/inbox/rejections.ts'],
    tests: [
      'tests/core/signature/webhook-event.test.ts',
      'tests/core/inbox/rejections.test.ts',
      'tests/core/signature/{receive-webhook,sent,second-document}.test.ts',
      'tests/core/inbox/replay.test.ts',
    ],
  },
  'signature-webhook': {
    mutate: ['src/core/signature/receive-webhook.ts'],
    tests: [
      'tests/core/signature/{receive-webhook,failed-start,sent,not-found,second-document}.test.ts',
      'tests/core/installation/identity.test.ts',
      'tests/core/signature/reset-signature.test.ts',
      'tests/core/requests/{cancel-request,complete-request}.test.ts',
      'tests/core/signature/accept-late.test.ts',
      'tests/core/contracts/last-moment.test.ts',
      'tests/core/users/change-user.test.ts',
      'tests/core/contracts/clock-ahead.test.ts',
      'tests/core/unwritten-histories.test.ts',
      'tests/server/api/request-acts.test.ts',
    ],
  },
  'signature-complete': {
    mutate: ['src/core/signature/{apply,reconcile,observe,completion-job,signed-pdf}.ts'],
    tests: [
      'tests/core/signature/signed-pdf.test.ts',
      'tests/core/signature/{receive-webhook,check-signature,survey-signatures,accept-late}.test.ts',
      'tests/core/contracts/last-moment.test.ts',
      'tests/core/installation/identity.test.ts',
      'tests/core/requests/{cancel-request,complete-request}.test.ts',
      'tests/core/users/change-user.test.ts',
      'tests/core/signature/not-found.test.ts',
      'tests/core/signature/reset-signature.test.ts',
      'tests/core/contracts/clock-ahead.test.ts',
      'tests/core/unwritten-histories.test.ts',
      'tests/server/api/request-acts.test.ts',
      'tests/core/signature/{failed-start,sent,second-document,find-at-provider}.test.ts',
      'tests/core/signature/spoiled-pdf.test.ts',
      'tests/core/signature/check-all-signatures.test.ts',
      'tests/core/inbox/replay.test.ts',
    ],
  },
  'signature-calls': {
    mutate: ['src/core/signature/{provider,provider-answers}.ts'],
    tests: ['tests/core/signature/{provider,check-signature,receive-webhook}.test.ts'],
  },
  'signature-ours': {
    mutate: ['src/core/signature/is-ours.ts', 'src/core/contracts/expire-contracts.ts'],
    tests: [
      'tests/core/signature/is-ours.test.ts',
      'tests/core/contracts/{clock-ahead,expire-contracts}.test.ts',
      'tests/core/installation/identity.test.ts',
    ],
  },
};
