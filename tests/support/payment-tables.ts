/** The tables of docs/rules.md about payments, made from the decision. */
import { decidePayment, standingOf, type PaymentStanding } from '../../src/core/payment/decide.js';
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
  return kept?.do === 'keep' ? `\`${kept.state}\`` : ours === null ? '–' : '';
}

const STANDINGS: Readonly<Record<PaymentStanding, string>> = {
  not_due: 'nothing is due',
  paid: 'paid',
  case: 'a person must decide; nobody is asked to pay',
  on_its_way: 'money is on its way; nobody is asked to pay',
  payable: 'the newest page can be paid; others are closed',
  no_page: 'the link in the mail, a renewal or the payment job makes a page',
};

/** How the payment of a waiting request stands, by its sessions. */
export function standingTable(): string {
  const both = [true, false];
  const yes = (is: boolean) => (is ? 'yes' : '');
  const rows = both.flatMap((pending) =>
    both.flatMap((open) =>
      both.map((isCase) => {
        const current = { isOfCurrentContract: true };
        const sessions = [
          ...(isCase ? [{ state: 'case' as const, isOfCurrentContract: false }] : []),
          ...(pending ? [{ state: 'pending' as const, ...current }] : []),
          ...(open ? [{ state: 'open' as const, ...current }] : []),
        ];
        const standing = standingOf('WAITING_PAYMENT', sessions);
        return [yes(pending), yes(isCase), yes(open), `\`${standing}\`: ${STANDINGS[standing]}`];
      }),
    ),
  );
  const head = [
    '`pending` of its contract',
    '`case` of any contract',
    '`open` of its contract',
    'It stands as',
  ];
  return table(head, rows);
}
