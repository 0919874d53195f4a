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

const PAYMENT_CASES =
  'tests/core/{decided-payments,settle-request,left-over-payments,two-open-sessions,forgotten-renewal,payment-cases}.test.ts';

export const PARTS: Record<string, Part> = {
  lifecycle: {
    mutate: ['src/core/lifecycle.ts'],
    tests: [
      'tests/core/{start-signature,failed-start,complete-request,left-over-payments}.test.ts',
      'tests/server/requests.test.ts',
    ],
  },
  idempotency: {
    mutate: ['src/core/calls/idempotency.ts'],
    tests: ['tests/server/idempotency.test.ts'],
  },
  writer: {
    mutate: ['src/db/writer.ts'],
    tests: ['tests/db/writer.test.ts', 'tests/core/change.test.ts'],
  },
  jobs: {
    mutate: ['src/core/jobs/*.ts', '!src/core/jobs/lanes.ts'],
    tests: [
      'tests/core/{job-parts,jobs,lanes,clock-ahead,deliver-webhook}.test.ts',
      'tests/admin/pages.test.ts',
      'tests/cli/failed.test.ts',
    ],
  },
  lanes: {
    mutate: ['src/core/jobs/lanes.ts'],
    tests: ['tests/core/jobs.test.ts', 'tests/core/lanes.test.ts'],
  },
  users: {
    mutate: ['src/core/users/**/*.ts'],
    tests: [
      'tests/core/{users,correct-user}.test.ts',
      'tests/server/{users,password,login,rate-limit,ownership}.test.ts',
      'tests/admin/session.test.ts',
      'tests/cli/users*.test.ts',
    ],
  },
  'webhook-parts': {
    mutate: ['src/core/webhooks/{outbound,resolve,secret-box,signatures,target,trouble}.ts'],
    tests: ['tests/core/{webhook-parts,webhook-targets}.test.ts'],
  },
  webhooks: {
    mutate: [
      'src/core/webhooks/*.ts',
      '!src/core/webhooks/{outbound,resolve,secret-box,signatures,target,trouble}.ts',
    ],
    tests: [
      'tests/core/events.test.ts',
      'tests/core/deliver-webhook.test.ts',
      'tests/server/webhooks.test.ts',
      'tests/cli/webhooks.test.ts',
      'tests/admin/lists.test.ts',
    ],
  },
  'payment-calls': {
    mutate: ['src/core/payment/provider.ts'],
    tests: ['tests/core/payment-calls.test.ts'],
  },
  'payment-decision': {
    mutate: ['src/core/payment/decide.ts'],
    tests: ['tests/core/payment-decision.test.ts', 'tests/rules.test.ts'],
    cpuMaxMs: ENUMERATION_MS,
  },
  'payment-facts': {
    mutate: ['src/core/payment/{payment-event,pay-link,answers,our-payments,price}.ts'],
    tests: [
      'tests/core/{payment-facts,other-price,forgotten-payment}.test.ts',
      'tests/server/pay.test.ts',
      PAYMENT_CASES,
    ],
  },
  'payment-cases': {
    mutate: [
      'src/core/payment/{payment-cases,give-up-payment,close-pages,refusal}.ts',
      'src/core/requests/{settle-request,complete-request}.ts',
    ],
    tests: [
      'tests/core/{pending-payment,complete-request,cancel-request,check-payment}.test.ts',
      PAYMENT_CASES,
    ],
  },
  'payment-check': {
    mutate: ['src/core/payment/{check-payment,check-all-payments,observe,reconcile,apply}.ts'],
    tests: [
      'tests/core/{check-payment,payment,pending-payment,cancel-request,forgotten-payment}.test.ts',
      'tests/core/{other-price,unwritten-histories,takeover}.test.ts',
      'tests/server/{pay,signature}.test.ts',
      PAYMENT_CASES,
    ],
  },
  'payment-session': {
    mutate: [
      'src/core/payment/{create-payment-session,new-session,payment-job,receive-payment-webhook}.ts',
      'src/core/payment/{follow-pay-link,renew-payment-session}.ts',
    ],
    tests: [
      'tests/core/{payment,forgotten-payment,pending-payment,check-payment,old-links}.test.ts',
      'tests/core/{correct-user,takeover}.test.ts',
      'tests/server/{pay,signature}.test.ts',
      'tests/cli/payments.test.ts',
      PAYMENT_CASES,
    ],
  },
  'signature-decision': {
    mutate: ['src/core/signature/{decide,standing}.ts'],
    tests: ['tests/core/signature-decision.test.ts', 'tests/rules.test.ts'],
    cpuMaxMs: ENUMERATION_MS,
  },
  'signature-start': {
    mutate: ['src/core/signature/{start-signature,take-steps,next-step,prepare-contract,sent,told}.ts'],
    tests: [
      'tests/core/{find-at-provider,fresh-sign-link,start-signature,failed-start,lost-answer}.test.ts',
      'tests/core/{reset-signature,check-signature,identity,cancel-request,last-day}.test.ts',
      'tests/core/{accept-late,complete-request,correct-user,unwritten-histories}.test.ts',
      'tests/server/signature.test.ts',
    ],
  },
  'signature-reset': {
    mutate: ['src/core/signature/{reset-signature,close-at-provider}.ts'],
    tests: [
      'tests/core/{reset-signature,cancel-request,lost-answer,identity}.test.ts',
      'tests/core/{failed-start,takeover,unwritten-histories}.test.ts',
      'tests/server/{requests,signature}.test.ts',
    ],
  },
  'signature-check': {
    mutate: ['src/core/signature/{check-signature,accept-late}.ts'],
    tests: [
      'tests/core/{check-signature,accept-late,last-day,not-found,lost-answer}.test.ts',
      'tests/core/{reset-signature,survey-signatures,identity,check-all-signatures,clock-ahead}.test.ts',
      'tests/core/{complete-request,expire-contracts,unwritten-histories}.test.ts',
      'tests/core/{failed-start,correct-user,takeover}.test.ts',
      'tests/server/signature.test.ts',
      'tests/cli/{signature,accept-late}.test.ts',
    ],
  },
  'signature-bulk': {
    mutate: [
      'src/core/signature/{check-all-signatures,survey-signatures,listed-signatures}.ts',
      'src/core/signature/unknown-signatures.ts',
    ],
    tests: [
      'tests/core/{check-all-signatures,survey-signatures,identity,clock-ahead,takeover}.test.ts',
      'tests/core/{failed-start,last-day,accept-late,lost-answer,needs,unwritten-histories}.test.ts',
      'tests/cli/signature.test.ts',
    ],
  },
  'signature-facts': {
    mutate: ['src/core/signature/webhook-event.ts', 'src/core/inbox/claimed-id.ts'],
    tests: ['tests/core/signature-facts.test.ts', 'tests/core/claimed-id.test.ts'],
  },
  'signature-webhook': {
    mutate: ['src/core/signature/{receive-webhook,webhook-contract}.ts'],
    tests: [
      'tests/core/{receive-webhook,failed-start,lost-answer,not-found,identity}.test.ts',
      'tests/core/{reset-signature,cancel-request,complete-request,accept-late,last-day}.test.ts',
      'tests/core/{correct-user,clock-ahead,unwritten-histories}.test.ts',
      'tests/server/signature.test.ts',
    ],
  },
  'signature-complete': {
    mutate: ['src/core/signature/{apply,reconcile,observe,completion-job,signed-pdf}.ts'],
    tests: [
      'tests/core/open-signed-pdf.test.ts',
      'tests/core/{receive-webhook,check-signature,survey-signatures,accept-late,last-day}.test.ts',
      'tests/core/{identity,cancel-request,complete-request,correct-user,not-found}.test.ts',
      'tests/core/{reset-signature,clock-ahead,unwritten-histories}.test.ts',
      'tests/server/signature.test.ts',
      'tests/core/{failed-start,lost-answer}.test.ts',
      'tests/faults/pdf.test.ts',
    ],
  },
  'signature-calls': {
    mutate: ['src/core/signature/{provider,provider-answers}.ts'],
    tests: ['tests/core/signature-calls.test.ts'],
  },
  'signature-ours': {
    mutate: ['src/core/signature/is-ours.ts', 'src/core/contracts/expire-contracts.ts'],
    tests: ['tests/core/{is-ours,clock-ahead,expire-contracts,identity}.test.ts'],
  },
};
