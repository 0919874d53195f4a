/**
 * Faults that are planted to prove that the simulator sees: each changes a few words of the compiled service while it
 * is loaded, in the simulator's process only.
 */
export interface PlantedFault {
  name: string;
  /** The compiled file, from `dist/`. */
  file: string;
  /** These words, which stand there once, … */
  find: string;
  /** … become these. */
  put: string;
}

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a PDF is not synced before its row',
    file: 'src/core/contracts/contract-files.js',
    find: 'await fsync(file);',
    put: '',
  },
  {
    name: 'the payment session has no idempotency key',
    file: 'src/core/payment/provider.js',
    find: "'idempotency-key': idempotencyKey,",
    put: '',
  },
];
