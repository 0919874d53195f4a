/** POST /api/import: administrators import a CSV file; tried out, it changes nothing. */
import { expect, test } from 'vitest';
import { apiFor } from '../support.js';

const CSV = { 'Content-Type': 'text/csv' };
const FILE = 'username,firstName\nanna@example.org,Anna\nno address,Ben\n';

test('a file is imported once; tried out, it says what would become of each row and changes nothing', async () => {
  const { admin, ctx } = await apiFor(['admin']);
  const names = () => ctx.db.raw.prepare('SELECT username FROM users').pluck().all();
  const told = (what: string) => [
    { line: 2, what, error: null },
    { line: 3, what: 'failed no address', error: 'username: This value is not a valid email address.' },
  ];
  const call = async (query: string) =>
    (await admin('POST', `/api/import${query}`, { body: FILE, headers: CSV })).json;
  const created = { created: 1, unchanged: 0, failed: 1, rows: told('created customer anna@example.org') };
  for (const query of ['?dryRun', '?dryRun=true', '?dryRun=1']) {
    expect(await call(query)).toEqual({ ...created, ignored: [], dryRun: true });
    expect(names()).toEqual(['admin@example.org']);
  }
  expect(await call('?dryRun=false&reason=card+index')).toEqual({ ...created, ignored: [], dryRun: false });
  expect(names()).toEqual(['admin@example.org', 'anna@example.org']);
  const detail = ctx.db.raw.prepare(
    "SELECT detail FROM history WHERE what = 'user.created' ORDER BY id DESC",
  );
  expect(JSON.parse(detail.pluck().get() as string)).toMatchObject({ reason: 'card index' });
  expect(await call('')).toMatchObject({
    created: 0,
    unchanged: 1,
    rows: told('unchanged anna@example.org'),
  });
});

test('what is no such file, or asked for by another word, is refused', async () => {
  const { admin } = await apiFor(['admin']);
  const noParameter = 'There is no such parameter. Give dryRun or reason.';
  for (const [query, body, headers, status, told] of [
    ['?dryRun=perhaps', FILE, CSV, 422, { errors: { dryRun: 'Give true or false.' } }],
    ['?dryrun', FILE, CSV, 422, { errors: { dryrun: noParameter } }],
    ['', 'mail\nx\n', CSV, 422, { errors: { file: expect.stringContaining('no username column') } }],
    ['', FILE, { 'Content-Type': 'application/json' }, 415, { code: 415 }],
    ['', 'x'.repeat(5_000_001), CSV, 413, { code: 413 }],
  ] as const)
    expect(await admin('POST', `/api/import${query}`, { body, headers })).toMatchObject({
      status,
      json: told,
    });
});
