/** The rule by which `todo` finds undecided payments is written in SQL, the one by which `explain` does in code: they must agree. */
import { expect, test } from 'vitest';
import { PAYMENT_CASES, undecidedPayments } from '../../src/core/payment/payment-case.js';
import { listHistory } from '../../src/db/history/history.js';
import { listUndecidedPayments } from '../../src/db/history/search.js';
import { startApp } from '../support/app.js';

const HISTORIES = 2_000;
const LENGTH_MAX = 9;
const PAYMENTS = ['cs_1', 'cs_2', 'cs_3'];

type Entry = [what: string, actor: string, detail: object];

const ENTRIES: Entry[] = [
  ...PAYMENTS.flatMap((paymentId) => PAYMENT_CASES.map((what): Entry => [what, 'webhook', { paymentId }])),
  ['payment.renewed', 'customer', {}],
  ['payment.renewed', 'cli:root', { reason: 'refunded' }],
  ['request.settled', 'cli:root', { reason: 'called', payments: [], signature: true }],
  ['request.moved', 'cli:root', { from: 'WAITING_PAYMENT', to: 'CANCELED', reason: 'moved' }],
  ['request.moved', 'cli:root', { from: 'CANCELED', to: 'new', reason: 'moved' }],
];
/** By a payment. Nothing moves the request any more. */
const PAID = PAYMENTS.map((paymentId): Entry[] => [
  ['payment.received', 'webhook', { paymentId }],
  ['request.moved', 'webhook', { to: 'COMPLETE' }],
]);

interface Version {
  decisions: Entry[];
  endings: Entry[][];
}

const NAMING: Version = {
  decisions: PAYMENTS.map((one): Entry => [
    'request.settled',
    'cli:root',
    { reason: 'refunded', payments: [one], signature: false },
  ]),
  endings: [
    ...PAID,
    ...PAYMENTS.map((one): Entry[] => [
      ['request.moved', 'cli:root', { to: 'COMPLETE', reason: 'in cash', payments: [one] }],
    ]),
  ],
};
/** Before decisions named their payments; by hand also for a customer who was erased. */
const BEFORE: Version = {
  decisions: [['request.settled', 'cli:root', { reason: 'refunded' }]],
  endings: [
    ...PAID,
    [['request.moved', 'cli:root', { to: 'COMPLETE', reason: 'paid in cash' }]],
    [['request.moved', 'cli:root', { to: 'COMPLETE', reason: '' }]],
  ],
};

test('of 2,000 random histories, the queries name exactly those with an undecided payment', async () => {
  const app = await startApp();
  const { request, contract } = await app.waitingRequest();
  const { db } = app.ctx;
  const insert = db.raw.prepare(
    "INSERT INTO history (at, requestId, contractId, what, actor, detail) VALUES ('2026-03-02T10:00:00.000Z', ?, ?, ?, ?, ?)",
  );
  const pick = randomly(7);
  const found = new Set<boolean>();
  for (let n = 0; n < HISTORIES; n += 1) {
    db.raw.exec('DELETE FROM history');
    const story = aHistory(pick);
    for (const [what, actor, detail] of story)
      insert.run(request.id, contract.id, what, actor, JSON.stringify(detail));
    const isUndecided = undecidedPayments(listHistory(db, { requestId: request.id })).length > 0;
    const isListed = PAYMENT_CASES.some((what) => listUndecidedPayments(db, { what, limit: 1 }).length > 0);
    expect({ story, isListed }).toEqual({ story, isListed: isUndecided });
    found.add(isUndecided);
  }
  expect(found.size).toBe(2);
});

type Pick = <T>(all: readonly T[]) => T;

function aHistory(pick: Pick): Entry[] {
  const { decisions, endings } = pick([NAMING, BEFORE]);
  const all = [...ENTRIES, ...decisions];
  const entries = (some: readonly Entry[], most: number) =>
    Array.from({ length: pick([...Array(most + 1).keys()]) }, () => pick(some));
  const story = entries(all, LENGTH_MAX);
  if (pick([true, false])) return story;
  const later = all.filter(([what]) => what !== 'request.moved');
  return [...story, ...pick(endings), ...entries(later, 3)];
}

function randomly(seed: number): Pick {
  let state = seed;
  return (all) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return all[Math.floor(state / 65_536) % all.length] as (typeof all)[number];
  };
}
