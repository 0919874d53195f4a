/** What the office enters for a customer: a request with its equipment, a correction, an offer. */
import { expect, test } from 'vitest';
import { SCHEDULE } from '../../../../src/core/actor.js';
import { editEquipment, enterEquipment } from '../../../../src/core/equipments/equipments.js';
import { startOffice, staffedOffice } from '../support.js';

test('a request is entered with a new equipment, corrected, and offered a price', async () => {
  const { office, staff } = await staffedOffice();
  const { id: owner } = await office.addUser();
  await staff.get(`/admin/requests/new?owner=${owner}`);
  const words = { title: 'Repair', description: 'A pump.', amount: '', reason: '' };
  const boiler = { equipment: '', name: 'Boiler', model: 'B', serialNumber: 'SN' };
  const made = await staff.submit('/admin/requests/new', { owner: String(owner), ...boiler, ...words });
  expect([made.status, made.location]).toEqual([303, '/admin/requests/1']);
  expect((await staff.get('/admin/requests/1')).text).toContain('€120.00, general price');
  await staff.get('/admin/requests/1/edit');
  await staff.submit('/admin/requests/1/edit', { equipment: '1', ...words, amount: '180,00' });
  expect(office.request(1)).toMatchObject({ ownerId: owner, title: 'Repair', amount: 18_000 });
  await staff.get('/admin/requests/1/offer');
  expect((await staff.submit('/admin/requests/1/offer', { amount: 'much', description: '' })).status).toBe(
    422,
  );
  await staff.submit('/admin/requests/1/offer', { amount: '150', description: '' });
  expect(office.ctx.db.raw.prepare('SELECT amount, status FROM offers').all()).toEqual([
    { amount: 15_000, status: 'sent' },
  ]);
  const { text } = await staff.get('/admin/requests/1');
  expect(text).toContain('€180.00, price of this request');
  expect(text).toContain('href="/admin/offers/1/accepted"');
  await staff.get('/admin/offers/1/accepted');
  expect((await staff.submit('/admin/offers/1/accepted', { reason: 'by phone' })).location).toBe(
    '/admin/requests/1',
  );
  await staff.get('/admin/offers/1/refused');
  await staff.submit('/admin/offers/1/refused', { reason: '' });
  const [last, before] = office.ctx.db.raw
    .prepare("SELECT detail FROM history WHERE what = 'offer.changed' ORDER BY id DESC")
    .pluck()
    .all() as string[];
  expect([before, last].map((detail) => JSON.parse(detail ?? ''))).toMatchObject([
    { status: 'accepted', reason: 'by phone' },
    { status: 'refused' },
  ]);
});

test('a customer who is not known yet can be added from where a request is entered', async () => {
  const { staff } = await staffedOffice();
  const { text } = await staff.get('/admin/requests/new?owner=nobody@example.org');
  expect(text).toContain('There is no such user.');
  expect(text).toContain('href="/admin/users/new"');
});

test('a correction of the words leaves a price as it is, also one in another currency than now', async () => {
  const office = await startOffice();
  const { id } = await office.addRequest();
  office.ctx.db.raw.prepare("UPDATE requests SET amount = 18000, currency = 'jpy'").run();
  const staff = await office.staff();
  await staff.get(`/admin/requests/${id}/edit`);
  const words = { title: 'Other words', description: 'A pump.', reason: '' };
  await staff.submit(`/admin/requests/${id}/edit`, { ...words, equipment: '1', amount: '18000' });
  expect(office.request(id)).toMatchObject({ title: 'Other words', amount: 18_000, currency: 'jpy' });
});

const REQUIRED = 'This field is required.';
const NO_AMOUNT = { amount: 'Give an amount such as 180.00.' };
const TOO_LITTLE = { amount: 'The payment provider accepts no less than €0.50.' };
const WORDLESS = { title: REQUIRED, description: REQUIRED };
const UNNAMED = { name: REQUIRED, model: REQUIRED, serialNumber: REQUIRED };
const TOO_LONG = { description: 'Too long: at most 5,000 characters.' };

test.each([
  ['requests/new', { owner: '1', amount: '0' }, { ...UNNAMED, ...WORDLESS, ...TOO_LITTLE }],
  ['requests/new', { owner: '1', amount: 'x', equipment: '1' }, { ...WORDLESS, ...NO_AMOUNT }],
  ['requests/1/edit', { equipment: '1', amount: '0,10' }, { ...WORDLESS, ...TOO_LITTLE }],
  ['prices/edit', { amount: '1,234' }, { words: REQUIRED, ...NO_AMOUNT }],
  ['prices/edit', {}, { words: REQUIRED, amount: REQUIRED }],
  ['requests/1/offer', { amount: '0', description: 'x'.repeat(5_001) }, { ...TOO_LITTLE, ...TOO_LONG }],
])('a wrong amount in %s hides no other fault: %j', async (form, typed, faults) => {
  const { office, staff } = await staffedOffice();
  await office.addRequest();
  await staff.get(`/admin/${form}`);
  const { status, text } = await staff.submit(`/admin/${form}`, typed);
  const told = [...text.matchAll(/id="(\w+)-fault">([^<]*)</g)].map(([, name, words]) => [name, words]);
  expect({ status, ...Object.fromEntries(told) }).toEqual({ status: 422, ...faults });
});

test('what is typed of a new equipment is never dropped because a known one is chosen', async () => {
  const { office, staff } = await staffedOffice();
  const { ownerId, equipmentId } = await office.addRequest();
  await staff.get(`/admin/requests/new?owner=${ownerId}`);
  const typed = { owner: String(ownerId), name: 'Boiler', model: 'B', serialNumber: 'SN', amount: '' };
  const words = { equipment: String(equipmentId), title: 'Repair', description: 'A pump.', reason: '' };
  const refused = await staff.submit('/admin/requests/new', { ...typed, ...words });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('Choose “A new one, as below”, or leave its name');
  expect(refused.text).toContain('value="Boiler"');
  expect(office.ctx.db.raw.prepare('SELECT count(*) FROM requests').pluck().get()).toBe(1);
});

test('what is refused on these pages is said in French, money as it is written there', async () => {
  const office = await startOffice({ env: { ESIGN_LOCALE: 'fr' } });
  await office.addRequest();
  const staff = await office.staff();
  const offered = async (amount: string) => {
    await staff.get('/admin/requests/1/offer');
    return (await staff.submit('/admin/requests/1/offer', { amount, description: '', reason: '' })).text;
  };
  expect(await offered('much')).toContain('Indiquez un montant tel que 180,00.');
  expect(await offered('0,10')).toMatch(/n’accepte pas moins de 0,50\s€/);
  expect((await staff.get('/admin/requests/new?owner=nobody@example.org')).text).toContain(
    'Cet utilisateur n’existe pas.',
  );
});

test('with a known tax the request’s page says the price with and without it', async () => {
  const { office, staff } = await staffedOffice({ env: { ESIGN_VAT: '20' } });
  const { request } = await office.waitingRequest();
  expect((await staff.get(`/admin/requests/${request.id}`)).text).toContain(
    '€120.00 (€100.00 excl. 20% VAT)',
  );
});

test('a price is set, corrected and taken off the list', async () => {
  const { staff } = await staffedOffice();
  const set = async (amount: string) => {
    await staff.get('/admin/prices/edit');
    return staff.submit('/admin/prices/edit', { words: 'gas boiler', amount, reason: '' });
  };
  expect((await set('cheap')).status).toBe(422);
  expect((await set('180')).location).toBe('/admin/prices');
  await set('190,50');
  expect((await staff.get('/admin/prices')).text).toContain('href="/admin/prices/edit?words=gas+boiler"');
  expect((await staff.get('/admin/prices/edit?words=gas+boiler')).text).toContain('value="190.50"');
  await staff.get('/admin/prices/remove?words=gas+boiler');
  await staff.submit('/admin/prices/remove', { words: 'gas boiler', reason: 'old' });
  expect((await staff.get('/admin/prices')).text).not.toContain('gas boiler</a>');
});

test('a changed field is named in French, and the word for a refused offer agrees with its noun', async () => {
  const { office, staff } = await staffedOffice({ env: { ESIGN_LOCALE: 'fr' } });
  const { equipmentId, description } = await office.addRequest();
  await staff.get('/admin/requests/1/edit');
  const words = { equipment: String(equipmentId), title: 'Dépannage', description, amount: '', reason: '' };
  await staff.submit('/admin/requests/1/edit', words);
  expect((await staff.get('/admin/requests/1')).text).toMatch(/Demande modifiée\s: titre/);
  await staff.get('/admin/requests/1/offer');
  await staff.submit('/admin/requests/1/offer', { amount: '150', description: '' });
  expect((await staff.get('/admin/requests/1')).text).not.toMatch(/>Refusé</);
  await staff.get('/admin/offers/1/refused');
  await staff.submit('/admin/offers/1/refused', { reason: '' });
  const list = (await staff.get('/admin/offers')).text;
  expect(list).toMatch(/state-bad"[^>]*>Refusée</);
  expect(list).not.toMatch(/>Refusé</);
});

test('what has no name of its own is called in French in the history', async () => {
  const { office, staff } = await staffedOffice({ env: { ESIGN_LOCALE: 'fr' } });
  const { id: ownerId } = await office.addUser();
  const typed = { ownerId, name: 'Boiler', model: 'B', serialNumber: 'SN' };
  const { id } = await enterEquipment(office.ctx, typed, { actor: SCHEDULE });
  await editEquipment(office.ctx, id, { model: 'C' }, { actor: SCHEDULE });
  expect((await staff.get('/admin/history')).text).toContain(
    `href="/admin/equipments/${id}">équipement ${id}</a>`,
  );
});

test('an equipment is corrected on its page, which says what is wrong beside each field, and why it was changed', async () => {
  const office = await startOffice();
  const { equipmentId, ownerId } = await office.addRequest();
  const other = { ownerId, name: 'Pump', model: 'P', serialNumber: 'SN-2' };
  await enterEquipment(office.ctx, other, { actor: SCHEDULE });
  const staff = await office.staff();
  const page = `/admin/equipments/${equipmentId}`;
  expect((await staff.get('/admin/requests/1')).text).toContain(`href="${page}"`);
  expect((await staff.get('/admin/equipments')).text).toContain(`href="${page}"`);
  const { text } = await staff.get(page);
  expect(text).toContain(`href="/admin/users/${ownerId}"`);
  expect(text).toContain(`href="/admin/requests?equipment=${equipmentId}"`);
  const typed = { name: 'Gas boiler', model: '', serialNumber: 'SN-2', reason: '' };
  const refused = await staff.submit(page, typed);
  expect([refused.status, refused.text]).toEqual([422, expect.stringMatching(/id="model-fault"/)]);
  expect((await staff.submit(page, { ...typed, model: 'B-300' })).text).toContain('id="serialNumber-fault"');
  const saved = await staff.submit(page, {
    ...typed,
    model: 'B-300',
    serialNumber: 'SN-3',
    reason: 'a new plate',
  });
  expect([saved.status, saved.location]).toEqual([303, page]);
  const after = (await staff.get(page)).text;
  expect(after).toContain('value="SN-3"');
  expect(after).toContain('a new plate');
  expect((await staff.get('/admin/equipments/99')).status).toBe(404);
  expect((await staff.submit('/admin/equipments/99', typed)).status).toBe(404);
});

test('a refused form keeps the reason that was typed, and says what is wrong with it', async () => {
  const { office, staff } = await staffedOffice();
  await office.addRequest();
  const pages = [
    '/admin/equipments/1',
    '/admin/requests/1/edit',
    '/admin/requests/1/offer',
    '/admin/prices/edit',
  ];
  for (const page of pages) {
    await staff.get(page);
    const kept = await staff.submit(page, { reason: 'by phone' });
    expect([page, kept.status, kept.text.includes('value="by phone"')]).toEqual([page, 422, true]);
  }
  const typed = { name: 'Boiler', model: 'B', serialNumber: 'SN', reason: 'x'.repeat(2000) };
  expect((await staff.submit('/admin/equipments/1', typed)).text).toContain('id="reason-fault"');
});

test.each([
  ['edit', 'WAITING_SIGNATURE', 'le contrat de la demande a été envoyé'],
  ['edit', 'CANCELED', 'La demande est annulée. Rouvrez-la d’abord.'],
  ['offer', 'CANCELED', 'La demande est annulée. Rouvrez-la d’abord.'],
])(
  'what %s refuses of a request that is %s comes back in its form, which says why in French',
  async (form, status, why) => {
    const { office, staff } = await staffedOffice({ env: { ESIGN_LOCALE: 'fr' } });
    const { id } = await office.addRequest();
    const page = `/admin/requests/${id}`;
    await staff.get(`${page}/${form}`);
    office.ctx.db.raw.prepare('UPDATE requests SET status = ?').run(status);
    const words = { equipment: '1', title: 'Other words', description: 'A pump.', amount: '180', reason: '' };
    const refused = await staff.submit(`${page}/${form}`, words);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(why);
    expect(refused.text).toContain('>A pump.</textarea>');
    expect((await staff.get(page)).text).not.toContain(`${page}/${form}`);
  },
);

test('an equipment that is saved as it was has no change in its history', async () => {
  const { office, staff } = await staffedOffice();
  const { equipmentId } = await office.addRequest();
  const stored = office.ctx.db.raw.prepare('SELECT name, model, serialNumber FROM equipments');
  const { name, model, serialNumber } = stored.get() as Record<'name' | 'model' | 'serialNumber', string>;
  const page = `/admin/equipments/${equipmentId}`;
  await staff.get(page);
  const save = (words: string) => staff.submit(page, { name: words, model, serialNumber, reason: 'a look' });
  const changes = office.ctx.db.raw
    .prepare("SELECT count(*) FROM history WHERE what = 'equipment.changed'")
    .pluck();
  await save(name);
  expect(changes.get()).toBe(0);
  await save('Gas boiler');
  expect(changes.get()).toBe(1);
});
