/** The decision about a signature, for every combination of what it may look at (rules 2, 4). */
import { expect, test } from 'vitest';
import {
  decideSignature,
  type SignatureDecision,
  type SignatureFacts,
} from '../../../src/core/signature/decide.js';
import { CONTRACT_STATUSES, PROVIDER_ENDS, type UnsignedEnd } from '../../../src/core/lifecycle.js';
import { isSendingUnfinished, standingOf } from '../../../src/core/signature/standing.js';
import { everyNth } from '../../support/breadth.js';
import { afterwards, combinations } from '../../../ops/documents/signature-facts.js';

type Promised = (facts: SignatureFacts, decision: SignatureDecision) => boolean;

const does = ({ effects }: SignatureDecision, ...what: string[]) =>
  effects.some((effect) => what.includes(effect.do));

const isPast = (time: string, moment: string | null) => moment !== null && time > moment;

/** The provider’s answer matters: a contract that counts is not signed, and its request waits for it, or a start may have got through. */
const isAsked = ({ request, ours }: SignatureFacts) =>
  ours.status !== 'SIGNED' &&
  ours.place === 'current' &&
  (request === 'WAITING_SIGNATURE' ||
    (request === 'before' && ours.status === 'PENDING' && ours.sending !== 'sent'));

const isEnd = (is: string): is is UnsignedEnd =>
  is === 'signer_error' || PROVIDER_ENDS.some((end) => end === is);

const PROMISES: Record<string, Promised> = {
  'the same decision a second time changes nothing': (facts, decision) =>
    decision.effects.length === 0 || decideSignature(afterwards(facts, decision)).effects.length === 0,

  'silence changes nothing, unless a webhook tells of a signature that no longer counts': (
    { theirs, heard },
    { effects },
  ) =>
    theirs.is !== 'silent' ||
    effects.length === 0 ||
    (heard !== null && effects.every((effect) => effect.do === 'tell' && effect.what === 'elsewhere')),

  'it signs only what the provider calls done': ({ theirs }, decision) =>
    !does(decision, 'sign') || theirs.is === 'done',

  'it signs only the contract that counts, and only while the request waits for it': (
    { ours, request },
    decision,
  ) =>
    !does(decision, 'sign') ||
    (ours.place === 'current' && (request === 'WAITING_SIGNATURE' || does(decision, 'record_sent'))),

  'it never signs and ends at once, nor tells of what it signs or ends': (_, { effects }) =>
    effects.filter((effect) => ['sign', 'end', 'tell'].includes(effect.do)).length <= 1,

  'a signed contract stays as it is': ({ ours }, { effects }) =>
    ours.status !== 'SIGNED' || effects.length === 0,

  'a contract that is over ends no second time': ({ ours }, decision) =>
    ours.status === 'PENDING' || !does(decision, 'end'),

  'what is signed after the last moment counts only if a person accepts it; what is signed before, always': (
    { theirs, ours, heard, now, accepted },
    { answer },
  ) => {
    if (theirs.is !== 'done' || !['signed', 'late'].includes(answer)) return true;
    const at = theirs.signedAt ?? heard?.signedAt ?? null;
    const moment = theirs.lastMoment ?? ours.lastMoment;
    const isLate = at === null ? ours.status === 'EXPIRED' || isPast(now, moment) : isPast(at, moment);
    return answer === (isLate && accepted === null ? 'late' : 'signed');
  },

  'a signature in time of the contract that counts is never passed over': (
    { theirs, ours, request },
    { answer },
  ) =>
    theirs.is !== 'done' ||
    ours.place !== 'current' ||
    ours.status !== 'PENDING' ||
    request !== 'WAITING_SIGNATURE' ||
    answer === 'signed' ||
    answer === 'late',

  'a signature that does not count is told': ({ theirs, ours }, decision) =>
    theirs.is !== 'done' ||
    ours.place !== 'canceled' ||
    ours.status === 'SIGNED' ||
    ours.told === 'elsewhere' ||
    does(decision, 'tell'),

  'somebody else’s document changes nothing but what the office is told': ({ theirs }, { effects }) =>
    theirs.is !== 'foreign' || effects.every((effect) => effect.do === 'tell'),

  'what was never sent does not end because it is not there': ({ theirs, ours }, decision) =>
    theirs.is !== 'absent' || ours.sending === 'sent' || !does(decision, 'end'),

  'what our own work withdraws, that work records': ({ ours, theirs }, decision) =>
    !ours.isBusy ||
    (theirs.is !== 'deleted' && (theirs.is !== 'canceled' || ours.hasFailed)) ||
    !does(decision, 'end'),

  'the word of a webhook signs nothing': (facts, decision) =>
    facts.heard === null ||
    facts.theirs.is === 'done' ||
    does(decision, 'sign') === does(decideSignature({ ...facts, heard: null }), 'sign'),

  'what the provider says of an open or signed document that counts is known afterwards': (
    facts,
    decision,
  ) => {
    const { theirs, ours } = facts;
    if (theirs.is !== 'ongoing' && theirs.is !== 'done') return true;
    if (['repeat', 'not_waiting'].includes(decision.answer)) return true;
    const { sending, hasSigner, lastMoment } = afterwards(facts, decision).ours;
    return sending === 'sent' && hasSigner && lastMoment === (theirs.lastMoment ?? ours.lastMoment);
  },

  'what the provider cancels after an error at signing ended for that error': ({ theirs, ours }, decision) =>
    theirs.is !== 'canceled' ||
    !ours.hasFailed ||
    !does(decision, 'end') ||
    decision.answer === 'signer_error',

  'who has replaced a contract that was signed too late is not told of it again': ({ ours }, decision) =>
    ours.place !== 'replaced' || ours.told !== 'late' || !does(decision, 'tell'),

  'a second copy becomes the document only where a person accepts it, and is signed in the same unit': (
    { accepted },
    decision,
  ) =>
    !does(decision, 'take_second') ||
    (accepted === 'second' && decision.effects.at(-1)?.do === 'sign' && decision.answer === 'signed'),

  'a contract that counts and is closed at the provider ends here, for that reason': (facts, { effects }) => {
    const { theirs, ours } = facts;
    if (!isAsked(facts) || ours.status !== 'PENDING') return true;
    if (theirs.is === 'absent')
      return ours.sending !== 'sent' || effects.some((one) => one.do === 'end' && one.reason === 'not_found');
    if (!isEnd(theirs.is)) return true;
    const reason = theirs.is === 'canceled' && ours.hasFailed ? 'signer_error' : theirs.is;
    const isOurDoing = ours.isBusy && (reason === 'canceled' || reason === 'deleted');
    return isOurDoing || effects.some((one) => one.do === 'end' && one.reason === reason);
  },

  'to whom it was sent is known once the provider has said what became of it': (facts, decision) =>
    !isAsked(facts) || !isEnd(facts.theirs.is) || afterwards(facts, decision).ours.hasSigner,

  'somebody else’s document under the name of a contract that was sent is told': (facts, decision) =>
    !isAsked(facts) ||
    facts.theirs.is !== 'foreign' ||
    facts.ours.sending !== 'sent' ||
    afterwards(facts, decision).ours.told === 'foreign',

  'a signature that is too late is told, and so is the word of a webhook about a contract that is over': (
    facts,
    decision,
  ) => {
    const { theirs, ours, heard, now } = facts;
    const isTold = afterwards(facts, decision).ours.told === 'late';
    if (decision.answer === 'late') return isTold;
    if (!isAsked(facts) || heard === null || !['ongoing', 'other', 'draft'].includes(theirs.is)) return true;
    const moment = (theirs.is === 'ongoing' ? theirs.lastMoment : null) ?? ours.lastMoment;
    const isOver = ours.status === 'EXPIRED' || isPast(now, moment);
    return !isOver || (theirs.is !== 'ongoing' && ours.sending !== 'sent');
  },

  'a signature of a contract that no longer counts is told, whoever tells of it': (facts, decision) => {
    const { theirs, ours, heard, request } = facts;
    if (ours.status === 'SIGNED' || (ours.place === 'current' && request !== 'CANCELED')) return true;
    const isSigned = theirs.is === 'done' || heard !== null;
    const wasDecided = ours.place === 'replaced' && ours.told === 'late';
    return does(decision, 'tell') === (isSigned && !wasDecided && ours.told !== 'elsewhere');
  },

  'when it was signed is what the provider says, or else the webhook': ({ theirs, heard }, { effects }) =>
    effects.every((effect) => {
      if (effect.do !== 'sign' && effect.do !== 'tell') return true;
      if (effect.do === 'tell' && effect.what === 'foreign') return effect.signedAt === null;
      if (effect.do === 'tell' && effect.what === 'late' && theirs.is !== 'done')
        return effect.signedAt === null;
      const there = theirs.is === 'done' ? theirs.signedAt : null;
      return effect.signedAt === (there ?? heard?.signedAt ?? null);
    }),

  'what is signed says whether it is late': ({ theirs, ours, heard, now }, { effects }) =>
    effects.every((effect) => {
      if (effect.do !== 'sign' || theirs.is !== 'done') return true;
      const at = theirs.signedAt ?? heard?.signedAt ?? null;
      const moment = theirs.lastMoment ?? ours.lastMoment;
      return (
        effect.isLate ===
        (at === null ? ours.status === 'EXPIRED' || isPast(now, moment) : isPast(at, moment))
      );
    }),

  'an open document is called open, and over where it is over here': (facts, { answer }) => {
    const { theirs, ours, heard, now } = facts;
    if (!isAsked(facts) || theirs.is !== 'ongoing' || heard !== null) return true;
    const isOver = ours.status === 'EXPIRED' || isPast(now, theirs.lastMoment ?? ours.lastMoment);
    return answer === (isOver ? 'ongoing_but_closed' : 'ongoing');
  },

  'a contract that is not asked about is a repeat only if it is signed, or its request further': (
    facts,
    { answer },
  ) => {
    const isDone = facts.ours.status === 'SIGNED' || facts.request === 'after';
    return isAsked(facts)
      ? answer !== 'repeat' && answer !== 'not_waiting'
      : answer === (isDone ? 'repeat' : 'not_waiting');
  },

  'what has never been sent and is not there is not sent': (facts, { answer }) =>
    !isAsked(facts) ||
    facts.ours.sending === 'sent' ||
    !['absent', 'foreign', 'draft'].includes(facts.theirs.is) ||
    answer === 'not_sent',

  'nobody who is not asked to accept it decides about a late signature': (facts, decision) =>
    facts.accepted !== null || !decision.effects.some((effect) => effect.do === 'sign' && effect.isLate),
};

/** Has no common divisor with the number of values of any fact, so each meets each of the others. */
const SAMPLE = 11;

/** Of the combinations up to the first that breaks a promise. */
function enumerate() {
  const promises = Object.entries(PROMISES);
  const answers = new Set<string>();
  let count = 0;
  for (const facts of everyNth(combinations(), SAMPLE)) {
    const decision = decideSignature(facts);
    count += 1;
    answers.add(decision.answer);
    const broken = promises.filter(([, isKept]) => !isKept(facts, decision)).map(([promise]) => promise);
    if (broken.length > 0) return { count, answers, first: { broken, facts, decision } };
  }
  return { count, answers };
}

test('it keeps every promise whatever the facts are, and each answer is given to some', () => {
  const { count, answers, first } = enumerate();
  expect(first).toBeUndefined();
  expect(count).toBeGreaterThan(1_000_000 / SAMPLE);
  expect([...answers].sort()).toEqual([
    'canceled',
    'declined',
    'deleted',
    'expired',
    'foreign',
    'late',
    'not_found',
    'not_sent',
    'not_waiting',
    'ongoing',
    'ongoing_but_closed',
    'other',
    'rejected',
    'repeat',
    'signed',
    'signer_error',
    'unavailable',
    'unconfirmed',
  ]);
});

const REQUEST = {
  before: 'new',
  WAITING_SIGNATURE: 'WAITING_SIGNATURE',
  after: 'WAITING_PAYMENT',
  CANCELED: 'CANCELED',
} as const;

/** Of the contract that counts, as long as nobody has signed it. */
function standing({ request, ours, now }: SignatureFacts) {
  const { status, sending, told, lastMoment: expiredAt, hasFailed } = ours;
  if (status === 'SIGNED' || ours.place !== 'current') return undefined;
  const failedSigningAt = hasFailed ? now : null;
  return standingOf({ status: REQUEST[request] }, { status, sending, told, expiredAt, failedSigningAt }, now);
}

test('how it stands by our rows agrees with what the decision asks about, and with what it answers', () => {
  const OVER = ['not_due', 'none', 'ended'];
  const wrong = new Set<string>();
  for (const facts of everyNth(combinations(), SAMPLE)) {
    const stands = standing(facts);
    if (stands === undefined) continue;
    const { answer } = decideSignature(facts);
    const isAsked = answer !== 'not_waiting' && answer !== 'repeat';
    // What has ended may have been signed before.
    const isRight = facts.request === 'WAITING_SIGNATURE' ? isAsked : isAsked === !OVER.includes(stands);
    if (!isRight) wrong.add(`${facts.request} ${stands} ${answer}`);
    const after = standing(afterwards(facts, decideSignature(facts)));
    if (answer === 'late' && after !== 'late') wrong.add(`late, and stands as ${after}`);
    if (answer === 'foreign' && after !== 'foreign') wrong.add(`foreign, and stands as ${after}`);
  }
  expect([...wrong]).toEqual([]);
});

test('the last second to sign is still in time, for what is decided and for what is shown', () => {
  const lastMoment = '2026-04-01T23:59:59.000Z';
  const stands = (now: string) =>
    standingOf(
      { status: 'WAITING_SIGNATURE' },
      { status: 'PENDING', sending: 'sent', told: null, expiredAt: lastMoment, failedSigningAt: null },
      now,
    );
  expect(stands('2026-04-01T23:59:59.999Z')).toBe('open');
  expect(stands('2026-04-02T00:00:00.000Z')).toBe('past');
});

test('a sending is unfinished while the contract is open and not yet known to be sent', () => {
  const unfinished = CONTRACT_STATUSES.flatMap((status) =>
    (['unsent', 'asked', 'sent'] as const)
      .filter((sending) => isSendingUnfinished({ status, sending }))
      .map((sending) => `${status} ${sending}`),
  );
  expect(unfinished).toEqual(['PENDING unsent', 'PENDING asked']);
});
