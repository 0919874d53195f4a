/** `esignctl takeover` (rules 10, 14). */
import { command } from '../../core/commands.js';
import type { OwedJob, Plan, SignatureChange, TakenOver } from '../../core/takeover/take-over.js';
import { confirm } from '../run/ask.js';
import { EXIT } from '../exit-codes.js';
import { UsageError } from '../verb/usage-error.js';
import { tellTable, type ListColumn } from '../output/lists.js';
import type { Output } from '../output/output.js';
import { withProgress } from '../output/progress.js';
import { flag } from '../verb/params.js';
import { verb } from '../verb/verb.js';
import { counted } from '../output/words.js';

const ABOUT = `
After a restore the installation is held: it answers and stores what it
receives, but sends nothing. This command compares it with both providers and
shows what has happened since the backup and what is lost. If you confirm, it
updates the data and ends the hold. Mails and deliveries of the backup that may
have been sent since are sent once more, under the same Message-ID or webhook-id.

If a provider never answers about something, --leave goes on without the missing
answers and keeps your reason in the history; the bulk checks ask again.

The old server must no longer run. The installation stays held until the last
step: after an interruption, run the command again.`;

export const takeover = verb('takeover', {
  about: 'after a restore: compare with both providers, update the data, end the hold',
  text: ABOUT,
  options: { leave: flag('go on without the answers that do not come; needs --reason') },
  changes: true,
  examples: [
    '--dry-run',
    '',
    '--yes --reason "disk failure" --json',
    '--leave --reason "the provider has lost two documents"',
  ],
  check({ reason }, { leave }) {
    if (leave && !reason)
      throw new UsageError('--leave needs --reason.', 'Say why the missing answers will not come.');
  },
  async act(shell, { leave }) {
    const { surveyTakeover } = await import('../../core/takeover/take-over.js');
    const { takeOver } = await import('../../core/takeover/take-over.js');
    const { ctx, by, out, signal, interruption } = shell;
    interruption.say(() => 'nothing was changed, the installation is still held');
    const found = await withProgress(shell, 'asking both providers', () =>
      surveyTakeover(ctx, { ...by, signal, leave }),
    );
    if (!found) {
      out.result({ held: null, done: null }, () => out.line('The installation is not held: nothing to do.'));
      return EXIT.done;
    }
    const { plan } = found;
    if (!out.isJson) tellPlan(out, plan);
    if (shell.dryRun) {
      out.result(documentOf(plan, null), () => undefined);
      return EXIT.done;
    }
    await confirm(shell, 'Update the data and end the hold? The old server must no longer run.');
    interruption.say(
      () => 'run it again: it continues where it stopped, unless it says that nothing is held',
    );
    const done = await withProgress(shell, 'taking over', () => takeOver(ctx, found, { ...by, leave }));
    out.result(documentOf(plan, done), () => tellDone(out, done));
    return done.failed.length > 0 ? EXIT.failed : EXIT.done;
  },
});

function documentOf({ hold, ...plan }: Plan, done: TakenOver | null) {
  const { since, madeAt } = hold;
  return { held: { since, madeAt }, ...plan, done };
}

interface Row {
  what: string;
  request: string | null;
  customer: string | null;
  more: string;
}

const COLUMNS: readonly ListColumn<Row>[] = [
  { head: 'WHAT', isWhole: true, of: ({ what }) => what },
  { head: 'REQUEST', of: ({ request }) => request },
  { head: 'CUSTOMER', isWhole: true, of: ({ customer }) => customer },
  { head: 'MORE', isWhole: true, of: ({ more }, out) => out.timesIn(more) },
];

function tellPlan(out: Output, plan: Plan): void {
  const rows = rowsOf(out, plan);
  const since = `was made at ${out.time(plan.hold.madeAt)}. Since then, as the providers say:`;
  out.paragraph('The backup', rows.length === 0 ? `${since} nothing.` : since);
  tellTable(out, COLUMNS, rows);
  const { owed } = plan;
  const count = (kind: string) => owed.filter((job) => job.kind === kind).length;
  const mails = counted(count('send-mail'), 'mail');
  const deliveries = counted(count('deliver-webhook'), ['delivery', 'deliveries']);
  if (owed.length > 0)
    out.paragraph(
      'Sent again:',
      `${mails} and ${deliveries} of the backup may already have gone out. They are sent again, with the same Message-ID or webhook-id.`,
    );
  out.paragraph(
    'Lost:',
    'anything since then that no provider has seen, such as new requests and changed addresses or titles.',
  );
}

const CLASSES: Readonly<Record<SignatureChange['class'], string>> = {
  signed: 'signed since',
  expired: 'expired since',
  declined: 'declined since',
  canceled: 'canceled since',
  gone: 'not found at the provider',
  late: 'signed too late',
  over: 'closed here, open there',
  waiting: 'sent, answer lost',
  failed: 'needs a person',
};

const PAYMENTS: Readonly<Record<Plan['payments'][number]['key'], string>> = {
  check_payment_success: 'paid since',
  'check_payment_info.open': 'payment link made since',
  'check_payment_info.pending': 'payment on its way',
  'check_payment_info.expired': 'payment link expired',
  'check_payment_info.closed': 'payment page closed',
  payment_session_not_found: 'payment link not found',
  other_price: 'paid a different price',
  old_session_paid: 'paid, needs a decision',
  not_waiting_payment: 'not waiting for a payment',
  no_payment_session: 'no payment link',
  payment_unavailable: 'no answer',
};

function rowsOf(out: Output, plan: Plan): Row[] {
  const { signatures, payments, lostSignatures, lostPayments, owed, left } = plan;
  return [
    ...signatures.map((one) => ({
      what: CLASSES[one.class],
      request: one.reference,
      customer: one.customer,
      more: `contract ${one.contractId}`,
    })),
    ...payments.map((one) => ({
      what: PAYMENTS[one.key],
      request: one.reference,
      customer: one.customer,
      more: one.paymentId,
    })),
    ...lostSignatures.map((one) => ({
      what: 'LOST: a contract',
      request: null,
      customer: one.customers.join(', ') || null,
      more: `${one.status}, made ${one.createdAt ?? 'at an unknown time'}, “${one.name ?? ''}”, ${one.signId}`,
    })),
    ...lostPayments.map((one) => ({
      what: `LOST: a contract with ${PAYMENTS[one.key]}`,
      request: null,
      customer: one.customer,
      more: `${one.amount === null ? '' : `${out.money(one.amount, one.currency ?? '')}, `}made ${one.createdAt ?? 'at an unknown time'}, ${one.paymentId}`,
    })),
    ...left.map(({ reference: request, customer, error: more }) => ({
      what: 'no answer: left',
      request,
      customer,
      more,
    })),
    ...owed.filter(({ kind }) => kind === 'send-mail').map((job) => owedRow(job)),
  ];
}

function owedRow({ mail, reference, customer, dueAt, jobId }: OwedJob): Row {
  return {
    what: 'may have been mailed',
    request: reference,
    customer,
    more: `${mail ?? ''}, due ${dueAt}, job ${jobId}`,
  };
}

function tellDone(out: Output, { signatures, payments, lost, failed }: TakenOver): void {
  for (const { requestId, error } of failed) out.line(`request ${requestId} could not be checked: ${error}`);
  out.line(
    `taken over: ${counted(signatures, 'signature')} and ${counted(payments, 'payment')} brought up to date, ${lost} lost here`,
  );
  if (lost > 0) out.note(`hint: ${out.command(command('todo'))} lists what is lost until it is settled`);
}
