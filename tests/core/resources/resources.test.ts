/** Every declared noun on every surface: the same filters, orders and columns under the same names, and the same rows. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Described, Filters, Resource } from '../../../src/core/resources/resource.js';
import { CONTRACTS } from '../../../src/core/resources/contracts.js';
import { DELIVERIES } from '../../../src/core/resources/deliveries.js';
import { EQUIPMENTS } from '../../../src/core/resources/equipments.js';
import { FAILED, JOBS } from '../../../src/core/resources/jobs.js';
import { HISTORY } from '../../../src/core/resources/history.js';
import { INBOX, REJECTED } from '../../../src/core/resources/inbox.js';
import { OFFERS } from '../../../src/core/resources/offers.js';
import { PAYMENTS } from '../../../src/core/resources/payments.js';
import { SESSIONS, USERS } from '../../../src/core/resources/users.js';
import { REPORTED } from '../../../src/core/resources/report.js';
import { PRICES } from '../../../src/core/resources/prices.js';
import { REQUESTS } from '../../../src/core/resources/requests.js';
import { shownFields, storedFields } from '../../../src/core/resources/show.js';
import { TROUBLESHOOTINGS } from '../../../src/core/resources/troubleshootings.js';
import { WEBHOOKS } from '../../../src/core/resources/webhooks.js';
import { todoIn } from '../../../src/core/resources/todo.js';
import { setPrice } from '../../../src/core/prices/price-list.js';
import { createOffer } from '../../../src/core/offers/offers.js';
import { createTroubleshooting } from '../../../src/core/troubleshootings/troubleshootings.js';
import { adviceText } from '../../../src/core/commands.js';
import { sayIn } from '../../../src/core/texts/index.js';
import { AccessTokens } from '../../../src/core/users/tokens.js';
import { createApp } from '../../../src/server/app.js';
import { openApiOf } from '../../../src/server/api/docs/openapi.js';
import { surveyOf } from '../../../src/server/api/docs/survey.js';
import type { UserRow } from '../../../src/db/schema.js';
import { findUserByUsername } from '../../../src/db/users/users.js';
import { ADMIN, officeOn, type Visitor } from '../../server/admin/support.js';
import { forAll, TESTER } from '../../support/app.js';
import { subscribed } from '../../support/subscriptions.js';
import { deliver, deliverRaw } from '../../support/webhooks.js';
import { json, jsonList, run, startCli, type Cli } from '../../cli/support.js';

type Row = Record<string, unknown>;

let cli: Cli;
let staff: Visitor;
/** What the API lists at this path. */
let itemsOf: (path: string) => Promise<Row[]>;

const idsOf = async (path: string) => (await itemsOf(path)).map(({ id }) => id);

// A little of everything, which is only read.
beforeAll(() =>
  forAll(async () => {
    cli = await startCli({}, undefined, { ESIGN_RATE_LIMIT_IP: '0', ESIGN_RATE_LIMIT_USER: '0' });
    const office = await officeOn(cli);
    for (const event of ['request.created', 'request.updated'] as const)
      await subscribed(cli, { url: `https://${event}.example.org/`, event });
    for (const name of ['zoe', 'ben', 'mia']) {
      const { signId } = await cli.waitingRequest({ username: `${name}@example.org` });
      cli.sandbox.sign(signId);
      await deliver(cli, signId);
    }
    await cli.drain();
    await deliverRaw(cli, '{}', 'sha256=00');
    await cli.addFailedJob();
    await cli.addFailedJob({ kind: 'complete-signature' });
    const boss = findUserByUsername(office.ctx.db, { username: ADMIN }) as UserRow;
    for (const requestId of [1, 2]) {
      await createOffer(cli.ctx, boss, { requestId, amount: 10_000 * requestId });
      await createTroubleshooting(cli.ctx, boss, { requestId, description: 'It drips' });
    }
    for (const words of ['boiler', 'pump'])
      await setPrice(cli.ctx, { words, amount: '100' }, { actor: TESTER });
    const token = await new AccessTokens(office.ctx).issue(boss);
    itemsOf = async (path) => {
      const response = await office.app.request(path, { headers: { Authorization: `Bearer ${token}` } });
      return ((await response.json()) as { 'hydra:member': Row[] })['hydra:member'];
    };
    staff = await office.staff();
  }),
);

/** Where a noun is listed; the API has only those that its callers own or administer. */
const NOUNS = {
  contracts: surfaces(CONTRACTS, listed('contracts')),
  equipments: surfaces(EQUIPMENTS, listed('equipments')),
  offers: surfaces(OFFERS, listed('offers')),
  prices: surfaces(PRICES, { page: '/admin/prices', command: ['prices', 'list'] }),
  troubleshootings: surfaces(TROUBLESHOOTINGS, listed('troubleshootings')),
  deliveries: surfaces(DELIVERIES, {
    page: '/admin/deliveries',
    command: ['webhooks', 'deliveries'],
    api: '/api/webhooks/{id}/deliveries',
  }),
  failed: surfaces(FAILED, { page: '/admin/failed', command: ['failed', 'list'] }),
  history: surfaces(HISTORY, { page: '/admin/history', command: ['history'] }),
  inbox: surfaces(INBOX, { page: '/admin/inbox', command: ['inbox', 'list'] }),
  jobs: surfaces(JOBS, { page: '/admin/jobs', command: ['jobs', 'list'] }),
  payments: surfaces(PAYMENTS, { page: '/admin/payments', command: ['payments', 'list'] }),
  requests: surfaces(REQUESTS, listed('requests')),
  webhooks: surfaces(WEBHOOKS, listed('webhooks')),
  users: surfaces(USERS, listed('users')),
};

function listed(name: string) {
  return { page: `/admin/${name}`, command: [name, 'list'], api: `/api/${name}` };
}

interface Surfaces {
  resource: Pick<Resource<never>, 'fields' | 'orders' | 'filters' | 'lead' | 'spare' | 'isCounted'>;
  page: string;
  command: string[];
  api?: string;
}

function surfaces<Row, F extends Filters, By extends string>(
  declared: Resource<Row, F, By>,
  where: Omit<Surfaces, 'resource'>,
): Surfaces {
  return { resource: declared, ...where };
}

const TABLE = Object.entries(NOUNS).map(([name, surfaces]) => ({ name, ...surfaces }));
const NO_NOUNS = ['fields', 'named', 'resource', 'show', 'tones'];

/** They stand on the pages and in the documents of others. */
const PARTS = {
  report: REPORTED,
  rejected: REJECTED,
  sessions: SESSIONS,
  todo: todoIn(adviceText),
};

test('every declaration is here', () => {
  const files = readdirSync(join(import.meta.dirname, '../../../src/core/resources'));
  const declared = files.map((file) => file.replace('.ts', '')).filter((name) => !NO_NOUNS.includes(name));
  // Of two that belong together, one file has both.
  expect([...Object.keys(NOUNS), ...Object.keys(PARTS)]).toEqual(expect.arrayContaining(declared));
});

test('the document of a request has its contracts and payments with every field of their nouns', async () => {
  const { contracts, payments } = json(await cli.run('requests', 'show', '1', '--json')) as Record<
    string,
    Record<string, unknown>[]
  >;
  expect(contracts).toEqual(jsonList(await cli.run('contracts', 'list', '--request', '1', '--json')));
  expect(payments?.map(Object.keys)).toEqual([storedFields(PAYMENTS).map(([name]) => name)]);
});

/** Its documents have every field of the noun, its table the columns, and its file the labels; the rows of document and file. */
async function hasEveryField<R>(noun: Described<R>, ...words: string[]) {
  const fields = storedFields(noun);
  const rows = jsonList(await cli.run(...words, '--json'));
  for (const row of rows) expect(Object.keys(row)).toEqual(fields.map(([name]) => name));
  const [head = ''] = (await cli.run(...words)).stdout.split('\n');
  expect(head.split('\t')).toHaveLength(shownFields(noun).length);
  const { stdout: file } = await cli.run(...words, '--csv');
  const [labels = '', ...lines] = file.trimEnd().split('\r\n');
  const say = sayIn('en');
  expect(labels.replaceAll(/\ufeff| \(\S+\)/g, '')).toBe(fields.map(([, { label }]) => say(label)).join(','));
  expect(lines).toHaveLength(rows.length);
  return { rows, lines, file };
}

test('what needs the office has every field of its noun, in its file on both surfaces', async () => {
  const { rows, lines, file } = await hasEveryField(PARTS['todo'], 'todo');
  expect(json(await cli.run('status', '--json'))).toMatchObject({ todo: rows });
  for (const [n, line] of lines.entries()) expect(line).toContain(rows[n]?.['next']);
  expect((await staff.get('/admin/todo.csv')).text).toBe(file);
  expect((await cli.run('todo', '--csv', '--json')).code).toBe(2);
});

test('calls that were turned away have every field of their noun', async () => {
  const { lines } = await hasEveryField(REJECTED, 'inbox', 'list', '--rejected');
  expect(lines[0]).toContain('signature is wrong');
});

test('lists of amounts say what all that is found adds up to', async () => {
  const page = async (path: string) => (await staff.get(path)).text;
  expect(await page('/admin/requests')).toContain('5 requests · €600.00');
  expect(await page('/admin/requests?search=mia')).toContain('1 request · €120.00');
  expect(await page('/admin/contracts')).toContain('Contracts · €600.00');
  expect(await page('/admin/payments?state=open')).toContain('Payments · €360.00');
  expect(await page('/admin/payments?state=paid')).toContain('Payments<');
  expect((await cli.run('payments', 'list')).stderr).toBe('3 payments, €360.00\n');
  expect((await cli.run('contracts', 'list', '--limit', '1')).stderr).toContain(
    '1 of 5 contracts shown, €600.00 in all',
  );
  // Prices a piece are no money that adds up.
  expect((await cli.run('prices', 'list')).stderr).toMatch(/^\d+ prices?\n$/);
});

test.each([
  ['/admin/inbox', headsOf(REJECTED)],
  ['/admin/sessions', headsOf(SESSIONS)],
])('the table on %s has a column for every field that has its own', async (page, heads) => {
  const { text } = await staff.get(page);
  for (const head of heads) expect(text).toContain(`>${head}</span>`);
});

function headsOf<Row>(noun: Described<Row>): string[] {
  const own = shownFields(noun).filter(([, { under }]) => under === undefined);
  return own.map(([, { label }]) => sayIn('en')(label));
}

/** What a member of this name is in an item of the API, and not in a list. */
const OTHERWISE = {
  attempts: 'the log of the tries',
  lastError: 'the word, not what it means',
  owner: 'the IRI of the user, as it is written there too',
};

/** Fields that are members of the API under another name: links have no number, and every state is a `status`. */
const MEMBERS: Record<string, string> = { requestId: 'request', webhookId: 'webhook', state: 'status' };

/** Times of the API have whole seconds and their offset. */
function asItem(value: unknown): unknown {
  return typeof value === 'string'
    ? value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{3}Z$/, '$1+00:00')
    : value;
}

/** A span is asked for by its two ends. */
function namesOf({ filters }: { filters: Filters }): string[] {
  return Object.entries(filters).flatMap(([name, { kind }]) =>
    kind === 'span' ? ['since', 'until'] : [name],
  );
}

/** The field of a row that a filter of another name looks at. */
const FIELDS_OF: Record<string, string[]> = {
  status: ['state'],
  owner: ['customer'],
  request: ['requestId'],
  webhook: ['webhookId'],
  subject: ['subjectId'],
};
const flagOf = (name: string) => `--${name.replaceAll(/(?=[A-Z])/g, '-').toLowerCase()}`;

/** They find more than the rows whose field is the same, or the rows do not show it. */
const NOT_BY_FIELD = ['search', 'error', 'about', 'by', 'what', 'term', 'equipment'];

describe.each(TABLE)('$name', ({ resource, page, command, api }) => {
  const names = namesOf(resource);
  const orders = Object.keys(resource.orders);

  test('command, file and page have every filter and order, and every field as a member, as a column and under its label', async () => {
    const { stdout: help } = await run([...command, '--help']);
    for (const name of [...names, 'order', 'csv', 'cursor', 'limit']) expect(help).toContain(flagOf(name));
    const choices = Object.values(resource.filters).flatMap(({ words = [] }) => words);
    for (const word of [...choices, ...orders.map((by) => `${by}-desc`)])
      expect(help.replaceAll(/\s+/g, ' ')).toContain(`"${word}"`);
    const [head = ''] = (await cli.run(...command)).stdout.split('\n');
    const words = shownFields(resource).map(
      ([name, { head }]) => head ?? name.replaceAll(/(?=[A-Z])/g, ' ').toUpperCase(),
    );
    expect(head.split('\t').toSorted()).toEqual(words.toSorted());
    for (const row of jsonList(await cli.run(...command, '--json')))
      expect(Object.keys(row)).toEqual(storedFields(resource).map(([name]) => name));

    const say = sayIn('en');
    const labels = storedFields(resource).map(([, { label }]) => say(label));
    const headOf = (text: string) =>
      (text.replace('\ufeff', '').split('\r\n')[0] ?? '').replaceAll(/ \(\S+\)/g, '');
    const { stdout } = await cli.run(...command, '--csv');
    expect(headOf(stdout)).toBe(labels.join(','));
    expect((await staff.get(`${page}.csv`)).text).toBe(stdout);

    for (const name of names) {
      const { words = [], kind } = resource.filters[name] ?? {};
      const value = words[0] ?? (kind === 'flag' ? 'true' : '2026-03-02');
      const { text } = await staff.get(`${page}?${name}=${value}`);
      expect([name, text.includes(`name="${name}"`)]).toEqual([name, true]);
    }
    for (const by of orders)
      for (const direction of ['asc', 'desc']) {
        const { text } = await staff.get(`${page}?order=${by}-${direction}`);
        expect(text).toContain(`aria-sort="${direction}ending"`);
      }
  });

  test('every filter finds the rows that have its value, on every surface; every span those of its time; orders have two ways, and parts follow each other', async () => {
    const listed = async (...words: string[]) => jsonList(await cli.run(...command, ...words, '--json'));
    const all = await listed();
    expect(all.length).toBeGreaterThan(1);
    const path = api?.replace('{id}', '2') ?? '';
    const finds = async (name: string, value: string, rows: Row[]) => {
      expect([name, value, await listed(flagOf(name), value)]).toEqual([name, value, rows]);
    };
    const findsEverywhere = async (name: string, value: string, rows: Row[]) => {
      await finds(name, value, rows);
      const query = `${name}=${encodeURIComponent(value)}`;
      const { stdout: file } = await cli.run(...command, flagOf(name), value, '--csv');
      expect((await staff.get(`${page}.csv?${query}`)).text).toBe(file);
      const ids = rows.map(({ id }) => id);
      const isInApi = api && name !== 'owner' && !api.includes(`${name}s/{id}`);
      expect(isInApi ? await idsOf(`${path}?${query}`) : ids).toEqual(ids);
    };
    for (const [name, { kind, words }] of Object.entries(resource.filters)) {
      if (NOT_BY_FIELD.includes(name)) continue;
      const field = [name, ...(FIELDS_OF[name] ?? [])].find((each) => all[0] && each in all[0]);
      if (!field) throw new Error(`which field does the filter "${name}" look at?`);
      if (kind === 'span') {
        const time = all.map((row) => String(row[field])).toSorted()[1] ?? '';
        await finds(
          'since',
          time,
          all.filter((row) => String(row[field]) >= time),
        );
        const earlier = all.filter((row) => String(row[field]) < time);
        await finds('until', time, earlier);
      } else {
        // Also what no row has: where all have the same value, no filter at all would find the same rows.
        const others = kind === 'flag' ? ['true', 'false'] : kind === 'ref' ? ['1'] : (words ?? []);
        const values = new Set([...all.map((row) => String(row[field])), ...others]);
        if (values.size < 2) throw new Error(`nothing differs by "${name}"`);
        for (const value of values)
          await findsEverywhere(
            name,
            value,
            all.filter((row) => String(row[field]) === value),
          );
      }
    }

    // Behind the last row of a part the next one begins, in either direction.
    const usual = await listed('--order', `${orders[0]}-asc`);
    expect([usual, usual.toReversed()]).toContainEqual(all);
    for (const by of orders) {
      const whole = await listed('--order', `${by}-asc`);
      for (const [way, rows] of [
        ['asc', whole],
        ['desc', whole.toReversed()],
      ] as const) {
        const seen: Row[] = [];
        for (let cursor: string | undefined = ''; cursor !== undefined;) {
          const on = cursor === '' ? [] : ['--cursor', cursor];
          const part = await cli.run(...command, '--order', `${by}-${way}`, '--limit', '2', ...on, '--json');
          seen.push(...jsonList(part));
          // How many there are is said where that is known at once.
          const said = `${resource.isCounted ? `^2 of ${all.length} [^]+` : ''}--cursor (\\S+) goes on`;
          cursor = new RegExp(said).exec(part.stderr)?.[1];
        }
        expect(seen).toEqual(rows);
      }
    }
  });

  test('a narrow terminal leaves out columns that the command has, never the number or what a row is about', () => {
    const shown = shownFields(resource).map(([name]) => name);
    expect(shown).toEqual(expect.arrayContaining([...resource.spare]));
    expect(resource.spare).not.toContain('id');
    expect(resource.spare).not.toContain(resource.lead);
  });

  if (api)
    test('every stored field is a documented member of the API, and in the item where the row has a value', async () => {
      const items = await itemsOf(api.replace('{id}', '2'));
      const { resources } = surveyOf(createApp(cli.ctx));
      const { fields } = resources.find(({ type }) => type === items[0]?.['@type']) ?? {};
      const memberOf = (name: string) => MEMBERS[name] ?? name;
      const stored = storedFields(resource).map(([name]) => name);
      expect(Object.keys(fields?.shape ?? {})).toEqual(expect.arrayContaining(stored.map(memberOf)));
      const rows = jsonList(await cli.run(...command, '--json'));
      for (const [i, row] of rows.entries()) {
        const filled = stored.filter((name) => row[name] !== null);
        expect(Object.keys(items[i] ?? {})).toEqual(expect.arrayContaining(filled.map(memberOf)));
      }
    });

  if (api)
    test('the collection of the API documents every filter and order, and every surface lists the same rows in the same order', async () => {
      const { routes, resources } = surveyOf(createApp(cli.ctx));
      const { paths } = openApiOf({ routes, resources }, { baseUrl: 'https://x.test', version: '1' });
      const { parameters = [] } = (paths[api]?.['get'] ?? {}) as { parameters?: { name?: string }[] };
      const documented = parameters.flatMap(({ name }) => name ?? []);
      const asked = Object.entries(resource.filters).filter(([name]) => !api.includes(`${name}s/{id}`));
      for (const [name, { kind }] of asked)
        expect(documented).toContain(kind === 'span' ? `${name}[after]` : name);
      const path = api.replace('{id}', '2');
      const listed = async (...order: string[]) =>
        jsonList(await cli.run(...command, ...order, '--json')).map(({ id }) => id);
      expect(await idsOf(path)).toEqual(await listed());
      const rows = jsonList(await cli.run(...command, '--json'));
      for (const [i, item] of (await itemsOf(path)).entries()) {
        const row = rows[i] ?? {};
        const shared = Object.keys(item).filter((name) => name in row && !(name in OTHERWISE));
        expect(shared.map((name) => item[name])).toEqual(shared.map((name) => asItem(row[name])));
      }
      for (const by of orders) {
        expect(documented).toContain(`order[${by}]`);
        for (const direction of ['asc', 'desc'])
          expect(await idsOf(`${path}?order[${by}]=${direction}`)).toEqual(
            await listed('--order', `${by}-${direction}`),
          );
      }
    });
});
