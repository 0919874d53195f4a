/** From when on a request needs the office: one rule, and a column that follows it through every change. */
import { describe, expect, test } from 'vitest';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { dueAt, dueAtOf } from '../../../src/core/requests/due-date.js';
import { reopenRequest } from '../../../src/core/requests/reopen-request.js';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { changeUser } from '../../../src/core/users/change-user.js';
import { createRequest } from '../../../src/core/requests/requests.js';
import { insertEquipment } from '../../../src/db/equipments/equipments.js';
import type { ContractRow, RequestRow, UserRow } from '../../../src/db/schema.js';
import { startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { deliver, deliverPayment } from '../../support/webhooks.js';
import { story } from '../../support/story.js';

const SINCE = '2026-03-02T09:14:07.250Z';
const LAST_MOMENT = '2026-04-01T23:59:59.000Z';
const customer = { username: 'ada@example.org', firstName: 'Ada', lastName: 'Lovelace' } as UserRow;
const contract = {
  status: 'PENDING',
  sending: 'sent',
  signerEmail: 'Ada@example.org',
  expiredAt: LAST_MOMENT,
  failedSigningAt: null,
} as ContractRow;
const payable = { payment: 'payable', pendingSince: null, refusedAt: null } as const;

type Case = [string, RequestRow['status'], { payToken?: null; [more: string]: unknown }, string | null];

describe('a request is due', () => {
  test.each<Case>([
    ['never while nobody has started it', 'new', { contract: undefined }, null],
    [
      'never for a name that is missing',
      'new',
      { contract: undefined, customer: { ...customer, firstName: '' } },
      null,
    ],
    [
      'at once for a name that the provider refuses',
      'new',
      { contract: undefined, customer: { ...customer, lastName: 'Þór' } },
      SINCE,
    ],
    [
      'at once for an address that it refuses',
      'in_progress',
      { contract: undefined, customer: { ...customer, username: 'ada@intranet' } },
      SINCE,
    ],
    ['at once when its start has not ended', 'in_progress', {}, SINCE],
    ['at the last moment to sign', 'WAITING_SIGNATURE', {}, LAST_MOMENT],
    ['at once without a contract', 'WAITING_SIGNATURE', { contract: undefined }, SINCE],
    [
      'at once when its contract is over',
      'WAITING_SIGNATURE',
      { contract: { ...contract, status: 'EXPIRED' } },
      SINCE,
    ],
    [
      'at once when its contract is not known to be sent',
      'WAITING_SIGNATURE',
      { contract: { ...contract, sending: 'asked' } },
      SINCE,
    ],
    [
      'at once when it was sent to another address',
      'WAITING_SIGNATURE',
      { contract: { ...contract, signerEmail: 'a@b.example' } },
      SINCE,
    ],
    ['never while it can be paid', 'WAITING_PAYMENT', {}, null],
    ['never while its page can be made anew', 'WAITING_PAYMENT', { payment: 'no_page' }, null],
    ['at once without a page and a link', 'WAITING_PAYMENT', { payment: 'no_page', payToken: null }, SINCE],
    [
      'since the bank has refused, without a page',
      'WAITING_PAYMENT',
      { payment: 'no_page', refusedAt: LAST_MOMENT },
      LAST_MOMENT,
    ],
    ['never once there is another page', 'WAITING_PAYMENT', { refusedAt: LAST_MOMENT }, null],
    ['by its case, not by a date, when a person must decide', 'WAITING_PAYMENT', { payment: 'case' }, null],
    [
      '14 days after the customer has paid',
      'WAITING_PAYMENT',
      { payment: 'on_its_way', pendingSince: SINCE },
      '2026-03-16T09:14:07.250Z',
    ],
    ['never when it is paid', 'COMPLETE', {}, null],
    ['never when it is canceled', 'CANCELED', {}, null],
  ])('%s: %s', (_, status, { payToken = 'token', ...changes }, due) => {
    const request = { status, statusSince: SINCE, payToken };
    expect(dueAt({ request, customer, contract, ...payable, ...changes })).toBe(due);
  });
});

/** What the column says, which is what the rule says. */
function due(app: TestApp, id: number) {
  const request = app.request(id);
  expect(request.dueAt).toBe(dueAtOf(app.ctx.db, request));
  return request.dueAt;
}

describe('the column follows', () => {
  const by = { actor: TESTER, reason: 'x' };

  test('a request through expiry, reset, cancellation and reopening', async () => {
    const app = await startApp();
    const { id } = (await app.waitingRequest()).request;
    expect(due(app, id)).toBe(app.contract(id).expiredAt);
    app.clock.advance(40 * DAY);
    await expireContracts(app.ctx, by);
    expect(due(app, id)).toBe(app.request(id).statusSince);
    await resetSignature(app.ctx, id, by);
    expect(due(app, id)).toBe(app.contract(id).expiredAt);
    await cancelRequest(app.ctx, id, { ...by, notify: false });
    expect(due(app, id)).toBeNull();
    await reopenRequest(app.ctx, id, by);
    expect(due(app, id)).toBe(app.request(id).statusSince);
  });

  test('the payment: its page, its money on its way, another page', async () => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    const { id } = request;
    app.sandbox.sign(signId);
    await deliver(app, signId);
    expect(due(app, id)).toBe(app.request(id).statusSince);
    await app.drain();
    expect(due(app, id)).toBeNull();
    const paymentId = app.request(id).paymentId as string;
    app.sandbox.pay(paymentId, { async: true });
    await deliverPayment(app, paymentId, {
      paymentStatus: 'unpaid',
      created: Math.floor(app.clock.now().getTime() / 1000),
    });
    expect(Date.parse(due(app, id) as string) - app.clock.now().getTime()).toBeCloseTo(14 * DAY, -4);
    await story.on(app, id).givenUp().renewed().drained().end();
    expect(due(app, id)).toBeNull();
  });

  test('the customer: a refused name and its correction, and an address that the provider does not have yet', async () => {
    const app = await startApp();
    const office = await app.addUser({ role: 'ROLE_ADMIN' });
    const owner = await app.addUser({ lastName: 'Þór' });
    const equipment = { ownerId: owner.id, name: 'Boiler', model: 'B', serialNumber: 'S', now: SINCE };
    const made = await app.ctx.writer.write((db) => insertEquipment(db, equipment));
    const { id: equipmentId } = made as { id: number };
    const { id } = (await createRequest(app.ctx, office, { title: 't', description: 'd', equipmentId }))
      .request;
    expect(due(app, id)).toBe(app.request(id).statusSince);
    await changeUser(app.ctx, office, owner.id, { lastName: 'Thor' });
    expect(due(app, id)).toBeNull();

    const waiting = await app.waitingRequest();
    await changeUser(app.ctx, office, waiting.owner.id, { username: 'new@example.org' });
    expect(due(app, waiting.request.id)).toBe(waiting.request.statusSince);
    await app.drain();
    expect(due(app, waiting.request.id)).toBe(app.contract(waiting.request.id).expiredAt);
  });
});
