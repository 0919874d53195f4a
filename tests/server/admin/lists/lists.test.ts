/** The lists of the back office: their order, their files for spreadsheets, and what they say of an address that is not right. */
import { beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../../support/clock.js';
import { cells, alerts, type Office, type Page, startOffice } from '../support.js';

/** The first cells' links, in the order of the page. */
function titles({ text }: Page): string[] {
  return [...text.matchAll(/<a class="title" href="[^"]*"\s*>(.*?)<\/a/gs)].map(([, title = '']) =>
    title.replaceAll(/<[^>]+>/g, ''),
  );
}

/** Of the requests that are listed. */
function requestTitles({ text }: Page): string[] {
  return [...text.matchAll(/name-cell"><a href="\/admin\/requests\/\d+">(.*?)<\/a/gs)].map(
    ([, title = '']) => title,
  );
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
    expect([sortedBy(plain), requestTitles(plain)]).toEqual([
      ['Created', 'descending'],
      ['third', 'second', 'first'],
    ]);
    const turned = await get(linkOf(plain, 'Created').replace('/admin/requests', ''));
    expect([sortedBy(turned), requestTitles(turned)]).toEqual([
      ['Created', 'ascending'],
      ['first', 'second', 'third'],
    ]);
    const oldest = await get(linkOf(plain, 'Since').replace('/admin/requests', ''));
    expect([sortedBy(oldest), requestTitles(oldest)]).toEqual([
      ['Since', 'ascending'],
      ['second', 'first', 'third'],
    ]);
    const newest = await get(linkOf(oldest, 'Since').replace('/admin/requests', ''));
    expect([sortedBy(newest), requestTitles(newest)]).toEqual([
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
        seen.push(requestTitles(page));
        query = linkOf(page, step).replace('/admin/requests', '');
        if (step === 'Next' && query === '') return { seen, page };
      }
      return { seen, page: await get(first) };
    };

    const { seen, page } = await walk('?status=new&order=statusSince-asc', 'Next');
    expect(seen.map((each) => each.length)).toEqual([25, 25, 10]);
    expect(new Set(seen.flat()).size).toBe(60);
    const back = await walk(linkOf(page, 'Previous').replace('/admin/requests', ''), 'Previous');
    expect(back.seen).toEqual([seen[1], seen[0]]);
  });

  test('tells since when a request has been as it is, with the exact time on hover', async () => {
    const { office, get } = await anOffice();
    await office.waitingRequest();
    office.clock.advance(3 * DAY + HOUR);
    const { text } = await get('');
    expect(text).toMatch(/title="2026-03-02 [\d:]+ UTC"\s*>3 days ago</);
  });

  test('says what in an address it does not know, and shows what is left', async () => {
    const { office, get } = await anOffice();
    await office.addRequest(undefined, { title: 'one' });
    for (const [query, says, shown] of [
      ['?status=open', '“open” is not a valid value for “Status”', ['one']],
      ['?since=31.12.2026', '“31.12.2026” is not a valid value for “Since”', ['one']],
      ['?order=title', '“title” is not a valid value for “Order”', ['one']],
      ['?page=two', 'There is no page “two”', ['one']],
      ['?owner=nobody@example.org', 'Nothing matches “nobody@example.org”', []],
    ] as const) {
      const page = await get(query);
      const said = /role="status">([^<]+)/.exec(page.text)?.[1] ?? '';
      expect([query, page.status, said.includes(says), requestTitles(page)]).toEqual([
        query,
        200,
        true,
        shown,
      ]);
    }
    const staff = await office.staff();
    const { location } = await staff.get('/admin/requests?page=9');
    expect(location).toBe('/admin/requests?page=1');
    expect(alerts(await staff.get(location))).toEqual([
      { type: 'info', message: 'There is no page 9. This is the last page.' },
    ]);
  });

  test('is exported whole as it is filtered and sorted, whatever the page', async () => {
    const { office, get } = await anOffice();
    const owner = await office.addUser({ firstName: 'Anna', lastName: '=cmd|x', phone: '+33612345678' });
    const { id } = await office.addRequest(owner, { title: 'Say "hi", twice', status: 'new' });
    office.ctx.db.raw.exec(`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
      INSERT INTO requests (ownerId, equipmentId, title, description, status, createdAt, updatedAt, statusSince)
        SELECT ownerId, equipmentId, 'Request ' || i, description, iif(i % 2, 'new', 'COMPLETE'), createdAt, updatedAt, statusSince
        FROM requests, n WHERE id = ${id}`);

    const file = await get('.csv?status=new&page=7&order=createdAt-desc');

    expect(file.status).toBe(200);
    expect(file.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present');
    expect(file.headers.get('Content-Disposition')).toBe('attachment; filename="requests-2026-03-02.csv"');
    expect(file.headers.get('Cache-Control')).toBe('no-store, private');
    const [head, ...rows] = cells(file);
    expect(rows.length).toBe(601);
    expect(new Set(rows.map(([, , , reference]) => reference)).size).toBe(601);
    expect(head?.slice(0, 3)).toEqual(['\ufeffNumber', 'Customer', 'Request']);
    expect([rows[0]?.[2], rows.at(-1)]).toEqual([
      'Request 1199',
      [
        String(id),
        'Anna =cmd|x',
        '"Say ""hi"", twice"',
        'REQ-2026-000001',
        owner.username,
        '+33612345678',
        '',
        '',
        'New',
        '2026-03-02 09:14:07',
        '2026-03-02 09:14:07',
      ],
    ]);
    for (const [query, count] of [
      ['', 1_201],
      ['?search=say', 1],
      [`?search=${owner.username}`, 1_201],
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

test('a list that is ordered by long addresses goes on behind the last of its page', async () => {
  const office = await startOffice();
  const { id: ownerId } = await office.addUser({ username: 'ben@example.org' });
  const long = 'x'.repeat(1_900);
  const insert = office.ctx.db.raw.prepare(`
    INSERT INTO webhooks (ownerId, url, event, secret, active, createdAt, updatedAt)
    VALUES (?, ?, 'request.updated', 'x', 1, '2026-03-02T00:00:00.000Z', '2026-03-02T00:00:00.000Z')`);
  for (let i = 100; i < 160; i += 1) insert.run(ownerId, `https://example.org/${long}/${i}`);
  const staff = await office.staff();
  const first = await staff.get('/admin/webhooks?order=url-asc');
  const rest = await staff.get(linkOf(first, 'Next'));
  expect([titles(first).length, titles(rest).length, linkOf(rest, 'Next')]).toEqual([50, 10, '']);
});

test('a list of exactly one page leads nowhere', async () => {
  const office = await startOffice();
  for (let i = 0; i < 49; i += 1) await office.addUser();
  const staff = await office.staff();
  const page = await staff.get('/admin/users');
  expect([titles(page).length, page.text.includes('pagination')]).toEqual([50, false]);
});

const LISTS = [
  '/admin/requests',
  '/admin/users',
  '/admin/inbox',
  '/admin/deliveries',
  '/admin/failed',
  '/admin/webhooks',
];

describe('a search', () => {
  let office: Office;
  let titles: (query: string) => Promise<string[]>;

  beforeAll(() => {
    titles = async (query) => {
      const { text } = await (await office.staff()).get(`/admin/requests${query}`);
      return [...text.matchAll(/name-cell"><a href="\/admin\/requests\/[^>]*>([^<]+)</g)].map(
        ([, title = '']) => title,
      );
    };
  });

  test('the search box of every page leads to the one thing that fits, else to the list', async () => {
    office = await startOffice();
    const ada = await office.addUser({ username: 'ada@example.org', lastName: 'Lovelace' });
    const bob = await office.addUser({ username: 'bob@example.org', firstName: 'Bob', lastName: 'Lowe' });
    const { id } = await office.addRequest(ada, { title: 'Boiler' });
    await office.addRequest(ada, { title: 'Pump' });
    const staff = await office.staff();
    expect((await staff.get('/admin/failed')).text).toContain('action="/admin/find"');
    const place = async (q: string) => (await staff.get(`/admin/find?q=${encodeURIComponent(q)}`)).location;
    expect(await place('boil')).toBe(`/admin/requests/${id}`);
    expect(await place('lovelace')).toBe('/admin/requests?search=lovelace');
    expect(await place('bob l')).toBe(`/admin/users/${bob.id}`);
    expect(await place('  ')).toBe('/admin/requests');
    expect(await place('<"&>')).toBe('/admin/requests?search=%3C%22%26%3E');

    const { text } = await staff.get('/admin/requests?search=lo');
    expect(text).toContain(`href="/admin/users/${bob.id}"`);
    expect(text).toContain('value="lo"');
    expect((await staff.get('/admin/users?search=lowe')).text).toContain('bob@example.org');
  });

  test('tells an office without requests from a search that found none', async () => {
    office = await startOffice();
    const staff = await office.staff();
    expect((await staff.get('/admin/requests')).text).toContain('There are no requests yet.');
    for (const query of ['?search=roof', '?status=new', '?until=2026-01-01']) {
      expect((await staff.get(`/admin/requests${query}`)).text).toContain(
        'No request matches these filters.',
      );
    }
  });

  test('of a word in very many titles shows the newest, and says so; the beginning of a word is enough', async () => {
    office = await startOffice();
    const { id } = await office.addRequest(undefined, { title: 'Boiler check' });
    office.ctx.db.raw.exec(`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO requests (ownerId, equipmentId, title, description, status, createdAt, updatedAt, statusSince)
        SELECT ownerId, equipmentId, title || ' ' || i, description, status, createdAt, updatedAt, statusSince
        FROM requests, n WHERE id = ${id}`);
    for (const [q, first] of [
      ['boiler', 'Boiler check 5000'],
      ['boil', 'Boiler check 5000'],
      ['boil 4321', 'Boiler check 4321'],
    ] as const) {
      const { text } = await (await office.staff()).get(`/admin/requests?search=${encodeURIComponent(q)}`);
      expect([q, text.includes('Only the newest 1,000 requests')]).toEqual([q, q !== 'boil 4321']);
      expect((await titles(`?search=${encodeURIComponent(q)}`))[0]).toBe(first);
    }
  });
});

test('the days of the filter are those of the zone in which the page shows its times', async () => {
  const office = await startOffice({ env: { ESIGN_TIMEZONE: 'America/Los_Angeles' } });
  // Still the first of March there.
  office.clock.set('2026-03-02T07:59:59.000Z');
  await office.addRequest(undefined, { title: 'Late in the evening' });
  office.clock.set('2026-03-02T08:00:00.000Z');
  await office.addRequest(undefined, { title: 'Past midnight' });
  const staff = await office.staff();
  const shown = async (query: string) => {
    const { text: page } = await staff.get(`/admin/requests?${query}`);
    return ['Late in the evening', 'Past midnight'].filter((title) => page.includes(title));
  };
  expect(await shown('since=2026-03-02')).toEqual(['Past midnight']);
  expect(await shown('until=2026-03-02')).toEqual(['Late in the evening']);
  expect(await shown('since=0000-01-01')).toHaveLength(2);
});
