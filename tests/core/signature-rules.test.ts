/** The table of section 4 of docs/rules.md is what the decision answers over all combinations of facts. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { told } from '../../src/core/signature/check-signature.js';
import { completionOf } from '../../src/core/signature/completion-job.js';
import { decideSignature, type SignatureAnswer } from '../../src/core/signature/decide.js';
import type { SignatureFacts } from '../../src/core/signature/facts.js';
import type { RequestRow } from '../../src/db/schema.js';
import { combinations } from '../support/signature-facts.js';

type Row = SignatureAnswer | 'given_up';

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
  declined: 'declined',
  canceled: 'canceled, not by our own work',
  rejected: 'rejected',
  deleted: 'deleted, not by our own work',
  signer_error: 'canceled after an error at signing',
};

const EFFECTS = {
  sign: 'it is signed',
  end: 'it ends',
  tell: 'the office is told',
  record_sent: 'it counts as sent',
  believe_last_moment: 'its last moment',
  remember_signer: 'its address',
  take_second: 'its document',
} as const;

const WAITING = { status: 'WAITING_SIGNATURE' } as RequestRow;

const rowOf = ({ ours, request }: SignatureFacts, answer: SignatureAnswer): Row =>
  ours.status !== 'SIGNED' && (ours.place !== 'current' || request === 'CANCELED') ? 'given_up' : answer;

/** As the check names it, where nothing was heard. */
function keyOf(answer: SignatureAnswer): string {
  const found = { contract: undefined, decision: { answer, effects: [] }, isPayable: true };
  return told({ ...found, seen: { theirs: { is: 'silent' } } }, WAITING).key;
}

/** What is stored as outcome of the events. */
function outcomeOf(answer: SignatureAnswer): string {
  const completion = completionOf(answer);
  return completion === 'ended' ? answer : completion;
}

test('the table of section 4 in docs/rules.md is that of the decision', () => {
  const found = new Map<Row, { answers: Set<SignatureAnswer>; effects: Set<keyof typeof EFFECTS> }>();
  for (const facts of combinations()) {
    const { answer, effects } = decideSignature(facts);
    const row = rowOf(facts, answer);
    const cell = found.get(row) ?? { answers: new Set(), effects: new Set() };
    cell.answers.add(answer);
    for (const effect of effects) cell.effects.add(effect.do);
    found.set(row, cell);
  }
  const words = (all: readonly string[]) => [...new Set(all)].map((word) => `\`${word}\``).join(', ');
  const rows = (Object.keys(ABOUT) as Row[]).map((row) => {
    const { answers, effects } = found.get(row) ?? { answers: new Set(), effects: new Set() };
    const changes = Object.entries(EFFECTS).flatMap(([name, word]) =>
      effects.has(name as keyof typeof EFFECTS) ? [word] : [],
    );
    const all = [...answers].sort();
    const keys =
      row === 'unconfirmed' ? '–' : words(row === 'unavailable' ? ['provider_unavailable'] : all.map(keyOf));
    const outcomes =
      row === 'unavailable' || row === 'unconfirmed' ? 'asked again' : words(all.map(outcomeOf));
    return [ABOUT[row], changes.join(', ') || '–', keys, outcomes];
  });
  const table = [
    [
      'What the provider says, and how it stands here',
      'What may change here',
      'Key of the check',
      'Outcome of the webhook',
    ],
    ['---', '---', '---', '---'],
    ...rows,
  ];
  const lines = table.map((cells) => `| ${cells.join(' | ')} |`);
  const rules = readFileSync(new URL('../../docs/rules.md', import.meta.url), 'utf8').split('\n');
  const at = rules.indexOf(lines[0] as string);
  expect(rules.slice(at, at + lines.length)).toEqual(lines);
});
