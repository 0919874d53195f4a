/** Faults as a stranger planted them: money, readers, log-ins, two people at once, and what one bad thing must not stop. */
import { fault, type PlantedFault } from '../fault.js';

const RESTORES: PlantedFault['world'] = { days: 2, requests: 8, often: ['restore', 'payment'] };

export const STRANGERS_FAULTS: readonly PlantedFault[] = [
  fault('a draft offer sets the price', {
    file: 'core/offers/offers.js',
    find: "findNewestOffer(db, { requestId, status: 'sent' });",
    put: "findNewestOffer(db, { requestId, status: 'sent' }) ?? findNewestOffer(db, { requestId, status: 'draft' });",
  }),
  fault('the payment page asks for the price of the settings', {
    file: 'core/payment/new-session.js',
    find: 'amount: contract.amount,',
    put: 'amount: config.contractAmount,',
  }),
  fault(
    'the page behind a link to pay gives thanks for a payment that does not count',
    {
      file: 'core/payment/follow-pay-link.js',
      find: "return { place: 'in_review' };",
      put: "return { place: 'paid' };",
    },
    { requests: 18, often: ['payment', 'command'] },
  ),
  fault(
    'a mail gives thanks for a payment that does not count',
    {
      file: 'core/payment/apply.js',
      find: 'tellOffice(tx, contract, { trouble, paymentId, ...paid });',
      put: "tellOffice(tx, contract, { trouble, paymentId, ...paid });\n        tx.enqueue(mailJob, { mail: 'payment-received', contractId: contract.id, paymentId }, about);",
    },
    { requests: 18 },
  ),
  {
    name: 'no lock at all',
    edits: [
      {
        file: 'core/lock.js',
        find: 'mustNotBeLocked(ctx, db, name);\n        putLock',
        put: 'putLock',
      },
      { file: 'core/lock.js', find: '?.token !== token)', put: '?.token === undefined)' },
    ],
    world: { requests: 18 },
  },
  fault(
    'a restore ends no log-in',
    { file: 'core/backup/restore-backup.js', find: 'endLogIns(db, now);', put: '' },
    RESTORES,
  ),
  fault('a new password ends no log-in', {
    file: 'core/users/users.js',
    find: 'setPasswordHash(db, { id, passwordHash, now });\n    revokeRefreshTokensOf(db, { userId: id, now });',
    put: 'setPasswordHash(db, { id, passwordHash, now });',
  }),
  fault('each mail is in the language of the settings', {
    file: 'core/mail/send-mail.js',
    find: 'const locale = reader ? localeOf(config, reader) : config.locale;',
    put: 'const locale = config.locale;',
  }),
  fault("a customer's mail goes to the office", {
    file: 'core/mail/send-mail.js',
    find: "...(recipient === 'customer' ? { to: mailbox(subject) } : office(ctx)),",
    put: '...office(ctx),',
  }),
  {
    name: 'a case can be settled twice',
    edits: [
      {
        file: 'core/requests/settle-request.js',
        find: 'const now = toSettle(tx.db, fresh, options);',
        put: 'const now = settled;',
      },
    ],
    world: { requests: 18, often: ['payment', 'command'] },
  },
  fault(
    'the last second to sign does not count',
    {
      file: 'core/signature/decide.js',
      find: 'time.slice(0, SECONDS) > lastMoment',
      put: 'time.slice(0, SECONDS) >= lastMoment',
    },
    { days: 4, requests: 18 },
  ),
  fault('an Idempotency-Key is shared by all users', {
    file: 'core/calls/idempotency.js',
    find: '{ userId: call.userId, operation',
    put: '{ userId: 1, operation',
  }),
  fault('the date from which the office is needed does not follow the contract', {
    file: 'core/change.js',
    find: 'keepDueAt(this.db, requestId);',
    put: "if (this.actor.kind === 'user') keepDueAt(this.db, requestId);",
  }),
  {
    name: 'a half-written file is left',
    edits: [
      {
        file: 'core/contracts/contract-files.js',
        find: 'await rm(temporary, { force: true });\n        throw error;',
        put: 'throw error;',
      },
      { file: 'core/contracts/contract-files.js', find: 'await removeLeftFiles(dataDir, left);', put: '' },
    ],
    world: { requests: 12, often: ['disk', 'kill', 'signature'] },
  },
  fault(
    'a killed restore leaves a copy of all data',
    {
      file: 'core/backup/swap.js',
      find: 'rmSync(stagingOf(dataDir), { recursive: true, force: true });\n        rmSync(`${plan}.tmp`, { force: true });',
      put: '',
    },
    RESTORES,
  ),
  fault(
    'one bad payment or contract stops the run',
    {
      file: 'core/calls/round.js',
      find: 'await failed(item, error);',
      put: 'await failed(item, error);\n                break;',
    },
    { requests: 12, often: 'payment' },
  ),
  fault(
    'a run that broke off counts as good',
    {
      file: 'core/calls/round.js',
      find: 'return `broke off: ${this.#brokeOff}`;',
      put: 'return undefined;',
    },
    { requests: 12, often: 'signature' },
  ),
  fault(
    'a scheduled run that failed counts as good',
    {
      file: 'core/schedule/schedule.js',
      find: 'if (failure === undefined) {',
      put: 'if (run || failure === undefined) {',
    },
    { requests: 12, often: 'payment' },
  ),
  fault(
    'hanging audit trails hold up the check of signatures',
    {
      file: 'core/schedule/schedule.js',
      find: 'checkAllSignatures(ctx, { ...by, signal, overSince: askedSince(ctx) })',
      put: 'keepAuditTrails(ctx, { signal }).then(() => checkAllSignatures(ctx, { ...by, signal, overSince: askedSince(ctx) }))',
    },
    { requests: 12, often: 'signature' },
  ),
  fault('a delivery that has arrived stays pending', {
    file: 'core/webhooks/deliver-webhook.js',
    find: 'setDeliveryState(db, { id: deliveryId, state,',
    put: "setDeliveryState(db, { id: deliveryId, state: 'pending',",
  }),
  fault('another amount is accepted', {
    file: 'core/payment/price.js',
    find: 'return amount === contract.amount && currency === contract.currency;',
    put: 'return true;',
  }),
];
