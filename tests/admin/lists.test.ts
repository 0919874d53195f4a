/** The lists of the back office: their order, their files for spreadsheets, and what they say of an address that is not right. */
import { describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../support/clock.js';
import { csvLine } from '../../src/server/admin/csv.js';
import { alerts, startOffice, type Office, type Page } from './support.js';

/** The first cells' links, in the order of the page. */
function titles({ text }: Page): string[] {
  return [...text.matchAll(/<a class="title" href="[^"]*">([^<]*)</g)].map(([, title = '']) => title);
}

/** Where a heading or a step leads, as in the address bar. */
function linkOf({ text }: Page, words: string): string {
  const [, href = ''] = new RegExp(`href="([^"]*)"[^>]*>\\s*${words}`).exec(text) ?? [];
  return href.replaceAll('&amp;', '&');
}

/** The heading that says how the list is sorted, and its direction. */
function sortedBy({ text }: Page): [heading: string, direction: string] | undefined {
  const [, direction = '', heading = ''] = /aria-sort="(\w+)">\s*<a [^>]*>\s*(\w+)/.exec(text) ?? [];
  return heading ? [heading, direction] : undefined;
}

/** Rows of a file as a spreadsheet reads them. */
function cells({ text }: Page): string[][] {
  return text
    .split('\r\n')
    .slice(0, -1)
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].slice(0, -1).map(([, cell = '']) => cell),
    );
}

describe('a file for spreadsheets', () => {
  test.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' spaces ', '" spaces "'],
    ['=1+1', "'=1+1"],
    ['+33612345678', "'+33612345678"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['  =1', "'  =1"],
    ['＝1', "'＝1"],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
    ['a=1', 'a=1'],
    [-5, '-5'],
    [null, ''],
  ])('holds %j as %s', (cell, expected) => {
    expect(csvLine([cell, 'next'])).toBe(`${expected},next\r\n`);
  });
});

describe('the list of requests', () => {
  async function anOffice(): Promise<{ office: Office; get: (query: string) => Promise<Page> }> {
    const office = await startOffice();
    return { office, get: async (query) => (await office.staff()).get(`/admin/requests${query}`) };
  }

  test('is sorted by a click on a heading, by creation and by the age of the status, and says so', async () => {
    const { office, get } = await anOffice();
    for (const title of ['first', 'second', 'third']) {
      await office.addRequest(undefined, { title });
      office.clock.advance(HOUR);
    }
    office.ctx.db.raw.exec(
      "UPDATE requests SET statusSince = '2026-01-01T00:00:00.000Z' WHERE title = 'second'",
    );

    const plain = await get('');
    expect([sortedBy(plain), titles(plain)]).toEqual([
      ['Created', 'descending'],
      ['third', 'second', 'first'],
    ]);
    const turned = await get(linkOf(plain, 'Created').replace('/admin/requests', ''));
    expect([sortedBy(turned), titles(turned)]).toEqual([
      ['Created', 'ascending'],
      ['first', 'second', 'third'],
    ]);
    const oldest = await get(linkOf(plain, 'Since').replace('/admin/requests', ''));
    expect([sortedBy(oldest), titles(oldest)]).toEqual([
      ['Since', 'ascending'],
      ['second', 'first', 'third'],
    ]);
    const newest = await get(linkOf(oldest, 'Since').replace('/admin/requests', ''));
    expect([sortedBy(newest), titles(newest)]).toEqual([
      ['Since', 'descending'],
      ['third', 'first', 'second'],
    ]);
  });

  test('by age is walked forth and back, within one status, every row once', async () => {
    const { office, get } = await anOffice();
    const owner = await office.addUser();
    for (let i = 0; i < 60; i += 1) await office.addRequest(owner, { title: `R${i}`, status: 'new' });
    await office.addRequest(owner, { title: 'another status' });
    office.ctx.db.raw.exec(
      "UPDATE requests SET statusSince = '2026-01-0' || (1 + id % 3) || 'T00:00:00.000Z'",
    );
    const walk = async (first: string, step: string) => {
      const seen: string[][] = [];
      for (let query = first; query !== '';) {
        const page = await get(query);
        seen.push(titles(page));
        query = linkOf(page, step).replace('/admin/requests', '');
        if (step === 'Next' && query === '') return { seen, page };
      }
      return { seen, page: await get(first) };
    };

    const { seen, page } = await walk('?status=new&order=since-asc', 'Next');
    expect(seen.map((each) => each.length)).toEqual([25, 25, 10]);
    expect(new Set(seen.flat()).size).toBe(60);
    const back = await walk(linkOf(page, 'Previous').replace('/admin/requests', ''), 'Previous');
    expect(back.seen).toEqual([seen[1], seen[0]]);
  });

  test('tells how long a request has been waiting, with the exact time on hover', async () => {
    const { office, get } = await anOffice();
    await office.waitingRequest();
    office.clock.advance(3 * DAY + HOUR);
    const { text } = await get('');
    expect(text).toMatch(/title="2026-03-02 [\d:]+ UTC"\s*>waiting 3 days</);
  });

  test('says what in an address it does not know, and shows what is left', async () => {
    const { office, get } = await anOffice();
    await office.addRequest(undefined, { title: 'one' });
    for (const [query, says, shown] of [
      ['?status=open', '“open” is not a possible value for “Status”', ['one']],
      ['?after=31.12.2026', '“31.12.2026” is not a possible value for “Created from”', ['one']],
      ['?order=title', '“title” is not a possible value for “Order”', ['one']],
      ['?page=two', 'There is no page “two”', ['one']],
      ['?owner=nobody@example.org', 'Nobody has the e-mail address or number “nobody@example.org”', []],
      ['?after=2026-01-01&order=since-asc', 'cannot be sorted by “Since”', ['one']],
      ['?order=since-asc&past=nonsense', '', ['one']],
    ] as const) {
      const page = await get(query);
      const said = /role="status">\s*<div>([^<]*)/.exec(page.text)?.[1] ?? '';
      expect([query, page.status, said.includes(says), titles(page)]).toEqual([query, 200, true, shown]);
    }
    const staff = await office.staff();
    const { location } = await staff.get('/admin/requests?page=9');
    expect(location).toBe('/admin/requests?page=1');
    expect(alerts(await staff.get(location))).toEqual([
      { type: 'info', message: 'There is no page 9. This is the last.' },
    ]);
  });

  test('is exported whole as it is filtered, the newest first, whatever the page', async () => {
    const { office, get } = await anOffice();
    const owner = await office.addUser({ firstName: 'Anna', lastName: '=cmd|x', phone: '+33612345678' });
    const { id } = await office.addRequest(owner, { title: 'Say "hi", twice', status: 'new' });
    office.ctx.db.raw.exec(`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
      INSERT INTO requests (ownerId, equipmentId, title, description, status, createdAt, updatedAt, statusSince)
        SELECT ownerId, equipmentId, 'Request ' || i, description, iif(i % 2, 'new', 'COMPLETE'), createdAt, updatedAt, statusSince
        FROM requests, n WHERE id = ${id}`);

    const file = await get('.csv?status=new&page=7&order=created-asc');

    expect(file.status).toBe(200);
    expect(file.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present');
    expect(file.headers.get('Content-Disposition')).toBe('attachment; filename="requests-2026-03-02.csv"');
    expect(file.headers.get('Cache-Control')).toBe('no-store, private');
    expect(file.text.startsWith('\ufeffReference,Request,Customer,E-mail address,Phone,Status,')).toBe(true);
    const [, ...rows] = cells(file);
    expect(rows.length).toBe(601);
    expect(new Set(rows.map(([reference]) => reference)).size).toBe(601);
    expect([rows[0]?.[1], rows.at(-1)]).toEqual([
      'Request 1199',
      [
        'REQ-2026-000001',
        '"Say ""hi"", twice"',
        'Anna =cmd|x',
        owner.username,
        "'+33612345678",
        'New',
        '2026-03-02 09:14:07',
        '2026-03-02 09:14:07',
      ],
    ]);
    for (const [query, count] of [
      ['', 1_201],
      ['?q=say', 1],
      [`?q=${owner.username}`, 1_201],
      ['?owner=nobody@example.org', undefined],
      ['?status=wrong', undefined],
    ] as const) {
      const { status, text, location } = await get(`.csv${query}`);
      const found = status === 200 ? text.split('\r\n').length - 2 : undefined;
      expect([query, found, location]).toEqual([query, count, count ? '' : `/admin/requests${query}`]);
    }
  });

  test('is exported for nobody who may not see the page', async () => {
    const { office } = await anOffice();
    await office.addPerson('anna@example.org', 'ROLE_USER');
    const customer = office.visitor();
    await customer.logIn('anna@example.org');
    for (const list of LISTS) {
      expect((await office.visitor().get(`${list}.csv`)).status).toBe(303);
      expect((await customer.get(`${list}.csv`)).status).toBe(403);
    }
  });
});

const LISTS = ['/admin/requests'];
