/** The kinds of jobs by name, apart from their records: `--help` lists them and loads nothing of core. */
export const JOB_NAMES = [
  'create-payment-session',
  'complete-signature',
  'confirm-end',
  'send-mail',
  'deliver-webhook',
  'correct-signer',
] as const;

export type JobName = (typeof JOB_NAMES)[number];
