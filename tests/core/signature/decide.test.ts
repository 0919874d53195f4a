/** The decision about a signature, for every combination of what it may look at (rules 2, 4). */
import { expect, test } from 'vitest';
import {
  decideSignature,
  type SignatureDecision,
  type SignatureFacts,
} from '../../../src/core/signature/decide.js';
import { ANSWERS } from '../../../src/core/signature/answers.js';
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

/** When it was signed, as far as anybody says so, and whether that is too late. */
function signing({ theirs, ours, heard, now }: SignatureFacts) {
  const at = (theirs.is === 'done' ? theirs.signedAt : null) ?? heard?.signedAt ?? null;
  const moment = ('lastMoment' in theirs ? theirs.lastMoment : null) ?? ours.lastMoment;
  const isOver = ours.status === 'EXPIRED' || isPast(now, moment);
  return { at, isOver, isLate: at === null ? isOver : isPast(at, moment) };
}

const PROMISES: Record<string, Promised> = {
  'the same decision a second time changes nothing': (facts, decision) =>
    decision.effects.length === 0 || decideSignature(afterwards(facts, decision)).effects.length === 0,

  'of a contract that is not asked about nothing changes but what the office is told': (facts, { effects }) =>
    isAsked(facts) || effects.every((effect) => effect.do === 'tell'),

  'silence of one that is asked about changes nothing': (facts, { effects }) =>
    !isAsked(facts) || facts.theirs.is !== 'silent' || effects.length === 0,

  'it never signs and ends at once, nor tells of what it signs or ends': (_, { effects }) =>
    effects.filter((effect) => ['sign', 'end', 'tell'].includes(effect.do)).length <= 1,

  'a contract that is over ends no second time': ({ ours }, decision) =>
    ours.status === 'PENDING' || !does(decision, 'end'),

  'only what is done there is signed: in time always, later only if a person accepts it, and it says so': (
    facts,
    { answer, effects },
  ) => {
    const sign = effects.find((effect) => effect.do === 'sign');
    if (facts.theirs.is !== 'done' || !isAsked(facts)) return !sign && answer !== 'signed';
    const { at, isLate } = signing(facts);
    if (isLate && facts.accepted === null) return answer === 'late' && !sign;
    return answer === 'signed' && sign?.isLate === isLate && sign.signedAt === at;
  },

  'somebody else’s document changes nothing but what the office is told': ({ theirs }, { effects }) =>
    theirs.is !== 'foreign' || effects.every((effect) => effect.do === 'tell'),

  'what our own work withdraws, that work records': ({ ours, theirs }, decision) =>
    !ours.isBusy ||
    (theirs.is !== 'deleted' && (theirs.is !== 'canceled' || ours.hasFailed)) ||
    !does(decision, 'end'),

  'what the provider says of an open or signed document that counts is known afterwards': (
    facts,
    decision,
  ) => {
    const { theirs, ours } = facts;
    if (!isAsked(facts) || (theirs.is !== 'ongoing' && theirs.is !== 'done')) return true;
    const { sending, hasSigner, lastMoment } = afterwards(facts, decision).ours;
    return sending === 'sent' && hasSigner && lastMoment === (theirs.lastMoment ?? ours.lastMoment);
  },

  'a second copy becomes the document only where a person accepts it, and is signed in the same unit': (
    { accepted },
    decision,
  ) =>
    !does(decision, 'take_second') ||
    (accepted === 'second' && decision.effects.at(-1)?.do === 'sign' && decision.answer === 'signed'),

  'a contract that counts and is closed at the provider ends here, for that reason': (
    facts,
    { answer, effects },
  ) => {
    const { theirs, ours } = facts;
    const endsAs = (reason: string) => effects.some((one) => one.do === 'end' && one.reason === reason);
    if (!isAsked(facts) || ours.status !== 'PENDING') return true;
    if (theirs.is === 'absent') return ours.sending !== 'sent' || endsAs('not_found');
    if (!isEnd(theirs.is)) return true;
    const reason = theirs.is === 'canceled' && ours.hasFailed ? 'signer_error' : theirs.is;
    const isOurDoing = ours.isBusy && (reason === 'canceled' || reason === 'deleted');
    return answer === reason && (isOurDoing || endsAs(reason));
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
    const { theirs, ours, heard } = facts;
    if (decision.answer === 'late') return afterwards(facts, decision).ours.told === 'late';
    if (!isAsked(facts) || heard === null || !['ongoing', 'other', 'draft'].includes(theirs.is)) return true;
    return !signing(facts).isOver || (theirs.is !== 'ongoing' && ours.sending !== 'sent');
  },

  'a signature of a contract that no longer counts is told once, unless who replaced it knew of it': (
    facts,
    decision,
  ) => {
    const { theirs, ours, heard, request } = facts;
    if (ours.status !== 'SIGNED' && ours.place === 'current' && request !== 'CANCELED') return true;
    const isSigned = ours.status !== 'SIGNED' && (theirs.is === 'done' || heard !== null);
    const wasDecided = ours.place === 'replaced' && ours.told === 'late';
    return does(decision, 'tell') === (isSigned && !wasDecided && ours.told !== 'elsewhere');
  },

  'when it was signed is told as the provider says it, or else the webhook; of what is open there, never': (
    facts,
    { effects },
  ) =>
    effects.every((effect) => {
      if (effect.do !== 'tell') return true;
      const isUnknown = effect.what === 'foreign' || (effect.what === 'late' && facts.theirs.is !== 'done');
      return effect.signedAt === (isUnknown ? null : signing(facts).at);
    }),

  'an open document is called open, and over where it is over here': (facts, { answer }) =>
    !isAsked(facts) ||
    facts.theirs.is !== 'ongoing' ||
    facts.heard !== null ||
    answer === (signing(facts).isOver ? 'ongoing_but_closed' : 'ongoing'),

  'a contract that is not asked about is a repeat only if it is signed, or its request further': (
    facts,
    { answer },
  ) => {
    const isDone = facts.ours.status === 'SIGNED' || facts.request === 'after';
    return isAsked(facts)
      ? answer !== 'repeat' && answer !== 'not_waiting'
      : answer === (isDone ? 'repeat' : 'not_waiting');
  },

  'what has never been sent and is not there is not sent, and does not end': (facts, { answer, effects }) =>
    !isAsked(facts) ||
    facts.ours.sending === 'sent' ||
    !['absent', 'foreign', 'draft'].includes(facts.theirs.is) ||
    (answer === 'not_sent' && effects.length === 0),
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
  expect([...answers].sort()).toEqual(Object.keys(ANSWERS).sort());
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
