/** `esignctl requests …` (rules 10). */
import { actCalled } from '../../core/requests/acts.js';
import { REQUESTS } from '../../core/resources/requests.js';
import { EQUIPMENT } from './equipments.js';
import type { RequestRow } from '../../core/rows.js';
import { actCommand } from '../verb/acts.js';
import { listCommand } from '../verb/list-command.js';
import { tellFields, type Field } from '../output/lists.js';
import type { Output, StateCell } from '../output/output.js';
import { ARCHIVE, exportTo } from '../run/archive.js';
import { asText, param, REQUEST, required } from '../verb/params.js';
import { mustChange } from '../verb/usage-error.js';
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

const WORDS = {
  equipment: { ...EQUIPMENT, about: `${EQUIPMENT.about}, whose owner is the customer` },
  title: param('what is to be done, in a line', String, { word: 'words' }),
  description: param('the work in detail, as the contract says it', String, { word: 'text' }),
};

const create = verb('requests create', {
  about: 'enter a request for a customer',
  options: {
    equipment: required(WORDS.equipment),
    title: required(WORDS.title),
    description: required(WORDS.description),
    amount: param('its price, such as 180.00, whatever is offered', asText, { word: 'money' }),
  },
  changes: true,
  examples: [
    '--equipment SN-4711 --title "Yearly maintenance" --description "Check burner and valves."',
    '--equipment 12 --title Repair --description "New pump." --amount 180.00 --dry-run',
  ],
  async act(shell, { equipment, amount, ...words }) {
    const { equipmentCalled } = await import('../../core/equipments/equipment-called.js');
    const { enterRequest } = await import('../../core/requests/enter-request.js');
    const { wholeRequest } = await import('../../core/requests/requests.js');
    const { requestDocument } = await import('../output/documents.js');
    const { ctx, by, out, dryRun } = shell;
    const { id: equipmentId } = equipmentCalled(ctx, equipment);
    const { request, customer } = await enterRequest(ctx, { ...words, equipmentId, amount }, by);
    const document = dryRun
      ? { ...words, customer: customer.username, equipmentId, amount: request.amount }
      : requestDocument(wholeRequest(ctx, request));
    const own = await ownPrice(request);
    out.result(document, () => {
      const what = dryRun ? 'would create a request' : `created request ${request.id} ${request.reference}`;
      out.line(`${what} of ${customer.username}: ${words.title}${own}`);
    });
  },
});

const edit = verb('requests edit', {
  about: 'change title, description, equipment or price of a request, until its contract has been sent',
  args: { request: REQUEST },
  options: {
    ...WORDS,
    amount: param('its price, such as 180.00, whatever was offered; none: no price of its own', asText, {
      word: 'money',
    }),
  },
  changes: true,
  examples: ['123 --title "Repair of the pump"', '123 --amount 180.00 --reason "agreed by phone"'],
  check: (_, given) => mustChange(given, ['title', 'description', 'equipment', 'amount']),
  async act(shell, { request: key, equipment, amount, ...words }) {
    const { equipmentCalled } = await import('../../core/equipments/equipment-called.js');
    const { editRequest } = await import('../../core/requests/change-request.js');
    const { wholeRequest } = await import('../../core/requests/requests.js');
    const { requestDocument } = await import('../output/documents.js');
    const { findRequest, sayStanding } = await import('../run/request.js');
    const { ctx, by, out, dryRun } = shell;
    const before = await findRequest(shell, ctx, key);
    sayStanding(shell, ctx, before.id);
    const row = await editRequest(
      ctx,
      before.id,
      {
        ...words,
        equipmentId: equipment === undefined ? undefined : equipmentCalled(ctx, equipment).id,
        amount: amount === 'none' ? null : amount,
      },
      by,
    );
    const own = await ownPrice(row);
    out.result(requestDocument({ ...wholeRequest(ctx, row), request: row }), () => {
      out.line(
        `${dryRun ? 'would change' : 'changed'} request ${row.id} ${row.reference}: ${row.title}${own}`,
      );
    });
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
    about: 'maintenance requests: list, show, create, edit, export, remind, complete, cancel, reopen, settle',
    examples: ['list --status WAITING_SIGNATURE', 'show 123'],
  },
  [
    list,
    show,
    create,
    edit,
    exportOne,
    ...(['complete', 'remind', 'cancel', 'reopen', 'settle'] as const).map((name) =>
      actCommand(actCalled(name)),
    ),
  ],
);

async function ownPrice({ amount, currency }: Pick<RequestRow, 'amount' | 'currency'>): Promise<string> {
  const { formatMoney } = await import('../../core/texts/format.js');
  return amount === null || currency === null ? '' : `, ${formatMoney('en', amount, currency)}`;
}

function stateAnd(out: Output, state: string, more: string): StateCell {
  const text = `${out.stateWords(state)} ${more}`;
  return { state, plain: text, words: text };
}
