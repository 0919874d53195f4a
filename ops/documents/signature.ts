/** The tables of docs/rules.md about signatures: what the decision answers over all combinations of facts, and how it stands. */
import { ANSWERS } from '../../src/core/signature/answers.js';
import { told } from '../../src/core/signature/check-signature.js';
import {
  decideSignature,
  type SignatureAnswer,
  type SignatureFacts,
} from '../../src/core/signature/decide.js';
import type { SignatureStanding, StandingContract } from '../../src/core/signature/standing.js';
import { isBeforeSending } from '../../src/core/lifecycle.js';
import { keysOf } from '../../src/core/pick.js';
import type { RequestRow, RequestStatus } from '../../src/db/schema.js';
import { combinations } from './signature-facts.js';
import { conditionalTable, table, words, type Conditional } from './table.js';

/** closed: closed at the provider in one of four ways. */
type Row = Exclude<SignatureAnswer, Closed> | 'given_up' | 'closed';
type Closed = (typeof CLOSED)[number];

const CLOSED = ['declined', 'rejected', 'canceled', 'deleted'] as const satisfies SignatureAnswer[];

/** What each row is about, in the order of the rules. */
const ABOUT: Readonly<Record<Row, string>> = {
  given_up: 'the contract is not signed, and was replaced, or its request canceled',
  repeat: 'the contract is signed, or its request waits for nothing but the payment',
  not_waiting: 'the request does not wait for a signature, and no start is unfinished',
  unavailable: 'the provider cannot be asked: the message says why',
  not_sent: 'a start or reset is unfinished, and the provider has nothing or a draft',
  foreign: 'the document is not the contract’s',
  not_found: 'the provider does not know the document',
  signed: 'done in time, or a person accepts it',
  late: 'done after the last moment, or without a time when the contract is over',
  unconfirmed: 'a webhook says signed, and the provider not yet',
  ongoing: 'ongoing',
  ongoing_but_closed: 'ongoing, and the contract is over here',
  other: 'a draft of a contract that was sent, or a word that is unknown here',
  expired: 'expired',
  closed: 'declined, rejected; canceled or deleted, not by our own work',
  signer_error: 'canceled after an error at signing',
};

const EFFECTS = {
  sign: 'signed',
  end: 'ended',
  tell: 'the office is told',
  record_sent: 'sent',
  believe_last_moment: 'last moment',
  remember_signer: 'signer',
  take_second: 'document',
} as const;

const WAITING = { status: 'WAITING_SIGNATURE' } as RequestRow;

function rowOf({ ours, request }: SignatureFacts, answer: SignatureAnswer): Row {
  if (ours.status !== 'SIGNED' && (ours.place !== 'current' || request === 'CANCELED')) return 'given_up';
  return isClosed(answer) ? 'closed' : answer;
}

const isClosed = (answer: SignatureAnswer): answer is Closed => CLOSED.some((each) => each === answer);

/** As the check names it, where nothing was heard. */
function keyOf(answer: SignatureAnswer): string {
  const found = { contract: undefined, decision: { answer, effects: [] }, isPayable: true };
  return told({ ...found, seen: { theirs: { is: 'silent' } } }, WAITING).key;
}

/** What is stored as outcome of the events. */
function outcomeOf(answer: SignatureAnswer): string {
  const { completion = 'asked again' } = ANSWERS[answer];
  return completion === 'ended' ? answer : completion;
}

export function decisionTable(): string {
  const found = new Map<Row, { answers: Set<SignatureAnswer>; effects: Set<keyof typeof EFFECTS> }>();
  for (const facts of combinations()) {
    const { answer, effects } = decideSignature(facts);
    const row = rowOf(facts, answer);
    const cell = found.get(row) ?? { answers: new Set(), effects: new Set() };
    cell.answers.add(answer);
    for (const effect of effects) cell.effects.add(effect.do);
    found.set(row, cell);
  }
  const rows = keysOf(ABOUT).map((row) => {
    const { answers, effects } = found.get(row) ?? { answers: new Set(), effects: new Set() };
    const changes = Object.entries(EFFECTS).flatMap(([name, word]) =>
      effects.has(name as keyof typeof EFFECTS) ? [word] : [],
    );
    const all = [...answers].sort();
    const keys =
      row === 'unconfirmed' ? '–' : words(row === 'unavailable' ? ['provider_unavailable'] : all.map(keyOf));
    const outcomes = all.map(outcomeOf);
    const becomes = outcomes.includes('asked again') ? outcomes.join() : words(outcomes);
    return [ABOUT[row], changes.join(', ') || '–', keys, becomes];
  });
  return table(
    ['Provider and contract', 'What may be stored', 'The check answers', 'The webhook becomes'],
    rows,
  );
}

export interface Stands {
  status: RequestStatus;
  contract: StandingContract | undefined;
  now: string;
}

const isSending = ({ contract }: Stands, sending: string) =>
  contract?.status === 'PENDING' && contract.sending === sending;
const isTold = ({ status, contract }: Stands, what: string) =>
  !isBeforeSending({ status }) && contract?.told === what;

/** How the signature of a request stands by our rows. */
export const SIGNATURE_STANDINGS: readonly Conditional<SignatureStanding, Stands>[] = [
  {
    is: 'not_due',
    when: 'the request waits for nothing, or for its payment',
    applies: ({ status }) => !isBeforeSending({ status }) && status !== 'WAITING_SIGNATURE',
    follows: 'Whatever is signed now is a case.',
  },
  {
    is: 'none',
    when: 'it has no contract',
    applies: ({ contract }) => contract === undefined,
    follows: 'A start makes one.',
  },
  {
    is: 'unsent',
    when: 'its contract was not sent',
    applies: (facts) => isSending(facts, 'unsent'),
    follows: 'The next start or reset goes on. The customer has nothing.',
  },
  {
    is: 'asked',
    when: 'the provider was asked to send it, and its answer was lost',
    applies: (facts) => isSending(facts, 'asked'),
    follows: 'The same; but the customer may have it, so its webhook counts and checks ask about it.',
  },
  {
    is: 'foreign',
    when: 'somebody else’s document bears its name',
    applies: (facts) => isTold(facts, 'foreign'),
    follows: 'Reset.',
  },
  {
    is: 'late',
    when: 'it was signed too late',
    applies: (facts) => isTold(facts, 'late'),
    follows: 'A person accepts it (`contracts accept-late`), or resets.',
  },
  {
    is: 'ended',
    when: 'its contract is over',
    applies: ({ status, contract }) => isBeforeSending({ status }) || contract?.status !== 'PENDING',
    follows: 'A start or reset makes the next one.',
  },
  {
    is: 'past',
    when: 'its last moment to sign has passed',
    // To the second.
    applies: ({ contract, now }) =>
      contract?.expiredAt != null && contract.expiredAt.slice(0, 19) < now.slice(0, 19),
    follows: 'The daily expiry ends it, unless it was signed in time.',
  },
  {
    is: 'failed',
    when: 'the provider has reported an error at signing',
    applies: ({ contract }) => contract?.failedSigningAt != null,
    follows: 'The provider cancels it; reset.',
  },
  { is: 'open', when: 'otherwise', applies: () => true, follows: 'The customer can sign, and be reminded.' },
];

export function signatureStandingTable(): string {
  return conditionalTable(['It stands as', 'When (the first that applies)', 'Then'], SIGNATURE_STANDINGS);
}
