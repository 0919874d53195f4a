/** The tables of docs/rules.md about payments, made from the decision. */
import type { PaidTrouble } from '../../src/core/payment/apply.js';
import {
  decidePayment,
  type PaymentStanding,
  STATES,
  type PaymentFacts,
  type Theirs,
} from '../../src/core/payment/decide.js';
import { isBeforeSending } from '../../src/core/lifecycle.js';
import { keysOf } from '../../src/core/pick.js';
import type { ContractStatus, PaymentState } from '../../src/db/schema.js';
import { conditionalTable, table, type Conditional } from './table.js';

const THEIRS: Readonly<Record<Exclude<Theirs, 'silent'>, string>> = {
  open: 'open',
  pending: 'on its way',
  paid: 'paid',
  over: 'over',
  refused: 'refused by the bank',
  absent: 'unknown there',
};

/** Neighbours of which the same is said share a row. */
function merged(rows: readonly (readonly [string, ...string[]])[]): string[][] {
  const all: [string, ...string[]][] = [];
  for (const [name, ...cells] of rows) {
    const last = all.at(-1);
    if (last?.slice(1).join() === cells.join()) last[0] += `, ${name}`;
    else all.push([name, ...cells]);
  }
  return all;
}

/** What a session of the price is to us after each answer. */
export function statesTable(): string {
  return table(
    [
      'What it is to us',
      ...Object.values(THEIRS).map((word, n) => (n === 0 ? `the provider says: ${word}` : word)),
    ],
    merged(
      [null, ...STATES].map((ours) => [
        ours === null ? 'unknown here' : `\`${ours}\``,
        ...keysOf(THEIRS).map((theirs) => stateAfter(ours, theirs)),
      ]),
    ),
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

export interface Rows {
  status: PaymentFacts['status'];
  rows: readonly { state: PaymentState; isOfCurrentContract: boolean }[];
}

const has = ({ rows }: Rows, state: PaymentState) =>
  rows.some((row) => row.isOfCurrentContract && row.state === state);

/** How the payment of a request stands. */
export const STANDINGS: readonly Conditional<PaymentStanding, Rows>[] = [
  {
    is: 'paid',
    when: 'the request is `COMPLETE`',
    applies: ({ status }) => status === 'COMPLETE',
    follows: 'Pages that are left are closed.',
  },
  {
    is: 'not_due',
    when: 'the request does not wait for its payment',
    applies: ({ status }) => status !== 'WAITING_PAYMENT',
    follows: 'Pages that are left are closed.',
  },
  {
    is: 'on_its_way',
    when: 'a session of its contract is `pending`',
    applies: (facts) => has(facts, 'pending'),
    follows: 'Nobody is asked to pay. Wait, or `payments give-up`.',
  },
  {
    is: 'case',
    when: 'a session of any of its contracts is a `case`',
    applies: ({ rows }) => rows.some(({ state }) => state === 'case'),
    follows: 'Nobody is asked to pay until a person has decided.',
  },
  {
    is: 'payable',
    when: 'a session of its contract is `open`',
    applies: (facts) => has(facts, 'open'),
    follows: 'The newest page is shown.',
  },
  {
    is: 'no_page',
    when: 'otherwise',
    applies: () => true,
    follows: 'The link in the mail, a renewal or the payment job makes a page.',
  },
];

export function standingTable(): string {
  return conditionalTable(['It stands as', 'When (the first that applies)', 'Then'], STANDINGS);
}

/** Money that came, and for what. */
export interface Paid {
  status: PaymentFacts['status'];
  contract: ContractStatus;
  isOfCurrentContract: boolean;
  hasPrice: boolean;
}

/** Why money is a case. */
export const TROUBLES: readonly Conditional<PaidTrouble, Paid>[] = [
  {
    is: 'other_price',
    when: 'another amount or currency than the contract’s',
    applies: ({ hasPrice }) => !hasPrice,
    follows: 'Accept it (`requests complete`), or refund it and ask again (`payments renew --reason`).',
  },
  {
    is: 'canceled_paid',
    when: 'the request is canceled',
    applies: ({ status }) => status === 'CANCELED',
    follows: 'Refund it and `requests settle`, or reopen the request.',
  },
  {
    is: 'paid_unsigned',
    when: 'the request’s contract, whose signature is not known yet',
    applies: ({ status, contract, isOfCurrentContract }) =>
      isOfCurrentContract &&
      (status === 'WAITING_SIGNATURE' || (isBeforeSending({ status }) && contract !== 'EXPIRED')),
    follows: 'It counts as soon as the signature is known.',
  },
  {
    is: 'old_session_paid',
    when: 'otherwise: an earlier contract, or a second payment',
    applies: () => true,
    follows: 'Refund it and `requests settle`, or accept it (`requests complete`).',
  },
];

export function troublesTable(): string {
  return conditionalTable(
    ['A case is called', 'When (the first that applies)', 'What a person does'],
    TROUBLES,
  );
}
