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
    ],
  },
  payment: {
    mutate: ['src/core/payment/**/*.ts'],
    tests: [
      'tests/core/{payment,check-payment,pending-payment,forgotten-payment,identity,reset-signature}.test.ts',
      'tests/faults/payment.test.ts',
      'tests/cli/payments.test.ts',
    ],
  },
  signature: {
    mutate: ['src/core/signature/**/*.ts'],
    tests: [
      'tests/core/{start-signature,failed-start,lost-answer,receive-webhook,check-signature,accept-late}.test.ts',
      'tests/core/{check-all-signatures,survey-signatures,reset-signature,fresh-sign-link,last-day}.test.ts',
      'tests/core/{open-signed-pdf,contract-files,identity,not-found,unwritten-histories}.test.ts',
      'tests/faults/{provider,pdf}.test.ts',
      'tests/cli/signature.test.ts',
      'tests/server/signature.test.ts',
    ],
  },
};
