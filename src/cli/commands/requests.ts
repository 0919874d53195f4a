/** `esignctl requests …` (rules 10). */
import type { AskedTime } from '../../core/calls/asked-time.js';
import { command } from '../../core/commands.js';
import { REQUEST_STATUSES } from '../../core/lifecycle.js';
import type { RequestSearch, RequestView } from '../../core/requests/requests.js';
import { confirmHere } from '../ask.js';
import type { ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { tellFields, tellList, type Field, type List } from '../lists.js';
import { withData, withRequest } from '../open.js';
import type { Output, StateCell } from '../output.js';
import { REQUEST, requestArgument, choicesOption, textOption } from '../options.js';
import { withProgress } from '../progress.js';
import { reasonOf } from '../usage-error.js';
import type { Verb } from '../verb.js';

const ABOUT_EXPORT = `
timeline.pdf in it is for people; manifest.json names every file with its
SHA-256. The archive holds personal data: its mode is 0600.
\`esignctl verify\` checks it years later, also elsewhere.`;

export function requests(program: Verb): void {
  const requests = program
    .command('requests')
    .description('maintenance requests: list, show, export, remind, complete, cancel, reopen, settle')
    .examples('requests list --status WAITING_SIGNATURE', 'requests show 123');
  requests
    .command('list')
    .description('requests, the newest first')
    .addOption(choicesOption('status', REQUEST_STATUSES))
    .knownOption(
      '--customer <user>',
      'only those of this customer: e-mail address or number',
      'users',
      textOption,
    )
    .times('entered')
    .limit('at most this many requests')
    .examples(
      'requests list --status WAITING_SIGNATURE,WAITING_PAYMENT',
      'requests list --customer anna@example.org --json',
      'requests list --since 3d',
    )
    .does(list);
  requests
    .command('show')
    .description('one request with its contracts and payments; `explain` tells what happened to it')
    .known('<request>', REQUEST, 'requests', requestArgument)
    .examples('requests show 123', 'requests show REQ-2026-000123 --json')
    .does(show);
  requests
    .command('export')
    .description(
      'the evidence of a request as one archive: signed PDF, the provider’s audit trail, mails, what happened',
    )
    .known('<request>', REQUEST, 'requests', requestArgument)
    .requiredOption('--out <file>', 'the archive to write; an existing file is never overwritten', textOption)
    .option('--offline', 'leave out what only the signature provider has')
    .changes('why it is exported; kept in the history')
    .about(ABOUT_EXPORT)
    .examples(
      'requests export REQ-2026-000123 --out REQ-2026-000123.zip',
      'requests export 123 --out evidence.zip --reason "for the court"',
    )
    .does(exportOne);
  requests
    .command('complete')
    .description('complete a request that was paid some other way; closes its payment link')
    .known('<request>', REQUEST, 'requests', requestArgument)
    .changes('why; required, kept in the history')
    .examples(
      'requests complete 123 --reason "paid by bank transfer"',
      'requests complete 123 --reason "paid in cash" --dry-run',
    )
    .does(complete);
  requests
    .command('remind')
    .description('remind the customer to sign (the provider mails) or to pay (we mail the link again)')
    .known('<request>', REQUEST, 'requests', requestArgument)
    .changes()
    .examples('requests remind 123', 'requests remind REQ-2026-000123 --reason "did not find the mail"')
    .does(remind);
  requests
    .command('cancel')
    .description('cancel a request: withdraws its contract and closes its payment link')
    .known('<request>', REQUEST, 'requests', requestArgument)
    .option('--notify', 'tell the customer by mail; the mail does not give the reason')
    .changes('why; required, kept in the history')
    .examples(
      'requests cancel 123 --reason "boiler was sold" --notify',
      'requests cancel REQ-2026-000123 --reason "entered twice" --dry-run',
    )
    .does(cancel);
  requests
    .command('reopen')
    .description('make a canceled request new again; its old contract stays expired')
    .known('<request>', REQUEST, 'requests', requestArgument)
    .changes('why; required, kept in the history')
    .examples('requests reopen 123 --reason "canceled by mistake"')
    .does(reopen);
  requests
    .command('settle')
    .description('record that a payment or signature that does not count has been dealt with')
    .known('<request>', REQUEST, 'requests', requestArgument)
    .option('--payment <paymentIds...>', 'only these payments')
    .option('--signature', 'only the signature, or with --payment the signature too')
    .changes('what was done about it; required, kept in the history')
    .examples(
      'requests settle 123 --reason "refunded"',
      'requests settle 123 --payment cs_live_a1b2 --reason "refunded"',
    )
    .does(settle);
}

const REQUESTS: List<ReturnType<typeof listed>> = {
  noun: 'request',
  columns: [
    { head: 'ID', align: 'right', of: ({ id }) => id },
    { head: 'REFERENCE', of: ({ reference }) => reference },
    { head: 'STATUS', of: ({ status }) => ({ state: status }) },
    { head: 'SINCE', of: ({ statusSince }, out) => out.time(statusSince) },
    { head: 'ENTERED', isSpare: true, of: ({ createdAt }, out) => out.time(createdAt) },
    { head: 'CUSTOMER', isLow: true, of: ({ customer }) => customer },
    { head: 'TITLE', isWide: true, of: ({ title }) => title },
  ],
};

interface ListFlags {
  status?: RequestSearch['statuses'];
  customer?: string;
  since?: AskedTime;
  until?: AskedTime;
  limit: number;
}

async function list(shell: Shell, { status, customer, since, until, limit }: ListFlags): Promise<void> {
  const { searchRequests } = await import('../../core/requests/requests.js');
  return withData(shell, (data) => {
    const search = { statuses: status, owner: customer, since: since?.(data), until: until?.(data) };
    const { total, rows } = searchRequests(data, search, limit);
    return tellList(shell.out, REQUESTS, { rows: rows.map(listed), total });
  });
}

function listed({ request, customer }: RequestView) {
  const { id, reference, status, statusSince, title, createdAt } = request;
  return { id, reference, status, statusSince, title, customer: customer.username, createdAt };
}

function stateAnd(out: Output, state: string, more: string): StateCell {
  const text = `${out.stateWords(state)} ${more}`;
  return { state, plain: text, words: text };
}

async function show(shell: Shell, _: object, key: string): Promise<void> {
  const { wholeRequest } = await import('../../core/requests/requests.js');
  const { requestDocument } = await import('../documents.js');
  const { findRequest } = await import('../request.js');
  return withData(shell, async (data) => {
    const document = requestDocument(wholeRequest(data, await findRequest(shell, data, key)));
    const { contracts, payments, ...plain } = document;
    const { out } = shell;
    out.result(document, () =>
      tellFields(out, [
        ...Object.entries(plain),
        ...contracts.map(({ id, status, signId }): Field => {
          return [`contract ${id}`, stateAnd(out, status, signId ?? '')];
        }),
        ...payments.map(({ paymentId, state, amount, currency }): Field => {
          return [
            'payment',
            stateAnd(out, state, `${amount === null ? '–' : out.money(amount, currency ?? '')} ${paymentId}`),
          ];
        }),
      ]),
    );
  });
}

async function complete(shell: Shell, _: object, key: string): Promise<void> {
  const { out, dryRun } = shell;
  const reason = reasonOf(shell, 'A request is completed by hand only with --reason.');
  const { completeRequest } = await import('../../core/requests/complete-request.js');
  const { factsBefore } = await import('../request.js');
  return withRequest(shell, key, async (request, { ctx, by }) => {
    const { id, status: before } = request;
    if (before === 'WAITING_PAYMENT') {
      const facts = await factsBefore(ctx, request, 'complete');
      await confirmHere(shell, `Complete ${request.reference}? This cannot be undone.`, facts);
    }
    const { reference, status } = await completeRequest(ctx, id, { ...by, reason });
    out.result({ id, reference, status }, () => {
      if (before === 'COMPLETE') out.line(`request ${id} is already complete`);
      else out.line(`${dryRun ? 'would complete' : 'completed'} request ${id} ${reference}`);
    });
  });
}

async function remind(shell: Shell, _: object, key: string): Promise<void> {
  const { out, dryRun } = shell;
  const { remindRequest } = await import('../../core/reminders/remind-request.js');
  return withRequest(shell, key, async ({ id, reference, status }, { ctx, by }) => {
    const of = await withProgress(shell, `asking about ${reference}`, () => remindRequest(ctx, id, by));
    out.result({ id, reference, status, remindedOf: of }, () => {
      out.line(
        `${dryRun ? 'would remind' : 'reminded'} the customer of the ${of} of request ${id} ${reference}`,
      );
    });
  });
}

interface CancelFlags {
  notify?: boolean;
}

async function cancel(shell: Shell, { notify }: CancelFlags, key: string): Promise<void> {
  const { out, dryRun } = shell;
  const reason = reasonOf(shell, 'A request is canceled only with --reason.');
  const { cancelRequest } = await import('../../core/requests/cancel-request.js');
  const { factsBefore } = await import('../request.js');
  return withRequest(shell, key, async (request, { ctx, by }) => {
    const { id, status: before } = request;
    if (before !== 'CANCELED' && before !== 'COMPLETE') {
      const told = notify ? 'The customer is told by mail.' : 'The customer is not told; --notify does that.';
      const facts = await factsBefore(ctx, request, 'cancel');
      await confirmHere(shell, `Cancel ${request.reference}?`, [...facts, told]);
    }
    const { reference, status } = await withProgress(shell, `canceling request ${id}`, () =>
      cancelRequest(ctx, id, { ...by, reason, notify }),
    );
    out.result({ id, reference, status }, () => {
      if (before === 'CANCELED') out.line(`request ${id} is already canceled`);
      else out.line(`${dryRun ? 'would cancel' : 'canceled'} request ${id} ${reference}`);
    });
  });
}

async function reopen(shell: Shell, _: object, key: string): Promise<void> {
  const { out, dryRun } = shell;
  const reason = reasonOf(shell, 'A request is reopened only with --reason.');
  const { reopenRequest } = await import('../../core/requests/reopen-request.js');
  const { factsBefore } = await import('../request.js');
  return withRequest(shell, key, async (request, { ctx, by }) => {
    const { id } = request;
    if (request.status === 'CANCELED') {
      const facts = await factsBefore(ctx, request, 'reopen');
      await confirmHere(shell, `Reopen ${request.reference}?`, facts);
    }
    const { reference, status } = await reopenRequest(ctx, id, { ...by, reason });
    out.result({ id, reference, status }, () => {
      out.line(`${dryRun ? 'would reopen' : 'reopened'} request ${id} ${reference}`);
    });
    if (!dryRun) out.note(`To send a new contract: ${out.command(command('start-signature', id))}`);
  });
}

interface SettleFlags {
  payment?: string[];
  signature?: boolean;
}

async function settle(
  shell: Shell,
  { payment: payments, signature }: SettleFlags,
  key: string,
): Promise<void> {
  const { out, dryRun } = shell;
  const reason = reasonOf(shell, 'A case is settled only with --reason.');
  const { settleRequest } = await import('../../core/requests/settle-request.js');
  return withRequest(shell, key, async ({ id }, { ctx, by }) => {
    const { request, settled } = await settleRequest(ctx, id, { ...by, reason, payments, signature });
    const { reference, status } = request;
    out.result({ id, reference, status, settled }, () => {
      const what = [...settled.payments, ...(settled.signature ? ['the signature'] : [])].join(', ');
      out.line(`${dryRun ? 'would settle' : 'settled'} the case of request ${id} ${reference}: ${what}`);
    });
  });
}

async function exportOne(
  shell: Shell,
  { out: file, offline = false }: { out: string; offline?: boolean },
  key: string,
): Promise<ExitCode | void> {
  const { exportRequest } = await import('../../core/evidence/export-request.js');
  const { mustBeFree } = await import('../../core/evidence/new-file.js');
  const { tellArchive } = await import('../archive.js');
  return withRequest(shell, key, async ({ id, reference }, { ctx, by }) => {
    const { out, dryRun, signal } = shell;
    if (dryRun) {
      await mustBeFree(file);
      return out.result({ id, reference, file }, () => out.line(`would export ${reference} to ${file}`));
    }
    const written = await withProgress(shell, 'collecting the evidence', () =>
      exportRequest(ctx, id, file, { ...by, offline, signal }),
    );
    return tellArchive(shell, written, { mayMiss: offline });
  });
}
