/** The table of docs/rules.md about sending and withdrawing a contract, made from the step that follows. */
import { nextStep, type Document, type There, type Want } from '../../src/core/signature/next-step.js';
import { table } from './table.js';

type Step = ReturnType<typeof nextStep<Document>>;

const WANTS = ['sent', 'unsent', 'replaced', 'withdrawn'] as const satisfies Want[];
const DRAFT = { signId: 'ours', status: 'draft', pdfs: 1, signers: 1, isLate: false, isSure: false };

const STEP_WORDS: Record<
  Extract<Step, { do: string }>['do'] | Extract<Step, { stop: string }>['stop'],
  string
> = {
  tell_foreign: 'tell the office, go on without it',
  create: 'create a draft',
  upload: 'upload the PDF',
  add_signer: 'add the signer',
  look: 'look once more',
  activate: 'activate',
  delete: 'delete',
  cancel: 'cancel',
  sent: 'end: record as sent',
  ended: 'end: record how it ended',
  signed: 'end: refuse, signed',
  clear: 'end',
};

const ROWS: readonly [string, readonly Partial<Document>[]][] = [
  ['signed', [{ status: 'done' }]],
  ['signed too late', [{ status: 'done', isLate: true }]],
  ['`ongoing`, or a word that is unknown here', [{ status: 'ongoing' }, { status: 'paused' }]],
  ['a draft without PDF', [{ pdfs: 0, signers: 0 }]],
  ['a draft without signer', [{ signers: 0 }]],
  ['a whole draft', [{}]],
  ['the same, made now or looked at twice', [{ isSure: true }]],
  [
    'a draft with something twice',
    [{ pdfs: 2 }, { signers: 2 }, { pdfs: 2, signers: 2 }, { pdfs: 0, signers: 1 }],
  ],
  ['declined, canceled, rejected, deleted or expired', [{ status: 'declined' }, { status: 'expired' }]],
];

function stepIn(want: Want, there: There<Document>): string {
  const step = nextStep(want, there);
  return STEP_WORDS['do' in step ? step.do : step.stop];
}

/** Throws when documents of one row are treated differently. */
export function stepsTable(): string {
  const of = (row: string, there: There<Document>) => [row, ...WANTS.map((want) => stepIn(want, there))];
  const documents = ROWS.map(([row, kinds]) => {
    const [first = [], ...others] = kinds.map((kind) =>
      of(row, { ours: [{ ...DRAFT, ...kind }], foreign: [] }),
    );
    const other = others.find((cells) => cells.join() !== first.join());
    if (other) throw new Error(`one row, two steps: ${first.join()} and ${other.join()}`);
    return first;
  });
  return table(
    ['There is', ...WANTS],
    [
      of('somebody else’s document', { ours: [], foreign: [{ signId: 'theirs', externalId: 'ours' }] }),
      ...documents,
      of('nothing', { ours: [], foreign: [] }),
    ],
  );
}
