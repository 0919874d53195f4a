/** What the office enters for a customer: a request with its equipment, a correction of it, an offer. */
import { html } from 'hono/html';
import { AppError, invalid } from '../../../core/errors.js';
import { equipmentsOf, type EquipmentInput } from '../../../core/equipments/equipments.js';
import {
  answerOffer,
  answersTo,
  enterOffer,
  OFFER_ANSWERS,
  offerNumbered,
  type OfferAnswer,
  type OfferRow,
} from '../../../core/offers/offers.js';
import { OFFERS } from '../../../core/resources/offers.js';
import { formatMoney } from '../../../core/texts/format.js';
import { editRequest } from '../../../core/requests/change-request.js';
import { enterRequest, enterWithEquipment } from '../../../core/requests/enter-request.js';
import { getRequest } from '../../../core/requests/requests.js';
import { moneyIn } from '../../../core/prices/typed-money.js';
import { faultWords } from '../../../core/texts/index.js';
import { getUserCalled } from '../../../core/users/users.js';
import type { UserRow } from '../../../core/users/rights.js';
import { nameWithAddress } from '../../../core/users/names.js';
import type { Parts } from '../../parts.js';
import { card, idOf } from '../frame/components.js';
import { boxedForm, hiddenField, inputs, reasonField, yesOrNo, type Field } from '../frame/forms.js';
import type { Page } from '../frame/layout.js';
import type { PageCall } from '../frame/page-call.js';
import { filled, NOTHING, Pages, type Filled } from '../frame/pages.js';
import type { Markup, View } from '../frame/view.js';
import { columnsOf } from '../lists/field-columns.js';
import { column, table } from '../lists/table.js';

const NEW = '/admin/requests/new';
const ONE = '/admin/requests/:id{[0-9]+}';

export function entryPages(parts: Parts) {
  const pages = new Pages(parts, 'requests')
    .form(NEW, newPage, async (call) => {
      const { ctx, by } = call;
      const { t } = call.view;
      const owner = getUserCalled(ctx, call.field('owner'));
      const equipmentId = idOf(call.field('equipment'));
      const equipment = equipmentFields(call);
      // Or what was typed would be dropped without a word.
      if (equipmentId !== undefined && Object.values(equipment).some(Boolean))
        throw invalid({
          equipment: t('admin.entry.two_equipments', { choice: t('admin.entry.new_equipment') }),
        });
      const words = { title: call.field('title'), description: call.field('description') };
      const wanted = { ...words, ownerId: owner.id, amount: call.field('amount') || undefined };
      const { request } =
        equipmentId === undefined
          ? await enterWithEquipment(ctx, { ...wanted, ...equipment }, by)
          : await enterRequest(ctx, { ...wanted, equipmentId }, by);
      return call.goTo(`/admin/requests/${request.id}`, t('admin.entry.created'));
    })
    .form(`${ONE}/edit`, editPage, async (call) => {
      const { ctx, id, by } = call;
      const wanted = {
        title: call.field('title'),
        description: call.field('description'),
        equipmentId: idOf(call.field('equipment')),
        ...priceField(call),
      };
      await editRequest(ctx, id, wanted, by);
      return call.goTo(`/admin/requests/${id}`, call.view.t('admin.users.saved'));
    })
    .form(`${ONE}/offer`, offerPage, async (call) => {
      const { ctx, id, by } = call;
      const amount = call.field('amount') || undefined;
      const description = call.field('description') || undefined;
      await enterOffer(ctx, { requestId: getRequest(ctx, id).id, amount, description }, by);
      return call.goTo(`/admin/requests/${id}`, call.view.t('admin.offer.created'));
    });
  for (const answer of OFFER_ANSWERS) answerPage(pages, answer);
  return pages;
}

function answerPage(pages: Pages, answer: OfferAnswer): void {
  pages.asked(`/admin/offers/:id{[0-9]+}/${answer}`, {
    back: ({ ctx, id }) => `/admin/requests/${offerNumbered(ctx, id).requestId}`,
    ask({ ctx, id, view }) {
      const offer = offerNumbered(ctx, id);
      const { reference, amount, currency } = offer;
      if (!answersTo(offer).includes(answer)) return { type: 'info', message: view.t('admin.offer.not_now') };
      const price = formatMoney(view.locale, amount, currency);
      return {
        text: view.t(`admin.offer.${answer}.ask`, { reference, price }),
        yes: view.t(`admin.offer.${answer}`),
        isDanger: answer === 'refused',
        fields: reasonField(view, { isRequired: false }),
      };
    },
    async run({ ctx, id, by, view }) {
      const { reference } = await answerOffer(ctx, id, answer, by);
      return view.t(`admin.offer.${answer}.done`, { reference });
    },
  });
}

/** On the request's page: each with what the customer can have answered. */
export function offersCard(view: View, offers: readonly OfferRow[], aside: Markup | string): Markup {
  const { t } = view;
  const answers = column<OfferRow>(
    '',
    (offer) =>
      html`<div class="actions">
        ${answersTo(offer).map(
          (answer) =>
            html`<a class="btn btn-sm btn-outline-secondary" href="/admin/offers/${offer.id}/${answer}"
              >${t(`offer.status.${answer}`)}</a
            >`,
        )}
      </div>`,
  );
  const shown = columnsOf(view, { ...OFFERS, fields: FIELDS_THERE });
  return card(t('admin.nav.offers'), table(offers, t('admin.offer.none'), [...shown, answers]), aside);
}

const { requestId: _, createdAt: __, ...FIELDS_THERE } = OFFERS.fields;

export function equipmentFields(call: PageCall): EquipmentInput {
  return {
    name: call.field('name'),
    model: call.field('model'),
    serialNumber: call.field('serialNumber'),
  };
}

export const EQUIPMENT: readonly Field[] = [
  { name: 'name', label: 'pdf.equipment.name' },
  { name: 'model', label: 'pdf.equipment.model' },
  { name: 'serialNumber', label: 'pdf.equipment.serial' },
];

const WORDS: readonly Field[] = [
  { name: 'title', label: 'list.request', isRequired: true },
  { name: 'description', label: 'evidence.description', rows: 6, isRequired: true },
  { name: 'amount', label: 'act.amount' },
];

const OFFER: readonly Field[] = [
  { name: 'amount', label: 'list.amount', isRequired: true },
  { name: 'description', label: 'evidence.description', rows: 4 },
];

/** First for whom; then what. */
function newPage(call: PageCall, refused = NOTHING): Page {
  const { view } = call;
  const { t } = view;
  const named = refused.form.get('owner') ?? call.query('owner');
  const title = t('admin.entry.new');
  const owner = named === '' ? undefined : ownerCalled(call, named);
  if (!owner) {
    const field: Field = { name: 'owner', label: 'list.owner', isRequired: true, isFocused: true };
    const faults: Filled['faults'] =
      named === '' ? {} : { owner: faultWords(view.t, 'There is no such user.') };
    const body = html`<form class="card medium" method="get" action="${NEW}">
      <div class="card-body d-grid gap-3">
        ${inputs(view, [field], { ...filled({ owner: named }), faults })}
        <p class="mb-0"><a href="/admin/users/new">${t('admin.users.add')}</a></p>
        ${yesOrNo(view, { yes: t('admin.several.go_on'), back: '/admin/requests' })}
      </div>
    </form>`;
    return { title, body, status: faults['owner'] ? 422 : 200 };
  }
  const body = boxedForm(view, { action: NEW }, [
    html`<p class="mb-0">${nameWithAddress(owner)}</p>`,
    hiddenField('owner', owner.id),
    ...inputs(view, [equipmentField(call, owner, { isNewToo: true }), ...EQUIPMENT, ...WORDS], refused),
    reasonField(view, { isRequired: false }, refused),
    yesOrNo(view, { yes: title, back: '/admin/requests' }),
  ]);
  return { title, body };
}

function ownerCalled({ ctx }: PageCall, named: string): UserRow | undefined {
  try {
    return getUserCalled(ctx, named);
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not_found') return undefined;
    throw error;
  }
}

function editPage(call: PageCall, refused?: Filled): Page {
  const { ctx, id, view } = call;
  const request = getRequest(ctx, id);
  const { title, description, equipmentId, ownerId } = request;
  const price = ownPrice(request);
  const stored = filled({ title, description, equipment: String(equipmentId), amount: price });
  const body = boxedForm(view, { action: `/admin/requests/${id}/edit` }, [
    ...inputs(view, [equipmentField(call, { id: ownerId }), ...WORDS], refused ?? stored),
    reasonField(view, { isRequired: false }, refused),
    yesOrNo(view, { yes: view.t('admin.users.save'), back: `/admin/requests/${id}` }),
  ]);
  return { title: view.t('admin.entry.edit'), body };
}

function ownPrice({ amount, currency }: ReturnType<typeof getRequest>): string {
  return amount === null || currency === null ? '' : moneyIn({ amount, currency });
}

/** What was not changed stays, also in a currency that is no longer that of the settings. */
function priceField(call: PageCall): { amount?: string | null } {
  const isAsBefore = call.field('amount') === ownPrice(getRequest(call.ctx, call.id));
  return isAsBefore ? {} : { amount: call.field('amount') || null };
}

function offerPage(call: PageCall, refused?: Filled): Page {
  const { id, view } = call;
  const title = view.t('admin.offer.new');
  const body = boxedForm(view, { action: `/admin/requests/${id}/offer` }, [
    html`<p class="mb-0">${view.t('admin.offer.about')}</p>`,
    ...inputs(view, OFFER, refused),
    reasonField(view, { isRequired: false }, refused),
    yesOrNo(view, { yes: title, back: `/admin/requests/${id}` }),
  ]);
  return { title, body };
}

function equipmentField({ ctx, view }: PageCall, owner: { id: number }, { isNewToo = false } = {}): Field {
  const known = equipmentsOf(ctx, owner.id).map(
    ({ id, name, model, serialNumber }) => [String(id), `${name}, ${model}, ${serialNumber}`] as const,
  );
  const others = isNewToo ? [['', view.t('admin.entry.new_equipment')] as const] : [];
  return { name: 'equipment', label: 'list.equipment', choices: [...known, ...others] };
}
