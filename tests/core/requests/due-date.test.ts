/** From when on a request needs the office: one rule, and a column that follows it through every change. */
import { describe, expect, test } from 'vitest';
import { addDays, iso } from '../../../src/core/clock.js';
import { dueAt, dueAtOf } from '../../../src/core/requests/due-date.js';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { changeUser } from '../../../src/core/users/change-user.js';
import { createRequest } from '../../../src/core/requests/enter-request.js';
import { insertEquipment } from '../../../src/db/equipments/equipments.js';
import type { ContractRow, RequestRow, UserRow } from '../../../src/db/schema.js';
import { startApp, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { BY, story, type Story } from '../../support/story.js';

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

const NONE = { contract: undefined };
const named = (changes: Partial<UserRow>) => ({ ...NONE, customer: { ...customer, ...changes } });
const its = (changes: Partial<ContractRow>) => ({ contract: { ...contract, ...changes } });

type Case = [string, RequestRow['status'], { payToken?: null; [more: string]: unknown }, string | null];

describe('a request is due', () => {
  test.each<Case>([
    ['never while nobody has started it', 'new', NONE, null],
    ['never for a name that is missing', 'new', named({ firstName: '' }), null],
    ['at once for a name that the provider refuses', 'new', named({ lastName: 'Þór' }), SINCE],
    ['at once for an address that it refuses', 'in_progress', named({ username: 'ada@intranet' }), SINCE],
    ['at once when its start has not ended', 'in_progress', {}, SINCE],
    ['at the last moment to sign', 'WAITING_SIGNATURE', {}, LAST_MOMENT],
    ['at once without a contract', 'WAITING_SIGNATURE', NONE, SINCE],
    ['at once when its contract is over', 'WAITING_SIGNATURE', its({ status: 'EXPIRED' }), SINCE],
    ['at once when its contract may not be sent', 'WAITING_SIGNATURE', its({ sending: 'asked' }), SINCE],
    ['at once when it was sent elsewhere', 'WAITING_SIGNATURE', its({ signerEmail: 'a@b.example' }), SINCE],
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

/** The column says what the rule says. */
const due = (s: Story, expected: (app: TestApp, id: number) => string | null) =>
  s.does((app, id) => {
    const request = app.request(id);
    expect(request.dueAt).toBe(dueAtOf(app.ctx.db, request));
    expect(request.dueAt).toBe(expected(app, id));
  });
const since = (app: TestApp, id: number) => app.request(id).statusSince;
const lastMoment = (app: TestApp, id: number) => app.contract(id).expiredAt;
const never = () => null;

describe('the column follows', () => {
  test('a request through expiry, reset, cancellation and reopening', async () => {
    const s = due(story().sent(), lastMoment).waits(40 * DAY);
    due(
      s.by((ctx) => expireContracts(ctx, BY)),
      since,
    ).by(resetSignature);
    due(due(s, lastMoment).canceled(), never).reopened();
    await due(s, since).end();
  });

  test('the payment: its page, its money on its way, another page', async () => {
    const s = due(due(story().completed(), since).drained(), never).pending('older');
    due(s, ({ clock }) => iso(addDays(clock.now(), 14)));
    await due(s.givenUp().renewed().drained(), never).end();
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
    await due(story.on(app, id), since).end();
    await changeUser(app.ctx, office, owner.id, { lastName: 'Thor' });
    await due(story.on(app, id), never).end();

    const waiting = await app.waitingRequest();
    await changeUser(app.ctx, office, waiting.owner.id, { username: 'new@example.org' });
    await due(due(story.on(app, waiting.request.id), since).drained(), lastMoment).end();
  });
});
