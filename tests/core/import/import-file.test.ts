/** A file of customers, equipments and requests is imported: every row whole or not at all, and only once. */
import { expect, test } from 'vitest';
import { importDocument, importFile } from '../../../src/core/import/import-file.js';
import { decoded, readCsv } from '../../../src/core/import/read-csv.js';
import { startApp, TESTER } from '../../support/app.js';

const BY = { actor: TESTER, reason: 'card index' };
const bytes = (text: string) => Buffer.from(text);
const HEAD = 'username,firstName,lastName,address,name,model,serialNumber,title,description,amount\n';
const ANNA =
  'anna@example.org,Anna,Weber,"1 rue Haute\n75001 Paris",Boiler,B-200,SN-1,Repair,"A ""new"" pump",180.00\n';

test.each([
  ['a,b\r\n1,"x, ""y"" "\r\n', ['a|b', '1|x, "y" ']],
  ['a;b\n1,5;2\n\n', ['a|b', '1,5|2']],
  ['a\tb\n"two\nlines"\t', ['a|b', 'two\nlines|']],
  ['a,b\n5" pipe,x', ['a|b', '5" pipe|x']],
  ['', []],
])('%j is read as %j', (text, rows) => {
  expect(readCsv(text).map(({ cells }) => cells.join('|'))).toEqual(rows);
});

test('UTF-8 with and without a mark, UTF-16 and the Western code page are told apart', () => {
  expect(['\ufeffé', 'é'].map((text) => decoded(bytes(text)))).toEqual(['é', 'é']);
  expect(decoded(Buffer.from([0xe9, 0x80, 0x9c, 0x81]))).toBe('é€œ\x81');
  expect(decoded(Buffer.from('\ufeffé', 'utf16le'))).toBe('é');
});

test('a column that is none of ours is named, not dropped without a word', async () => {
  const { ctx } = await startApp();
  const file = 'username;Prénom;Nom;Adresse\nanna@example.org;Anna;Weber;1 rue Haute\n';
  expect(await importFile(ctx, bytes(file), { ...BY, dryRun: true })).toMatchObject({
    created: 1,
    ignored: ['Nom', 'Adresse'],
  });
});

test('a second run changes nothing, and a dry run nothing at all', async () => {
  const { ctx, ...app } = await startApp();
  const count = () =>
    ctx.db.raw.prepare('SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM history)').pluck().get();
  const before = count();
  expect(await importFile(ctx, bytes(HEAD + ANNA), { ...BY, dryRun: true })).toMatchObject({
    created: 1,
    failed: 0,
  });
  expect(count()).toBe(before);
  const { rows } = importDocument(await importFile(ctx, bytes(HEAD + ANNA + ANNA), BY));
  expect(rows).toEqual([
    {
      line: 2,
      what: 'created customer anna@example.org, equipment SN-1, request REQ-2026-000001',
      error: null,
    },
    { line: 4, what: 'unchanged anna@example.org, SN-1, REQ-2026-000001', error: null },
  ]);
  expect(app.request(1)).toMatchObject({ title: 'Repair', description: 'A "new" pump', amount: 18_000 });
  expect(app.jobs('send-mail')).toEqual([]);
  const after = count();
  expect(await importFile(ctx, bytes(HEAD + ANNA), BY)).toMatchObject({ created: 0, unchanged: 1 });
  expect(count()).toBe(after);
});

test('many rows leave other work its turn, in the order of the file; those of one customer belong together', async () => {
  const { ctx } = await startApp();
  const others = Array.from({ length: 250 }, (_, i) => `c${i}@example.org,,,,,,,,,\n`);
  const file = bytes(HEAD + ANNA + others.join('') + 'Anna@example.org,,,,,,SN-1,Visit,Yearly.,\n');
  const tried = importDocument(await importFile(ctx, file, { ...BY, dryRun: true }));
  expect(tried).toMatchObject({ created: 252, unchanged: 0, failed: 0 });
  expect(tried.rows.map(({ line }) => line)).toEqual([2, ...others.map((_, i) => i + 4), 254]);
  expect(tried.rows.at(-1)).toEqual({ line: 254, what: 'created request Visit', error: null });

  const importing = importFile(ctx, file, BY);
  const countNow = () => ctx.db.raw.prepare('SELECT count(*) FROM users').pluck().get() as number;
  await ctx.writer.write(() => undefined);
  expect(countNow()).toBeLessThan(251);
  expect(importDocument(await importing).rows.at(-1)?.what).toBe('created request REQ-2026-000002');
  expect(countNow()).toBe(251);
});

test('a row with a fault is named and leaves nothing of itself; the others go in', async () => {
  const { ctx } = await startApp();
  const file = [
    'Adresse e-mail;Prénom;Nom de famille;name;model;serialNumber;title;description;amount',
    'no address;;;;;;;;',
    'ben@example.org;Ben;Weber;Boiler;;SN-2;;;',
    'carl@example.org;Carl;Weber;Boiler;B;SN-3;Repair;A pump;1,234',
    'dora@example.org;Dora;Weber;Boiler;B;SN-4;Repair;A pump;180,50',
  ].join('\n');
  const { rows, ...counts } = importDocument(await importFile(ctx, bytes(file), BY));
  expect(counts).toEqual({ created: 1, unchanged: 0, failed: 3, ignored: [] });
  expect(rows.map(({ error }) => error)).toEqual([
    'username: This value is not a valid email address.',
    'model: This value should not be blank.',
    'amount: Give an amount such as 180.00.',
    null,
  ]);
  const names = ctx.db.raw.prepare('SELECT username FROM users').pluck().all();
  expect(names).toEqual(['dora@example.org']);
});

test('a price in another currency is refused, not taken for one of ours', async () => {
  const { ctx } = await startApp();
  const row = (name: string, currency: string) => `${name}@example.org,B,M,S,Repair,A pump,180,${currency}\n`;
  const file = `username,name,model,serialNumber,title,description,Amount,Currency\n${row('a', 'usd')}${row('b', 'EUR')}`;
  const { rows } = importDocument(await importFile(ctx, bytes(file), BY));
  expect(rows.map(({ error }) => error)).toEqual(['currency: Prices are in “eur” here.', null]);
});

test('a file without the column username is refused with the names of the columns', async () => {
  const { ctx } = await startApp();
  await expect(importFile(ctx, bytes('mail,x\n1,2\n'), BY)).rejects.toMatchObject({
    fields: { file: expect.stringContaining('username, firstName') as unknown },
  });
});

test('a file with more columns than anybody has is refused before its headings are compared', async () => {
  const { ctx } = await startApp();
  await expect(importFile(ctx, bytes(`username${','.repeat(200)}\n`), BY)).rejects.toMatchObject({
    fields: { file: 'The file has more than 200 columns. Remove those that are not imported.' },
  });
});
