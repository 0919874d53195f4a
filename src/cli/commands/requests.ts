/** `esignctl requests …` (rules 10). */
import { actCalled } from '../../core/requests/acts.js';
import { REQUESTS } from '../../core/resources/requests.js';
import { addAct } from '../verb/acts.js';
import type { ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { listCommand } from '../verb/list-command.js';
import { tellFields, type Field } from '../output/lists.js';
import { withData, withRequest } from '../run/open.js';
import type { Output, StateCell } from '../output/output.js';
import { REQUEST, requestArgument, textOption } from '../verb/options.js';
import { withProgress } from '../output/progress.js';
import type { Verb } from '../verb/verb.js';

const ABOUT_EXPORT = `
timeline.pdf in it is for people; manifest.json names every file with its
SHA-256. The archive holds personal data: its mode is 0600.
\`esignctl verify\` checks it years later, also elsewhere.`;

export function requests(program: Verb): void {
  const requests = program
    .command('requests')
    .description('maintenance requests: list, show, export, remind, complete, cancel, reopen, settle')
    .examples('requests list --status WAITING_SIGNATURE', 'requests show 123');
  listCommand(requests.command('list').description('requests, the newest first'), REQUESTS).examples(
    'requests list --status WAITING_SIGNATURE,WAITING_PAYMENT',
    'requests list --owner anna@example.org --json',
    'requests list --since 3d --order statusSince-asc',
    'requests list --status COMPLETE --csv > requests.csv',
  );
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
  for (const name of ['complete', 'remind', 'cancel', 'reopen', 'settle'] as const)
    addAct(requests, actCalled(name));
}

function stateAnd(out: Output, state: string, more: string): StateCell {
  const text = `${out.stateWords(state)} ${more}`;
  return { state, plain: text, words: text };
}

async function show(shell: Shell, _: object, key: string): Promise<void> {
  const { wholeRequest } = await import('../../core/requests/requests.js');
  const { requestDocument } = await import('../output/documents.js');
  const { findRequest } = await import('../run/request.js');
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

async function exportOne(
  shell: Shell,
  { out: file, offline = false }: { out: string; offline?: boolean },
  key: string,
): Promise<ExitCode | void> {
  const { exportRequest } = await import('../../core/evidence/export-request.js');
  const { mustBeFree } = await import('../../core/evidence/new-file.js');
  const { tellArchive } = await import('../output/archive.js');
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
