/** Every combination of what a decision about a signature may look at. */
import type { SignatureDecision, Ours, SignatureFacts, Theirs } from '../../src/core/signature/decide.js';

const EARLY = '2026-03-01T09:00:00.000Z';
const NOW = '2026-03-02T09:00:00.000Z';
const LATE = '2026-03-03T09:00:00.000Z';
const TIMES = [null, EARLY, LATE];

const THEIRS: Theirs[] = [
  ...(['silent', 'absent', 'foreign', 'draft', 'other'] as const).map((is) => ({ is })),
  ...(['declined', 'canceled', 'rejected', 'deleted', 'expired', 'signer_error'] as const).map((is) => ({
    is,
  })),
  ...TIMES.map((lastMoment) => ({ is: 'ongoing' as const, lastMoment })),
  ...TIMES.flatMap((lastMoment) => TIMES.map((signedAt) => ({ is: 'done' as const, signedAt, lastMoment }))),
];

const ANYTHING: { [K in keyof Ours]: readonly Ours[K][] } = {
  status: ['PENDING', 'SIGNED', 'EXPIRED'],
  sending: ['unsent', 'asked', 'sent'],
  place: ['current', 'replaced', 'canceled'],
  hasSigner: [false, true],
  lastMoment: TIMES,
  told: [null, 'late', 'foreign', 'elsewhere'],
  hasFailed: [false, true],
  isBusy: [false, true],
};

const OURS = Object.entries(ANYTHING).reduce<Partial<Ours>[]>(
  (all, [name, values]) => all.flatMap((ours) => values.map((value) => ({ ...ours, [name]: value }))),
  [{}],
) as Ours[];

export function* combinations(): Generator<SignatureFacts> {
  for (const request of ['before', 'WAITING_SIGNATURE', 'after', 'CANCELED'] as const)
    for (const ours of OURS)
      for (const theirs of THEIRS)
        for (const heard of [null, { signedAt: null }, { signedAt: EARLY }, { signedAt: LATE }])
          for (const accepted of [null, 'late', 'second'] as const)
            yield { request, ours, theirs, heard, accepted, now: NOW };
}

/** As it stands once the effects are applied. */
export function afterwards(facts: SignatureFacts, { effects }: SignatureDecision): SignatureFacts {
  let { request, ours } = facts;
  for (const effect of effects)
    switch (effect.do) {
      case 'believe_last_moment':
        ours = { ...ours, lastMoment: effect.lastMoment };
        break;
      case 'remember_signer':
        ours = { ...ours, hasSigner: true };
        break;
      case 'take_second':
        ours = { ...ours, hasSigner: true, told: null };
        break;
      case 'record_sent':
        ours = { ...ours, sending: 'sent' };
        request = request === 'before' ? 'WAITING_SIGNATURE' : request;
        break;
      case 'sign':
        ours = { ...ours, status: 'SIGNED' };
        request = 'after';
        break;
      case 'end':
        ours = { ...ours, status: 'EXPIRED' };
        break;
      case 'tell':
        ours = { ...ours, told: effect.what };
        break;
    }
  return { ...facts, request, ours };
}
