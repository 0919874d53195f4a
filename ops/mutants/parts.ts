/** What is mutated, and the tests that have to notice: those of the same subject that start no program and no browser. */
export interface Part {
  mutate: string[];
  tests: string[];
}

export const PARTS: Record<string, Part> = {
  lifecycle: {
    mutate: ['src/core/lifecycle.ts'],
    tests: [
      'tests/core/{start-signature,failed-start,complete-request}.test.ts',
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
    mutate: ['src/core/jobs/**/*.ts'],
    tests: [
      'tests/core/{jobs,lanes,failing-runs,clock-ahead,daemon,change}.test.ts',
      'tests/cli/failed.test.ts',
    ],
  },
  users: {
    mutate: ['src/core/users/**/*.ts'],
    tests: [
      'tests/core/users.test.ts',
      'tests/server/{users,login,rate-limit,ownership}.test.ts',
      'tests/admin/session.test.ts',
      'tests/cli/users*.test.ts',
    ],
  },
  webhooks: {
    mutate: ['src/core/webhooks/**/*.ts'],
    tests: [
      'tests/core/{deliver-webhook,webhook-targets,events,lanes}.test.ts',
      'tests/server/webhooks.test.ts',
      'tests/cli/webhooks.test.ts',
      'tests/admin/pages.test.ts',
    ],
  },
  payment: {
    mutate: ['src/core/payment/**/*.ts'],
    tests: [
      'tests/core/{payment,check-payment,pending-payment,forgotten-payment,reset-signature}.test.ts',
      'tests/faults/payment.test.ts',
      'tests/cli/payments.test.ts',
    ],
  },
  'signature-start': {
    mutate: [
      'src/core/signature/{start-signature,create-signature,prepare-contract,perhaps-sent,sent,told}.ts',
      'src/core/signature/{reset-signature,close-at-provider,fresh-sign-link}.ts',
    ],
    tests: [
      'tests/core/{start-signature,failed-start,lost-answer,identity,reset-signature,fresh-sign-link}.test.ts',
      'tests/cli/signature.test.ts',
      'tests/server/signature.test.ts',
    ],
  },
  'signature-check': {
    mutate: [
      'src/core/signature/{check-signature,check-all-signatures,survey-signatures,unknown-signatures}.ts',
      'src/core/signature/accept-late.ts',
    ],
    tests: [
      'tests/core/{check-signature,check-all-signatures,survey-signatures,accept-late,last-day}.test.ts',
      'tests/core/{not-found,lost-answer,unwritten-histories}.test.ts',
      'tests/cli/signature.test.ts',
    ],
  },
  'signature-webhook': {
    mutate: [
      'src/core/signature/{receive-webhook,webhook-contract,webhook-event,complete-signature}.ts',
      'src/core/signature/{completion-job,signed-pdf,open-signed-pdf}.ts',
    ],
    tests: [
      'tests/core/{receive-webhook,check-signature,accept-late,last-day,lost-answer}.test.ts',
      'tests/core/{open-signed-pdf,contract-files,failed-start}.test.ts',
      'tests/faults/pdf.test.ts',
    ],
  },
  'signature-provider': {
    mutate: ['src/core/signature/{provider,provider-clock,listed-signatures,is-ours}.ts'],
    tests: [
      'tests/core/{identity,lost-answer,not-found,survey-signatures,start-signature}.test.ts',
      'tests/faults/provider.test.ts',
    ],
  },
};
