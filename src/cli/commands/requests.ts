/** `esignctl requests …` (rules 10). */
import { actCalled } from '../../core/requests/acts.js';
import { REQUESTS } from '../../core/resources/requests.js';
import { actCommand } from '../verb/acts.js';
import { listCommand } from '../verb/list-command.js';
import { tellFields, type Field } from '../output/lists.js';
import type { Output, StateCell } from '../output/output.js';
import { ARCHIVE, exportTo } from '../run/archive.js';
import { REQUEST } from '../verb/params.js';
import { group, verb } from '../verb/verb.js';

const ABOUT_EXPORT = `
timeline.pdf in it is for people; manifest.json names every file with its
SHA-256. The archive holds personal data: its mode is 0600.
\`esignctl verify\` checks it years later, also elsewhere.`;

const list = listCommand('requests list', REQUESTS, {
  about: 'requests, the newest first',
  examples: [
    '--status WAITING_SIGNATURE,WAITING_PAYMENT',
    '--owner anna@example.org --json',
    '--since 3d --order statusSince-asc',
    '--status COMPLETE --csv > requests.csv',
  ],
});

const show = verb('requests show', {
  about: 'one request with its contracts and payments; `explain` tells what happened to it',
  args: { request: REQUEST },
  examples: ['123', 'REQ-2026-000123 --json'],
  async read(shell, { request }) {
    const { wholeRequest } = await import('../../core/requests/requests.js');
    const { requestDocument } = await import('../output/documents.js');
    const { findRequest } = await import('../run/request.js');
    const whole = wholeRequest(shell, await findRequest(shell, shell, request));
    const { contracts, payments, ...plain } = requestDocument(whole);
    const { out } = shell;
    out.result({ ...plain, contracts, payments }, () =>
      tellFields(out, [
        ...Object.entries(plain),
        ...whole.contracts.map(({ id, status, signId }): Field => {
          return [`contract ${id}`, stateAnd(out, status, signId ?? '')];
        }),
        ...whole.payments.map(({ paymentId, state, amount, currency }): Field => {
          return [
            'payment',
            stateAnd(out, state, `${amount === null ? '–' : out.money(amount, currency ?? '')} ${paymentId}`),
          ];
        }),
      ]),
    );
  },
});

const exportOne = verb('requests export', {
  about:
    'the evidence of a request as one archive: signed PDF, the provider’s audit trail, mails, what happened',
  args: { request: REQUEST },
  options: ARCHIVE,
  changes: 'why it is exported; kept in the history',
  text: ABOUT_EXPORT,
  examples: ['REQ-2026-000123 --out REQ-2026-000123.zip', '123 --out evidence.zip --reason "for the court"'],
  async act(shell, { request, out: file, offline }) {
    const { exportRequest } = await import('../../core/evidence/export-request.js');
    const { findRequest, sayStanding } = await import('../run/request.js');
    const { ctx, by, signal } = shell;
    const { id, reference } = await findRequest(shell, ctx, request);
    sayStanding(shell, ctx, id);
    return exportTo(shell, {
      about: { id, reference },
      named: reference,
      file,
      offline,
      doing: 'collecting the evidence',
      write: () => exportRequest(ctx, id, file, { ...by, offline, signal }),
    });
  },
});

export const requests = group(
  'requests',
  {
    about: 'maintenance requests: list, show, export, remind, complete, cancel, reopen, settle',
    examples: ['list --status WAITING_SIGNATURE', 'show 123'],
  },
  [
    list,
    show,
    exportOne,
    ...(['complete', 'remind', 'cancel', 'reopen', 'settle'] as const).map((name) =>
      actCommand(actCalled(name)),
    ),
  ],
);

function stateAnd(out: Output, state: string, more: string): StateCell {
  const text = `${out.stateWords(state)} ${more}`;
  return { state, plain: text, words: text };
}
