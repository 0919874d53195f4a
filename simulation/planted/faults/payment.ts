/** Faults around money. */
import { fault, type PlantedFault } from '../fault.js';

export const PAYMENT_FAULTS: readonly PlantedFault[] = [
  fault('the payment session has no idempotency key', {
    file: 'core/payment/provider.js',
    find: "'idempotency-key': idempotencyKey,",
    put: '',
  }),
  fault('each try has an idempotency key of its own', {
    file: 'core/payment/create-payment-session.js',
    find: 'contract.paymentKey);',
    put: 'contract.paymentKey + performance.now());',
  }),
  {
    name: 'every replay makes another session',
    edits: [
      {
        file: 'core/payment/payment-job.js',
        find: 'if (!findStanding(db, contract))\n        nextGeneration(db, contract);',
        put: 'nextGeneration(db, contract);',
      },
      {
        file: 'core/payment/payment-job.js',
        find: "if (!current || current.status === 'expired')",
        put: 'if (!current || current.generation < contract.paymentGeneration)',
      },
    ],
    world: { requests: 18, often: ['restore', 'payment', 'command'] },
  },
  fault('money on its way counts as paid', {
    file: 'core/payment/receive-payment-webhook.js',
    find: ': sessionPending(tx, payment, happenedAt(event));',
    put: ': sessionPaid(tx, payment, moneyOf(object));',
  }),
  fault('a renewal does not ask whether the old link still works', {
    file: 'core/payment/renew-payment-session.js',
    find: 'const working = findWorking(asked, request, { ...options, isDecision });',
    put: 'const working = undefined;',
  }),
  fault(
    'a payment that no webhook reported is missing from the history',
    {
      file: 'core/payment/settle-session.js',
      find: "tx.record('payment.received'",
      put: "if (tx.actor.name === 'webhook') tx.record('payment.received'",
    },
    { often: 'webhook' },
  ),
  fault(
    "a person's check of all payments leaves some out",
    {
      file: 'core/payment/check-all-payments.js',
      find: 'yield id;',
      put: 'if (id % 2 === 0) yield id;',
    },
    { requests: 12, often: ['webhook', 'command'] },
  ),
  fault(
    'reopening or canceling a request settles its payments',
    {
      file: 'core/payment/payment-case.js',
      find: "what === 'request.settled' ||",
      put: "what === 'request.settled' || what === 'request.moved' ||",
    },
    { days: 5, requests: 18, often: ['payment', 'command'] },
  ),
  fault(
    'the money of a session that was given up is told to nobody',
    {
      file: 'core/payment/settle-session.js',
      find: 'if (!counts) {',
      put: "if (!counts && payment.status === 'expired') return 'old_session_paid';\n    if (!counts) {",
    },
    { requests: 18 },
  ),
  fault(
    'no mail tells of a payment that a person must look at',
    {
      file: 'core/payment/settle-session.js',
      find: 'tellAdministrator(tx, contract, payment, { trouble, paid });',
      put: '',
    },
    { requests: 18 },
  ),
  fault("a link to pay leads to another customer's page", {
    file: 'core/payment/follow-pay-link.js',
    find: 'const payment = findCurrentPayment(ctx.db, { contractId: contract.id });',
    put: 'const payment = findCurrentPayment(ctx.db, { contractId: Math.max(1, contract.id - 1) });',
  }),
  fault('a request completed by hand leaves its link open', {
    file: 'core/requests/complete-request.js',
    find: 'contract ? await closeSessions(ctx, contract, { despitePending }) : []',
    put: '[]',
  }),
  fault('"paid" is answered 200 before it is on disk', {
    file: 'core/payment/receive-payment-webhook.js',
    find: 'await change(ctx, { actor: WEBHOOK }, (tx) => storeAndAct(tx, event, delivery.rawBody));',
    put: 'void change(ctx, { actor: WEBHOOK }, (tx) => storeAndAct(tx, event, delivery.rawBody));',
  }),
];
