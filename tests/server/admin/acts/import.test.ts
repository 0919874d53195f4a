/** A file is imported on a page: first every row is shown with its fault, then one button imports the same file. */
import { expect, test } from 'vitest';
import { alerts, startOffice, type Page } from '../support.js';

const PATH = '/admin/import';
const FILE = [
  'Adresse e-mail;Prénom;name;model;serialNumber;title;description;amount;note',
  'anna@example.org;Anna;Boiler;B-200;SN-1;Repair;A pump.;180,50;x',
  'no address;;;;;;;;',
  'carl@example.org;Carl;Boiler;B;SN-3;Repair;A pump.;1,234;',
].join('\n');

const file = (content: string) => ({ name: 'customers.csv', content });
const carried = ({ text }: Page) => /name="file" value="([^"]*)"/.exec(text)?.[1] ?? '';

async function started(env: Record<string, string> = {}) {
  const office = await startOffice({ env });
  const count = () =>
    office.ctx.db.raw
      .prepare('SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM history)')
      .pluck()
      .get();
  return { office, count, staff: await office.staff() };
}

test('a page shows every row with its fault and changes nothing; one button then imports the same file, once', async () => {
  const { office, count, staff } = await started();
  expect((await staff.get('/admin/users')).text).toContain(`href="${PATH}"`);
  expect((await staff.get(PATH)).text).toContain('type="file"');
  const before = count();
  const tried = await staff.upload(PATH, {}, file(FILE));
  expect(tried.status).toBe(200);
  expect(count()).toBe(before);
  expect(tried.text).toContain('New rows: 1. Already there: 0. With a fault: 2 (lines 3, 4).');
  expect(tried.text).toContain('left out: note.');
  expect(tried.text).toContain('E-mail address: Enter a valid e-mail address.');
  expect(tried.text).toContain('Amount: Give an amount such as 180.00.');
  expect(tried.text).toContain('Import 1 row');

  const go = { file: carried(tried), import: '1', reason: 'card index' };
  const done = await staff.submit(PATH, go);
  expect([done.status, done.location]).toEqual([303, '/admin/users']);
  expect(alerts(await staff.get('/admin/users'))).toEqual([
    {
      type: 'info',
      message: 'Imported. New rows: 1. Already there: 0. Left out because of a fault: 2 (lines 3, 4).',
    },
  ]);
  expect(office.request(1)).toMatchObject({ title: 'Repair', amount: 18_050 });
  expect((await staff.get('/admin/history')).text).toContain('card index');
  await staff.get(PATH);
  const after = count();
  await staff.submit(PATH, go);
  expect(count()).toBe(after);
  await staff.get(PATH);
  const again = await staff.upload(PATH, {}, file(FILE));
  expect(again.text).toContain('New rows: 0. Already there: 1.');
  expect(again.text).not.toContain('name="import"');
});

test.each([
  ['no file', { name: '', content: '' }, 'Ce champ est obligatoire.'],
  ['a file without the column of the address', file('mail\nx'), 'n’a pas de colonne « username »'],
  ['two columns of one name', file('username;title;Title\n'), 'deux colonnes « title »'],
])('%s is refused beside the field, in French', async (_, sent, fault) => {
  const { staff } = await started({ ESIGN_LOCALE: 'fr' });
  await staff.get(PATH);
  const refused = await staff.upload(PATH, {}, sent);
  expect(refused.status).toBe(422);
  expect(refused.text.replaceAll('\u00a0', ' ')).toContain(fault);
  expect(refused.text).toContain('id="file-fault"');
});

test('a file that is too large, or from a form that is not ours, is not read', async () => {
  const { staff, count } = await started();
  const before = count();
  await staff.get(PATH);
  const huge = await staff.upload(PATH, {}, file('x'.repeat(8_000_000)));
  expect(huge.status).toBe(413);
  expect(huge.text).toContain('a CSV file 5 MB');
  await staff.get(PATH);
  expect((await staff.upload(PATH, {}, file('x'.repeat(5_500_000)))).text).toContain('larger than 5 MB');
  await staff.get(PATH);
  expect((await staff.upload(PATH, { csrf: 'x' }, file(FILE))).status).toBe(403);
  expect(count()).toBe(before);
});
