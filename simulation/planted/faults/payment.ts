/** Faults around money. */
import { fault, type PlantedFault } from '../fault.js';

const OFTEN = { days: 5, requests: 18, often: ['payment', 'command'] } as const;

export const PAYMENT_FAULTS: readonly PlantedFault[] = [
  fault('the payment session has no idempotency key', {
    file: 'core/payment/provider.js',
    find: "'idempotency-key': idempotencyKey,",
    put: '',
  }),
  fault('each try has an idempotency key of its own', {
    file: 'core/payment/reconcile.js',
    find: 'ctx.payment.createSession(session, key)',
    put: 'ctx.payment.createSession(session, key + performance.now())',
  }),
  fault(
    'a page is made without a look at the provider’s list',
    {
      file: 'core/payment/observe.js',
      find: "if (wants === 'page' || !payments.some(isAlive))",
      put: 'if (false)',
    },
    { requests: 18, often: ['restore', 'payment', 'command'] },
  ),
  fault('money on its way counts as paid', {
    file: 'core/payment/receive-payment-webhook.js',
    find: "return isPaid ? 'paid' : 'pending';",
    put: "return 'paid';",
  }),
  fault('a payment that no webhook reported is missing from the history', {
    file: 'core/payment/apply.js',
    find: "return 'payment.received';",
    put: "return answer?.since ? 'payment.received' : undefined;",
  }),
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
    'money that was given up is told to nobody when it comes',
    {
      file: 'core/payment/decide.js',
      find: 'STATES.indexOf(told) > STATES.indexOf(ours))',
      put: "STATES.indexOf(told) > STATES.indexOf(ours) && ours !== 'given_up')",
    },
    OFTEN,
  ),
  fault(
    'money for an earlier contract completes the request',
    {
      file: 'core/payment/decide.js',
      find: 'return isOfCurrentContract && hasPrice;',
      put: 'return hasPrice;',
    },
    OFTEN,
  ),
  fault(
    'the pages beside the one that counts stay open',
    {
      file: 'core/payment/decide.js',
      find: "open.filter((one) => one !== page || facts.wants === 'none').map(close)",
      put: '[]',
    },
    OFTEN,
  ),
  fault(
    'no mail tells of a payment that a person must look at',
    {
      file: 'core/payment/apply.js',
      find: 'tellOffice(tx, contract, { trouble, paymentId, ...paid });',
      put: '',
    },
    { requests: 18 },
  ),
  fault("a link to pay leads to another customer's page", {
    file: 'core/payment/follow-pay-link.js',
    find: 'const ours = ourPayments(ctx.db, requestId);',
    put: 'const ours = ourPayments(ctx.db, Math.max(1, requestId - 1));',
  }),
  {
    name: 'a request completed by hand leaves its link open',
    edits: [
      {
        file: 'core/requests/complete-request.js',
        find: 'await closePages(ctx, requestId, by);',
        put: '',
      },
      { file: 'core/requests/complete-request.js', find: 'mustBeClosed(ours);', put: '' },
    ],
  },
  fault('"paid" is answered 200 before it is on disk', {
    file: 'core/payment/receive-payment-webhook.js',
    find: 'await change(ctx, { actor: WEBHOOK }, (tx) => storeAndAct(ctx, tx, event, delivery.rawBody));',
    put: 'void change(ctx, { actor: WEBHOOK }, (tx) => storeAndAct(ctx, tx, event, delivery.rawBody));',
  }),
];
