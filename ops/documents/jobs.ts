/** The table of the kinds of jobs. */
import { HOUR_MS, MINUTE_MS } from '../../src/core/clock.js';
import { JOB_KINDS } from '../../src/core/jobs/kinds.js';
import type { JobName } from '../../src/core/jobs/names.js';
import { table } from './table.js';

const DOES: Readonly<Record<JobName, string>> = {
  'create-payment-session': 'makes the payment page, and closes the others',
  'complete-signature': 'follows a “signed” of a webhook',
  'confirm-end': 'follows an end of which a webhook told',
  'send-mail': 'sends one mail',
  'deliver-webhook': 'sends one delivery',
  'correct-signer': 'corrects the customer at the signature provider',
};

const UNITS = [
  ['h', HOUR_MS],
  ['min', MINUTE_MS],
  ['s', 1_000],
] as const;

function inWords(ms: number): string {
  const [unit, length] = UNITS.find(([, each]) => ms % each === 0) ?? UNITS[2];
  return `${ms / length} ${unit}`;
}

export function jobsTable(): string {
  return table(
    ['Kind', 'Does', 'Waits between attempts', 'At once'],
    JOB_KINDS.map(({ name, waitsMs, slots }) => [
      `\`${name}\``,
      DOES[name],
      waitsMs.map(inWords).join(', '),
      String(slots),
    ]),
  );
}
