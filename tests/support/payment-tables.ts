/** The tables of docs/rules.md about payments, made from the decision. */
import { decidePayment, type PaymentStanding } from '../../src/core/payment/decide.js';
import type { PaymentState } from '../../src/db/schema.js';
import { STATES, type Theirs } from '../../src/core/payment/facts.js';

const THEIRS: Readonly<Record<Exclude<Theirs, 'silent'>, string>> = {
  open: 'open',
  pending: 'on its way',
  paid: 'paid',
  over: 'over',
  refused: 'refused by the bank',
  absent: 'unknown there',
};

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;
const table = (head: string[], rows: string[][]) =>
  [row(...head), `|${'---|'.repeat(head.length)}`, ...rows.map((cells) => row(...cells))].join('\n');

/** What a session of the price is to us after each answer. */
export function statesTable(): string {
  return table(
    [
      'What it is to us',
      ...Object.values(THEIRS).map((word, n) => (n === 0 ? `the provider says: ${word}` : word)),
    ],
    [null, ...STATES].map((ours) => [
      ours === null ? 'unknown here' : `\`${ours}\``,
      ...(Object.keys(THEIRS) as Theirs[]).map((theirs) => stateAfter(ours, theirs)),
    ]),
  );
}

function stateAfter(ours: (typeof STATES)[number] | null, theirs: Theirs): string {
  const session = {
    paymentId: 'p',
    ours,
    theirs,
    isOfCurrentContract: true,
    hasPrice: true,
    expiresAt: null,
  };
  // Before the signature nothing counts yet.
  const { effects } = decidePayment({
    status: 'WAITING_SIGNATURE',
    shown: null,
    sessions: [session],
    wants: null,
    isHeld: true,
  });
  const kept = effects.find((each) => each.do === 'keep');
  return kept?.do === 'keep' ? `\`${kept.state}\`` : '–';
}

/** How the payment of a waiting request stands: the first of these that applies. A test holds them against the decision. */
export const STANDINGS: readonly {
  standing: PaymentStanding;
  when: string;
  applies: (rows: readonly Row[]) => boolean;
  follows: string;
}[] = [
  {
    standing: 'on_its_way',
    when: 'a session of its contract is `pending`',
    applies: (rows) => rows.some((row) => row.isOfCurrentContract && row.state === 'pending'),
    follows: 'Nobody is asked to pay. Wait, or `payments give-up`.',
  },
  {
    standing: 'case',
    when: 'a session of any of its contracts is a `case`',
    applies: (rows) => rows.some(({ state }) => state === 'case'),
    follows: 'Nobody is asked to pay until a person has decided.',
  },
  {
    standing: 'payable',
    when: 'a session of its contract is `open`',
    applies: (rows) => rows.some((row) => row.isOfCurrentContract && row.state === 'open'),
    follows: 'The newest page is shown.',
  },
  {
    standing: 'no_page',
    when: 'otherwise',
    applies: () => true,
    follows: 'The link in the mail, a renewal or the payment job makes a page.',
  },
];

export interface Row {
  state: PaymentState;
  isOfCurrentContract: boolean;
}

export function standingTable(): string {
  const rows = STANDINGS.map(({ standing, when, follows }) => [`\`${standing}\``, when, follows]);
  return table(['It stands as', 'When (the first that applies)', 'Then'], rows);
}
