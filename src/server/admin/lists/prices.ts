/** /admin/prices: the price list; setting a price, and taking it off. */
import { html } from 'hono/html';
import { moneyIn } from '../../../core/prices/typed-money.js';
import { priceFor, removePrice, setPrice } from '../../../core/prices/price-list.js';
import { PRICES } from '../../../core/resources/prices.js';
import type { Parts } from '../../parts.js';
import { boxedForm, hiddenField, inputs, reasonField, yesOrNo, type Field } from '../frame/forms.js';
import type { Page } from '../frame/layout.js';
import type { PageCall } from '../frame/page-call.js';
import { filled, Pages, type Filled } from '../frame/pages.js';
import { linkTo } from '../frame/view.js';
import { listPage } from './list-page.js';

const PATH = '/admin/prices';
const EDIT = `${PATH}/edit`;
const REMOVE = `${PATH}/remove`;

export function pricePages(parts: Parts) {
  return listPage(new Pages(parts, 'requests'), PRICES, {
    path: PATH,
    title: 'admin.nav.prices',
    aside: ({ view: { t } }) => html`<a class="btn btn-primary" href="${EDIT}">${t('admin.price.set')}</a>`,
  })
    .form(EDIT, editPage, async (call) => {
      const { ctx, by, view } = call;
      const amount = call.field('amount') || undefined;
      await setPrice(ctx, { words: call.field('words'), amount }, by);
      return call.goTo(PATH, view.t('admin.price.is_set'));
    })
    .asked(REMOVE, {
      back: () => PATH,
      ask(call) {
        const { view } = call;
        const words = call.query('words');
        return {
          text: view.t('admin.price.ask', { words }),
          yes: view.t('admin.price.remove'),
          isDanger: true,
          fields: [hiddenField('words', words), reasonField(view, { isRequired: false })],
        };
      },
      async run(call) {
        const { ctx, by, view } = call;
        const { words } = await removePrice(ctx, call.field('words'), by);
        return view.t('admin.price.removed', { words });
      },
    });
}

const PRICE: readonly Field[] = [
  { name: 'words', label: 'list.priceWords', isRequired: true },
  { name: 'amount', label: 'list.amount', isRequired: true },
];

/** Of a new price, or of the one whose words the address has. */
function editPage(call: PageCall, refused?: Filled): Page {
  const { ctx, view } = call;
  const stored = priceFor(ctx, call.query('words'));
  const there = stored && filled({ words: stored.words, amount: moneyIn(stored) });
  const title = view.t('admin.price.set');
  const aside =
    stored &&
    html`<a class="btn btn-outline-danger" href="${linkTo(REMOVE, { words: stored.words })}"
      >${view.t('admin.price.remove')}</a
    >`;
  const body = boxedForm(view, { action: EDIT }, [
    html`<p class="mb-0">${view.t('admin.price.about')}</p>`,
    ...inputs(view, PRICE, refused ?? there),
    reasonField(view, { isRequired: false }, refused),
    yesOrNo(view, { yes: title, back: PATH }),
  ]);
  return { title, body, ...(aside && { aside }) };
}
