/** The decision about a request's payment keeps its promises in every combination of facts. */
import { describe, expect, test } from 'vitest';
import {
  decidePayment,
  newestPage,
  standingOf,
  type PaymentDecision,
  STATES,
  type PaymentFacts,
  type SessionFacts,
} from '../../../src/core/payment/decide.js';
import { everyNth } from '../../support/breadth.js';
import { after, around, atRest, combinations, SESSIONS } from '../../support/payment-combinations.js';

/** The first facts that break a promise, and which they break. */
function firstBroken(all: Iterable<PaymentFacts>): { facts: PaymentFacts; broken: string[] } | undefined {
  for (const facts of all) {
    const broken = brokenIn(facts);
    if (broken.length > 0) return { facts, broken };
  }
  return undefined;
}

const isMoney = ({ ours }: Pick<SessionFacts, 'ours'>) =>
  ours === 'paid' || ours === 'case' || ours === 'settled';
const counted = ({ sessions }: PaymentFacts) => sessions.filter(({ ours }) => ours === 'paid').length;

/** Paid, and nobody has decided about it. */
function isDue({ ours, theirs, isOfCurrentContract, hasPrice }: SessionFacts): boolean {
  const isPaid = ours === 'case' || (theirs === 'paid' && ours !== 'paid' && ours !== 'settled');
  return isPaid && isOfCurrentContract && hasPrice;
}

/** Unknown here, and there it is not known, or not paid and of another price. */
function isNone({ paymentId, ours, theirs, hasPrice }: SessionFacts, id: string): boolean {
  const isNothing = theirs === 'absent' || theirs === 'silent' || (!hasPrice && theirs !== 'paid');
  return paymentId === id && ours === null && isNothing;
}

function brokenIn(facts: PaymentFacts): string[] {
  const rest = atRest(facts);
  if (!rest) return ['it comes to rest'];
  const { sessions } = rest.facts;
  const known = sessions.filter(({ ours }) => ours !== null);
  const pages = known.filter(({ theirs }) => theirs === 'open');
  const { standing } = rest.decision;
  const promises = {
    'at most one page can be paid': facts.isHeld || pages.length <= 1,
    'no page can be paid while money is on its way, or a case is open':
      facts.isHeld || standing === 'payable' || pages.length === 0,
    'nobody can pay when nobody shall': facts.isHeld || facts.wants !== 'none' || pages.length === 0,
    'no money goes unnoticed': sessions.every((one) => one.theirs !== 'paid' || isMoney(one)),
    'money counts once': counted(rest.facts) - counted(facts) <= 1,
    'money counts only for a request that waits for it':
      facts.status === 'WAITING_PAYMENT' || counted(rest.facts) === counted(facts),
    'what a person has decided stays': facts.sessions.every(
      ({ ours }, n) => !(ours === 'paid' || ours === 'settled') || sessions[n]?.ours === ours,
    ),
    'a state only moves to the right': facts.sessions.every(({ ours }, n) => {
      const now = sessions[n]?.ours;
      return ours === null || (now != null && STATES.indexOf(now) >= STATES.indexOf(ours));
    }),
    'silence changes no state':
      facts.sessions.some(({ theirs, ours }) => theirs !== 'silent' || ours === 'case') ||
      sessions.every(
        (one, n) =>
          one.paymentId === 'new' || one.theirs !== 'silent' || one.ours === facts.sessions[n]?.ours,
      ),
    'a page that can be paid is shown':
      standing !== 'payable' || facts.wants === 'none' || rest.facts.shown?.isPage === true,
    'where nobody shall pay, no page is shown anew, and the one that is shown stays until it is closed':
      facts.wants !== 'none' || showsNoOther(facts, rest.first),
    'the newest of several pages stays': isNewestKept(facts, rest.first),
    'a page that is wanted is there':
      facts.isHeld || facts.wants !== 'page' || facts.status !== 'WAITING_PAYMENT' || standing !== 'no_page',
    'only money of the price of the current contract completes':
      rest.facts.status === facts.status ||
      sessions.some((one) => one.ours === 'paid' && one.isOfCurrentContract && one.hasPrice),
    'money of the price of the current contract completes a request that waits for it':
      facts.status !== 'WAITING_PAYMENT' || !facts.sessions.some(isDue) || rest.facts.status === 'COMPLETE',
    'what completes a request shows no page and makes none':
      rest.first.effects.every(({ do: what }) => what !== 'complete') ||
      (rest.first.standing === 'paid' &&
        rest.first.effects.every(({ do: what }) => what !== 'show' && what !== 'make')),
    'a session of no interest is left alone': rest.first.effects.every(
      (each) => !('paymentId' in each) || !facts.sessions.some((one) => isNone(one, each.paymentId)),
    ),
    'money on its way is named, without a page':
      standing !== 'on_its_way' ||
      (rest.facts.shown?.isPage === false &&
        known.some(
          (one) =>
            one.ours === 'pending' &&
            one.isOfCurrentContract &&
            one.paymentId === rest.facts.shown?.paymentId,
        )),
    'a held installation changes nothing at the provider':
      !facts.isHeld || rest.first.effects.every((each) => each.do !== 'close' && each.do !== 'make'),
    'how it stands is what the rows say': standing === standingOfRows(rest.facts),
  };
  return (Object.keys(promises) as (keyof typeof promises)[]).filter((promise) => !promises[promise]);
}

function showsNoOther({ shown, ...facts }: PaymentFacts, first: PaymentDecision): boolean {
  const shows = first.effects.find((each) => each.do === 'show');
  if (shows?.do !== 'show') return true;
  const isStill =
    shown?.isPage === true && newestIn({ shown, ...facts }, first)?.paymentId === shown.paymentId;
  return shows.shown?.isPage !== true && !(first.standing === 'payable' && isStill);
}

/** All are open for the same time, so it ends last; one of which no end is known is the oldest. */
function newestIn(facts: PaymentFacts, { effects, ...first }: PaymentDecision): SessionFacts | undefined {
  const { sessions } = after(facts, { ...first, effects: effects.filter((each) => each.do === 'keep') });
  const pages = sessions.filter(({ ours, isOfCurrentContract }) => ours === 'open' && isOfCurrentContract);
  return pages.toSorted((one, other) => Number(other.expiresAt) - Number(one.expiresAt))[0];
}

function isNewestKept(facts: PaymentFacts, first: PaymentDecision): boolean {
  if (first.standing !== 'payable' || facts.wants === 'none') return true;
  const newest = newestIn(facts, first)?.paymentId;
  return (
    after(facts, first).shown?.paymentId === newest &&
    first.effects.every((each) => each.do !== 'close' || each.paymentId !== newest)
  );
}

function standingOfRows({ status, sessions }: PaymentFacts) {
  return standingOf(
    status,
    sessions.flatMap(({ ours, ...one }) => (ours === null ? [] : { ...one, state: ours })),
  );
}

describe('the decision about a payment', () => {
  test('keeps every promise, whatever is known of up to two sessions', () => {
    expect(firstBroken(everyNth(combinations(), 7))).toBeUndefined();
  });

  test('keeps every promise for three sessions, by a sample of them', () => {
    // Steps that have no common divisor with the number of sessions reach every one of them.
    const at = (n: number) => SESSIONS[n % SESSIONS.length] as (typeof SESSIONS)[number];
    const some = function* () {
      for (let n = 0; n < 5_000; n += 1) yield* around(at(n), at(n * 31 + 7), at(n * 97 + 13));
    };
    expect(firstBroken(everyNth(some(), 7))).toBeUndefined();
  });

  test('before a contract is sent, or after a cancellation, nothing is due, as before it is signed, whatever is shown', () => {
    const before = SESSIONS.flatMap((one) => [...around(one)]).filter(
      ({ status }) => status === 'WAITING_SIGNATURE',
    );
    for (const facts of before)
      for (const status of ['new', 'in_progress', 'CANCELED', 'WAITING_SIGNATURE'] as const)
        for (const shown of [null, { paymentId: 'p0', isPage: true }])
          expect(decidePayment({ ...facts, status, shown })).toEqual(decidePayment(facts));
  });

  test('the same facts again change nothing more, once the provider has done its part', () => {
    for (const one of SESSIONS)
      for (const facts of around(one)) {
        const rest = atRest(facts);
        expect(rest && after(rest.facts, rest.decision)).toEqual(rest?.facts);
      }
  });
});

test.each([
  ['1', '2', null],
  ['2', null, '1'],
  [null, '1', '2'],
  ['2', '1', null],
])('of the pages that end at %s, %s and %s the one that ends last is the newest', (...ends) => {
  const pages = ends.map((expiresAt) => ({ state: 'open', isOfCurrentContract: true, expiresAt }) as const);
  const others = [
    { state: 'over', isOfCurrentContract: true, expiresAt: '3' },
    { state: 'open', isOfCurrentContract: false, expiresAt: '3' },
  ] as const;
  expect(newestPage([...pages, ...others])?.expiresAt).toBe('2');
  expect(newestPage(others)).toBeUndefined();
});
