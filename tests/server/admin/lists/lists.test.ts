/** The lists of the back office: their order, their files for spreadsheets, and what they say of an address that is not right. */
import { describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../../support/clock.js';
import { answered, aReceiver } from '../../../support/receiver.js';
import { happened, subscribed } from '../../../support/subscriptions.js';
import { deliver, deliverPayment, deliverRaw } from '../../../support/webhooks.js';
import { csvLine } from '../../../../src/core/resources/show.js';
import { alerts, startOffice, type Office, type Page } from '../support.js';

/** The first cells' links, in the order of the page. */
function titles({ text }: Page): string[] {
  return [...text.matchAll(/<a class="title" href="[^"]*"\s*>(.*?)<\/a/gs)].map(([, title = '']) =>
    title.replaceAll(/<[^>]+>/g, ''),
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
    ['+33612345678', '+33612345678'],
    ['+1+1', "'+1+1"],
    ['+1\n', '"\'+1\n"'],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['  =1', "'  =1"],
    ['＝1', "'＝1"],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
    ['a=1', 'a=1'],
    [-5, '-5'],
    ['', ''],
  ])('holds %j as %s', (cell, expected) => {
    expect(csvLine([cell, 'next'], { locale: 'en' })).toBe(`${expected},next\r\n`);
    expect(csvLine([cell, 'next'], { locale: 'fr' })).toBe(`${expected};next\r\n`);
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

    const { seen, page } = await walk('?status=new&order=statusSince-asc', 'Next');
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
      ['?status=open', '“open” is not a valid value for “Status”', ['one']],
      ['?since=31.12.2026', '“31.12.2026” is not a valid value for “Since”', ['one']],
      ['?order=title', '“title” is not a valid value for “Order”', ['one']],
      ['?page=two', 'There is no page “two”', ['one']],
      ['?owner=nobody@example.org', 'Nothing matches “nobody@example.org”', []],
    ] as const) {
      const page = await get(query);
      const said = /role="status">([^<]+)/.exec(page.text)?.[1] ?? '';
      expect([query, page.status, said.includes(says), titles(page)]).toEqual([query, 200, true, shown]);
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
    expect(new Set(rows.map(([, reference]) => reference)).size).toBe(601);
    expect(head?.slice(0, 3)).toEqual(['\ufeffNumber', 'Reference', 'Customer']);
    expect([rows[0]?.at(-2), rows.at(-1)]).toEqual([
      'Request 1199',
      [
        String(id),
        'REQ-2026-000001',
        'Anna =cmd|x',
        owner.username,
        '+33612345678',
        'New',
        '2026-03-02 09:14:07',
        '',
        '',
        '"Say ""hi"", twice"',
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

test('users are sorted by their address or by when they were added, walked to the end, and exported', async () => {
  const office = await startOffice();
  for (let i = 0; i < 55; i += 1) await office.addUser({ username: `user${String(99 - i)}@example.org` });
  const staff = await office.staff();
  const first = await staff.get('/admin/users');
  expect([sortedBy(first), titles(first).length]).toEqual([['Created', 'ascending'], 50]);
  const rest = await staff.get(linkOf(first, 'Next'));
  expect([titles(rest).length, linkOf(rest, 'Next'), linkOf(rest, 'First')]).toEqual([6, '', '/admin/users']);

  const named = await staff.get(linkOf(first, 'E-mail'));
  expect(sortedBy(named)).toEqual(['E', 'ascending']);
  const all = [...titles(named), ...titles(await staff.get(linkOf(named, 'Next')))];
  expect(all).toEqual(all.toSorted());
  expect(all.length).toBe(56);
  const turned = titles(await staff.get(linkOf(named, 'E-mail')));
  expect(turned).toEqual(all.toReversed().slice(0, 50));

  const [head, ...rows] = cells(await staff.get('/admin/users.csv'));
  expect([head?.[1], rows.length]).toEqual(['E-mail address', 56]);
  expect(cells(await staff.get('/admin/users.csv?search=user77')).map(([, name]) => name)).toEqual([
    'E-mail address',
    'user77@example.org',
  ]);
});

test('the inbox is filtered by provider, state and day, names the request, and is exported as it is filtered', async () => {
  const office = await startOffice();
  const { request, signId } = await office.waitingRequest();
  office.sandbox.sign(signId);
  await deliver(office, signId);
  await deliver(office, signId, { name: 'signature_request.approved' });
  office.clock.advance(2 * DAY);
  await deliver(office, 'foreign', { name: 'signature_request.expired' });
  await deliverRaw(office, '{}', 'sha256=wrong');
  const staff = await office.staff();
  const shown = async (query: string) =>
    titles(await staff.get(`/admin/inbox${query}`)).map((each) => each.slice(18));

  const { text } = await staff.get('/admin/inbox');
  expect(text).toContain(`href="/admin/requests/${request.id}"`);
  const all = await shown('');
  expect(all.toSorted()).toEqual(['approved', 'done', 'expired']);
  expect(await shown('?order=receivedAt-asc')).toEqual(all.toReversed());
  expect(await shown('?status=done')).toEqual(['done']);
  expect((await shown('?status=ignored')).length).toBe(2);
  expect(await shown('?source=payment')).toEqual([]);
  expect(await shown('?source=signature&status=done')).toEqual(['done']);
  expect(await shown('?since=2026-03-04')).toEqual(['expired']);
  expect(await shown(`?subject=${signId}&status=done`)).toEqual(['done']);
  expect(await shown('?source=mail')).toEqual(all);
  expect((await staff.get('/admin/inbox?source=payment')).text).toContain('No event matches these filters.');
  const file = cells(await staff.get('/admin/inbox.csv?status=done'));
  expect(file[1]?.slice(1, 7)).toEqual([
    'signature_request.done',
    'signature provider',
    signId,
    'Done',
    'the contract was completed',
    String(request.id),
  ]);
  expect(file.length).toBe(2);
});

test('deliveries are filtered by subscription, state and day, say how they went in words, and are exported', async () => {
  const office = await startOffice({ env: { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' } });
  const receiver = await aReceiver(answered(204));
  const { id } = await subscribed(office, { url: receiver.url });
  await happened(office);
  await office.drain();
  office.clock.advance(2 * DAY);
  receiver.answer = answered(410);
  await happened(office);
  await office.drain();
  const staff = await office.staff();
  const rows = async (query: string) => cells(await staff.get(`/admin/deliveries.csv${query}`)).slice(1);

  const page = await staff.get('/admin/deliveries');
  expect(page.text).toContain('refused by the receiver (410)');
  expect(page.text).not.toContain('http_410');
  expect((await rows('')).map((row) => row.slice(4, 6))).toEqual([
    ['Failed', 'refused by the receiver (410)'],
    ['Delivered', ''],
  ]);
  expect((await rows('?status=delivered')).length).toBe(1);
  expect((await rows(`?webhook=${id}&since=2026-03-04`)).map((row) => row[4])).toEqual(['Failed']);
  expect(titles(await staff.get('/admin/deliveries?status=pending'))).toEqual([]);
  expect((await staff.get('/admin/deliveries.csv?webhook=99')).location).toBe('/admin/deliveries?webhook=99');
  expect((await staff.get('/admin/deliveries?webhook=99')).text).toContain('Nothing matches “99”.');
});

test('webhooks are sorted by address or by when they were made, filtered by owner and status, walked to the end, and exported', async () => {
  const office = await startOffice();
  const [anna, ben] = [await office.addUser(), await office.addUser()];
  const insert = office.ctx.db.raw.prepare(`
    INSERT INTO webhooks (ownerId, url, event, secret, active, disabledReason, lastError, failingSince, lastErrorAt, createdAt, updatedAt)
    VALUES (?, ?, 'request.updated', '', ?, ?, ?, ?, ?, '2026-03-01T00:00:00.000Z', '')`);
  for (let i = 0; i < 50; i += 1) insert.run(anna.id, `https://a.test/${99 - i}`, 1, null, null, null, null);
  const since = '2026-02-27T09:00:00.000Z';
  insert.run(ben.id, '=cmd|x', 0, 'failing', 'http_503', since, since);
  const staff = await office.staff();
  const list = (query = '') => staff.get(`/admin/webhooks${query}`);

  const first = await list();
  expect([sortedBy(first), titles(first).length]).toEqual([['Created', 'ascending'], 50]);
  const rest = await staff.get(linkOf(first, 'Next'));
  expect([titles(rest), linkOf(rest, 'Next'), linkOf(rest, 'First')]).toEqual([
    ['=cmd|x'],
    '',
    '/admin/webhooks',
  ]);
  expect(rest.text).toContain('error at the receiver (503)');
  expect(rest.text).toContain('its receiver kept failing');
  // What has not failed does not say so with a zero.
  expect(rest.text).not.toContain('Failed in a row');
  office.ctx.db.raw.prepare("UPDATE webhooks SET failures = 3 WHERE url = '=cmd|x'").run();
  expect((await list('?active=false')).text).toMatch(/Failed in a row\s+3\b/);
  expect(rest.text).not.toMatch(/http_503|>failing</);
  const named = await staff.get(linkOf(first, 'To'));
  const all = [...titles(named), ...titles(await staff.get(linkOf(named, 'Next')))];
  expect([sortedBy(named), all.length, all]).toEqual([['To', 'ascending'], 51, all.toSorted()]);
  const turned = await staff.get(linkOf(named, 'To'));
  expect(titles(turned)).toEqual(all.toReversed().slice(0, 50));

  expect(titles(await list('?active=false'))).toEqual(['=cmd|x']);
  expect(titles(await list(`?owner=${ben.username}&active=true`))).toEqual([]);
  expect((await list(`?owner=${ben.id}&active=true`)).text).toContain('No webhook matches these filters.');
  expect((await list('?owner=nobody')).text).toContain('Nothing matches “nobody”.');
  const [head, ...rows] = cells(await list('.csv?active=false&order=url-desc'));
  expect(head?.slice(0, 4)).toEqual(['\ufeffNumber', 'To', 'Event', 'Owner']);
  expect(rows).toEqual([
    [
      '51',
      "'=cmd|x",
      'request.updated',
      ben.username,
      'Switched off',
      'its receiver kept failing',
      '3',
      '2026-02-27 09:00:00',
      '',
      since.slice(0, 10) + ' 09:00:00',
      'error at the receiver (503)',
      '2026-03-01 00:00:00',
    ],
  ]);
  expect(cells(await list('.csv')).length).toBe(52);
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

describe('failed jobs', () => {
  /** Failed mails, each an hour after the one before. */
  function fail(office: Office, times: number, { error, reason }: { error: string; reason?: string }): void {
    const insert = office.ctx.db.raw.prepare(`
      INSERT INTO jobs (kind, payload, state, attempt, runAt, createdAt, finishedAt, lastError, errors)
      VALUES ('send-mail', ?, 'failed', 4, @at, @at, @at, @error, @errors)`);
    for (let i = 0; i < times; i += 1) {
      const at = new Date(office.clock.now().getTime() - (i + 1) * HOUR).toISOString();
      const errors = JSON.stringify([{ attempt: 4, at, error, ...(reason && { reason }) }]);
      insert.run(MAIL, { at, error, errors });
    }
  }
  const MAIL = JSON.stringify({ mail: 'password-link', userId: 1 });

  test('are grouped by what failed and why, with their number, their ages and what helps; each group unfolds', async () => {
    const office = await startOffice();
    fail(office, 3, { error: 'the mail server does not answer', reason: 'unavailable' });
    fail(office, 1, { error: '550 no such user', reason: 'recipient_refused' });
    fail(office, 1, { error: 'TypeError: x is undefined' });
    const staff = await office.staff();

    const { text } = await staff.get('/admin/failed');
    const groups = text.split('<section class="card">').slice(1);
    expect(groups.length).toBe(3);
    for (const words of [
      'the mail server does not answer',
      'Try all 3 again',
      '3 hours ago',
      '1 hour ago',
      'Try again once it is back',
      'Show 3 jobs',
    ]) {
      expect(groups[0]).toContain(words);
    }
    expect(groups.slice(1).join()).toMatch(/The address does not work|The cause is not an outside service/);
    expect(titlesOfGroup(groups[0] ?? '')).toEqual(['1', '2', '3']);
    const turned = (await staff.get('/admin/failed?order=failedAt-asc&group=1')).text;
    expect(titlesOfGroup(turned)).toEqual(['3', '2', '1']);
    expect(turned).toContain('href="/admin/failed?group=1"');
    const [head, ...rows] = cells(await staff.get('/admin/failed.csv?error=550'));
    expect([head?.[3], rows.map((row) => row[3])]).toEqual(['Last error', ['550 no such user']]);
    expect((await staff.get('/admin/failed?kind=nonsense')).text).toContain('is not a valid value for “Job”');
    expect((await staff.get('/admin/failed?error=other')).text).toContain(
      'No failed job matches these filters.',
    );
  });

  test('of one group are tried again by one click; a second click says that they are gone', async () => {
    const office = await startOffice();
    fail(office, 2, { error: 'one error' });
    fail(office, 1, { error: 'another error' });
    const staff = await office.staff();
    await staff.get('/admin/failed');

    await staff.submit('/admin/failed/group', { of: '1' });
    await office.drain();
    const replayed = office.ctx.db.raw
      .prepare('SELECT id FROM jobs WHERE replays > 0 ORDER BY id')
      .pluck()
      .all();
    expect(replayed).toEqual([1, 2]);
    office.ctx.db.raw.exec("DELETE FROM jobs WHERE lastError = 'one error' OR replays > 0");
    await staff.get('/admin/failed');
    await staff.submit('/admin/failed/group', { of: '1' });
    expect(alerts(await staff.get('/admin/failed'))[0]?.message).toContain(
      'These jobs are no longer on the list',
    );
    expect((await staff.get('/admin/failed')).text).toContain('another error');
  });
});

function titlesOfGroup(group: string): string[] {
  return [...group.matchAll(/<td class="lead-cell"><span class="any">(\d+)</g)].map(([, id = '']) => id);
}

test('a document that is unknown here is settled by a form, with a reason; a second click says so', async () => {
  const office = await startOffice();
  await office.unknownDocument('sign/1', 'Contract of Anna');
  const staff = await office.staff();
  const { text } = await staff.get('/admin/todo');
  const path = /href="(\/admin\/todo\/unknown[^"]*)"/.exec(text)?.[1] ?? '';

  const form = await staff.get(path);
  expect(form.text).toContain('“Contract of Anna” (sign/1)');
  await staff.submit(path, { reason: ' ' });
  expect(alerts(await staff.get(path))).toEqual([{ type: 'danger', message: 'Please give a reason.' }]);
  await staff.submit(path, { reason: 'canceled in the console' });
  const after = await staff.get('/admin/todo');
  expect([alerts(after)[0]?.type, after.text.includes('Contract of Anna')]).toEqual(['success', false]);
  expect((await staff.get('/admin/history')).text).toContain('canceled in the console');
  await staff.submit(path, { reason: 'again' });
  expect(alerts(await staff.get('/admin/todo'))[0]?.message).toContain('it has been settled');
  expect((await staff.get(path)).status).toBe(303);
});

test('an event about no request links to none', async () => {
  const office = await startOffice();
  await deliverPayment(office, 'cs_unknown');
  const { text } = await (await office.staff()).get('/admin/inbox');
  expect(text).toContain('cs_unknown');
  expect(text).not.toContain('/admin/requests/');
});

test('money for a contract that is unknown here is settled by a form, with a reason; a second click says so', async () => {
  const office = await startOffice();
  await office.unknownPayment('cs/1');
  const staff = await office.staff();
  const { text } = await staff.get('/admin/todo');
  const path = /href="(\/admin\/todo\/unknown[^"]*)"/.exec(text)?.[1] ?? '';

  expect((await staff.get(path)).text).toContain(
    'Payment cs/1 (€120.00) came for a contract that is not recorded here',
  );
  await staff.submit(path, { reason: ' ' });
  expect(alerts(await staff.get(path))).toEqual([{ type: 'danger', message: 'Please give a reason.' }]);
  await staff.submit(path, { reason: 'refunded today' });
  const after = await staff.get('/admin/todo');
  expect([alerts(after)[0]?.type, after.text.includes('cs/1')]).toEqual(['success', false]);
  expect((await staff.get('/admin/history')).text).toContain('refunded today');
  await staff.submit(path, { reason: 'again' });
  expect(alerts(await staff.get('/admin/todo'))[0]?.message).toContain('it has been settled');
  expect((await staff.get(path)).status).toBe(303);
});

test('every page shows beside the name of the firm how many things need the office', async () => {
  const office = await startOffice();
  const shown = ({ text }: Page) => /class="needs"[^>]*>\s*<span[^>]*>([^<]*)</.exec(text)?.[1];
  expect(shown(await (await office.staff()).get('/admin/users'))).toBeUndefined();
  for (let i = 0; i < 12; i += 1) await office.unknownDocument(`sign-${i}`, 'Contract');
  office.clock.advance(20_000);
  const staff = await office.staff();
  expect(shown(await staff.get('/admin/users'))).toBe('9+');
  office.ctx.db.raw.exec(`UPDATE cases SET decidedAt = openedAt, decision = 'settled', decidedBy = 'cli:root'
    WHERE subject > 'sign-2'`);
  // What somebody does is counted at once.
  await staff.get('/admin/todo');
  await staff.submit('/admin/todo/unknown?document=sign-0', { reason: 'done' });
  expect(shown(await staff.get('/admin/users'))).toBe('4');
});
