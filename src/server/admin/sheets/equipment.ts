/** /admin/equipments/{id}: one piece of equipment: its customer and requests, a correction, its history. */
import { html } from 'hono/html';
import { editEquipment, getEquipment } from '../../../core/equipments/equipments.js';
import { EQUIPMENTS } from '../../../core/resources/equipments.js';
import { nameOrAddress } from '../../../core/users/names.js';
import { getUser } from '../../../core/users/users.js';
import type { Parts } from '../../parts.js';
import { EQUIPMENT, equipmentFields } from '../acts/entries.js';
import { boxedForm, inputs, reasonField, yesOrNo } from '../frame/forms.js';
import type { Page } from '../frame/layout.js';
import type { PageCall } from '../frame/page-call.js';
import { filled, Pages, type Filled } from '../frame/pages.js';
import { linkTo } from '../frame/view.js';
import { listPage } from '../lists/list-page.js';
import { historyCard } from '../lists/history.js';

const PATH = '/admin/equipments';
const ONE = `${PATH}/:id{[0-9]+}`;

export function equipmentPages(parts: Parts) {
  return listPage(new Pages(parts, 'requests'), EQUIPMENTS, {
    path: PATH,
    title: 'admin.nav.equipments',
  }).form(ONE, equipmentPage, async (call) => {
    const { ctx, id, user, by, view } = call;
    getEquipment(ctx, user, id);
    await editEquipment(ctx, id, equipmentFields(call), by);
    return call.goTo(`${PATH}/${id}`, view.t('admin.users.saved'));
  });
}

function equipmentPage({ ctx, id, user, view }: PageCall, refused?: Filled): Page {
  const { name, model, serialNumber, ownerId } = getEquipment(ctx, user, id);
  const owner = getUser(ctx, ownerId);
  const stored = filled({ name, model, serialNumber });
  const aside = html`<div class="actions align-items-center">
    <a href="/admin/users/${ownerId}">${nameOrAddress(owner)}</a>
    <a class="btn btn-outline-secondary" href="${linkTo('/admin/requests', { equipment: String(id) })}"
      >${view.t('admin.nav.requests')}</a
    >
  </div>`;
  const form = boxedForm(view, { action: `${PATH}/${id}` }, [
    ...inputs(view, EQUIPMENT, refused ?? stored),
    reasonField(view, { isRequired: false }, refused),
    yesOrNo(view, {
      yes: view.t('admin.users.save'),
      back: linkTo(PATH, { owner: owner.username }),
    }),
  ]);
  return { title: name, aside, body: [form, historyCard(view, ctx, `equipment:${id}`)] };
}
