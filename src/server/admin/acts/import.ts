/**
 * /admin/import: a file of customers, equipment and requests. A dry run shows what would become of each row; the same
 * file, which goes along with that page, is then imported. It is kept nowhere else.
 */
import { html } from 'hono/html';
import {
  COLUMNS,
  IMPORT_BYTES_MAX,
  importFile,
  outcomeOf,
  type Imported,
  type ImportedRow,
} from '../../../core/import/import-file.js';
import { BLANK, invalid, withHint } from '../../../core/errors.js';
import type { Parts } from '../../parts.js';
import { card } from '../frame/components.js';
import { boxedForm, hiddenField, inputs, reasonField, yesOrNo } from '../frame/forms.js';
import type { Page } from '../frame/layout.js';
import type { PageCall } from '../frame/page-call.js';
import { faultsIn, Pages, type Filled } from '../frame/pages.js';
import { figure, type Markup, type View } from '../frame/view.js';
import { column, leadColumn, table } from '../lists/table.js';

export const IMPORT = '/admin/import';

export function importPages(parts: Parts) {
  return new Pages(parts, 'users').form(
    IMPORT,
    importPage,
    async (call) => {
      const { ctx, by, view } = call;
      const file = call.field('file');
      if (file === '') throw invalid({ file: BLANK });
      const bytes = Buffer.from(file, 'base64');
      const isReal = call.form.has('import');
      const imported = await importFile(ctx, bytes, { ...by, dryRun: !isReal });
      if (!isReal) return call.send(triedPage(view, file, imported));
      const message = view.t('admin.import.done', counts(view, imported));
      return call.goTo('/admin/users', { type: imported.failed > 0 ? 'info' : 'success', message });
    },
    IMPORT_BYTES_MAX,
  );
}

function importPage({ view }: PageCall, refused?: Filled): Page {
  const { t } = view;
  const columns = Object.entries(COLUMNS).map(
    ([name, label]) => html`<li><code>${name}</code> – ${t(label)}</li>`,
  );
  const body = boxedForm(view, { action: IMPORT, takesFile: true }, [
    html`<p class="mb-0">${t('admin.import.about')}</p>`,
    html`<ul class="import-columns small mb-0">
      ${columns}
    </ul>`,
    ...inputs(view, [{ name: 'file', label: 'admin.import.file', accept: '.csv,text/csv' }], refused),
    yesOrNo(view, { yes: t('admin.import.try'), back: '/admin/users' }),
  ]);
  return { title: t('admin.import'), body };
}

/** What would become of each row, those with a fault first. */
function triedPage(view: View, file: string, imported: Imported): Page {
  const { t } = view;
  const { created, ignored } = imported;
  const rows = imported.rows.toSorted((a, b) => Number(b.fault !== null) - Number(a.fault !== null));
  const go = boxedForm(view, { action: IMPORT, takesFile: true }, [
    html`<p class="mb-0">${t('admin.import.found', counts(view, imported))}</p>`,
    ignored.length === 0
      ? html``
      : html`<p class="mb-0">${t('admin.import.ignored', { columns: ignored.join(', ') })}</p>`,
    ...(created === 0
      ? [html`<div><a class="btn btn-primary" href="${IMPORT}">${t('admin.import.other')}</a></div>`]
      : [
          hiddenField('file', file),
          hiddenField('import', '1'),
          reasonField(view, { isRequired: false }),
          yesOrNo(view, { yes: t('admin.import.go', { count: created }), back: IMPORT }),
        ]),
  ]);
  const list = table(rows, t('admin.import.empty'), [
    column(t('admin.import.line'), ({ line }) => figure(view, line), 'text-end'),
    leadColumn(t('admin.import.row'), (row) => rowWords(view, row)),
    column(t('admin.import.result'), (row) => t(`admin.import.${outcomeOf(row)}`)),
  ]);
  return { title: t('admin.import'), body: [go, card(t('admin.import.rows'), list)] };
}

function rowWords(view: View, { made, about, fault }: ImportedRow): Markup {
  const { t } = view;
  const named = (name: string) => (name in COLUMNS ? t(COLUMNS[name as keyof typeof COLUMNS]) : name);
  const faults = Object.entries(fault ? faultsIn(view, fault) : {}).map(([name, each]) =>
    t('admin.named', { name: named(name), words: each }),
  );
  const wrong = fault && faults.length === 0 ? [view.advice(withHint(fault))] : faults;
  const things = made.length > 0 ? made.map(({ noun, name }) => `${t(`list.${noun}`)} ${name}`) : about;
  return html`${things.map((each) => html`<div class="some">${each}</div>`)}
  ${wrong.map((each) => html`<div class="some text-danger">${each}</div>`)}`;
}

function counts(view: View, { created, unchanged, failed, rows }: Imported) {
  const lines = rows.filter(({ fault }) => fault).map(({ line }) => line);
  const some = lines.slice(0, LINES_MAX).map((line) => figure(view, line));
  const which =
    failed === 0
      ? ''
      : ` (${view.t('admin.import.lines', { count: failed, lines: [...some, ...(lines.length > LINES_MAX ? ['…'] : [])].join(', ') })})`;
  return {
    created: figure(view, created),
    unchanged: figure(view, unchanged),
    failed: figure(view, failed) + which,
  };
}

const LINES_MAX = 10;
