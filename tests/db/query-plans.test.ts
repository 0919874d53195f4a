/**
 * No query reads a whole table that grows. Every exported function of src/db is called with a database that only writes
 * down what it would run; SQLite then tells how it would find the rows.
 */
import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate.js';
import { openDb } from '../../src/db/open.js';
import { FIGURES } from '../../src/db/contracts/report.js';
import type { Own } from '../../src/db/page.js';
import type { ContractFilter } from '../../src/db/contracts/lists.js';
import type { RequestFilter } from '../../src/db/requests/requests.js';
import { PRUNABLE } from '../../src/db/installation/prune.js';
import { aRecorder, stepsOf, type Run } from './support.js';

/** Files of src/db that hold no query of the service, or whose queries are run by others or read by other tests (request-lists.test.ts, contract-lists.test.ts, counts.test.ts). */
const OTHERS = [
  'caught',
  'own-process',
  'page',
  'installation/daemon-lock',
  'db',
  'installation/known-ids',
  'migrate',
  'open',
  'schema',
  'installation/snapshot',
  'sql',
  'table',
  'watch',
  'writer',
];

/** They ask nothing, write what others read, or make what runs. */
const NO_QUERIES = ['databaseTrouble', 'probeSpace', 'isWholeOnDisk', 'keepLanes', 'changeJobs', 'changeJob'];

/** What these read whole stays small: the newest thousand, a day's answers, or one row a name. */
const SMALL_TABLES = [
  'rejectedDeliveries',
  'idempotencyKeys',
  'counters',
  'locks',
  'failingRuns',
  'settingsInForce',
  'prices',
];

/** They hold only what runs, what has failed, the administrators, and erased accounts. */
const SMALL_INDEXES = [
  'jobsFailed',
  'deliveriesFailed',
  'deliveriesPending',
  'usersErased',
  'usersAdministrators',
];

/** A count without a filter has to count, as has one whose filter goes through an index in the order of the list, or is of the few webhooks. */
const COUNTS_ALL = [
  'listUserPage',
  'listOffers',
  'listTroubleshootings',
  'listRequests',
  'listContracts',
  'countRequestsByStatus',
  'countContractsByStatus',
  'listPayments',
  'sumRequests',
  'sumContracts',
  'sumPayments',
  'listEquipments',
  'countWebhooks',
  'listWebhooks',
];

/** A restore changes whole tables of data that nobody uses yet. */
const CHANGES_ALL = ['deleteAllSessions', 'deleteAllRefreshTokens', 'voidAccessTokens'];

/** Counts what waits, kind by kind, from the index that holds nothing else. */
const COUNTS_WAITING = ['countOpenJobs'];

/** Stands for every argument: each member of it is a value again. */
const ANYTHING: object = new Proxy(() => undefined, {
  get: (_, name) => {
    if (name === Symbol.toPrimitive) return () => 1;
    if (name === Symbol.iterator) return () => [].values();
    if (name === 'toJSON') return () => [];
    if (name === 'length') return 0;
    if (['map', 'filter', 'flatMap'].includes(String(name))) return () => [];
    return ANYTHING;
  },
});

const ANY_TIME = { from: null, until: null };
const NO_FILTER: RequestFilter = { owner: null, status: null, equipment: null, createdAt: ANY_TIME };
const YEAR = { from: '2026', until: '2027' };
const FILTERS: RequestFilter[] = [
  {},
  { owner: [1] },
  { owner: [1, 2] },
  { status: ['new'] as const },
  { equipment: [1] },
  { createdAt: YEAR },
  { owner: [1], status: ['new', 'COMPLETE'] as const },
  { owner: [1], createdAt: YEAR },
  { owner: [1], status: ['new'] as const, equipment: [1, 2], createdAt: YEAR },
].map((filter) => ({ ...NO_FILTER, ...filter }));
const CONTRACT_FILTERS: (ContractFilter & Own)[] = [
  {},
  { ownerId: 1 },
  { status: ['PENDING'] as const },
  { request: [1] },
  { createdAt: YEAR },
].map((filter) => ({
  ownerId: null,
  status: null,
  request: null,
  term: null,
  createdAt: ANY_TIME,
  ...filter,
}));
const PAYMENT_FILTERS = [{}, { state: ['open'] }, { request: [1] }, { createdAt: YEAR }].map((filter) => ({
  state: null,
  request: null,
  createdAt: ANY_TIME,
  ...filter,
}));
const ATTACHED_FILTERS = [{}, { ownerId: 1 }, { status: ['x'] }, { request: [1] }, { createdAt: YEAR }].map(
  (filter) => ({ ownerId: null, status: null, request: null, term: null, createdAt: ANY_TIME, ...filter }),
);
const EQUIPMENT_FILTERS = [null, [1]].flatMap((owner) =>
  [null, ['SN-1']].map((serialNumber) => ({ owner, serialNumber })),
);
const USER_FILTERS = [null, ['anna@example.org']].map((username) => ({ username }));
const WEBHOOK_FILTERS = [null, [1]].flatMap((owner) =>
  [null, ['request.created']].flatMap((event) => [null, true].map((active) => ({ owner, event, active }))),
);
const DELIVERY_FILTERS = [
  {},
  { webhook: [1] },
  { status: ['failed'] },
  { webhook: [1], status: ['failed'] },
  { webhook: [1], status: ['pending', 'failed'] },
  { request: [1] },
  { webhook: [1], request: [1], status: ['pending'] },
  { status: ['pending'] },
  { createdAt: YEAR },
].map((filter) => ({ webhook: null, status: null, request: null, createdAt: ANY_TIME, ...filter }));
const SPAN = { from: '2026-10', until: '2026-11', overdueSince: '2026-11' };
const DIRECTIONS = ['asc', 'desc'] as const;
const PAGE = { limit: 30, offset: 0 };
const FAILED_FILTERS = [
  {},
  { kind: ['send-mail'] },
  { error: 'x' },
  { same: { kind: 'send-mail', lastError: null } },
  { failedAt: { from: '2026', until: '2027' } },
];

/** Arguments, after the database, of functions whose SQL depends on them. */
const SHAPES: Record<string, readonly unknown[][]> = {
  firstDueTimes: [[['send-mail', 'deliver-webhook']]],
  prune: PRUNABLE.map((what) => [what, { before: '2026', limit: 10 }]),
  countPrunable: PRUNABLE.map((what) => [what, '2026']),
  listRequests: FILTERS.flatMap((filter) => DIRECTIONS.map((direction) => [{ filter, direction, ...PAGE }])),
  listLongestWaiting: [
    [{ status: 'WAITING_SIGNATURE', now: '2026', limit: 1 }],
    [{ status: 'WAITING_PAYMENT', now: '2026', limit: 1 }],
  ],
  walkRequests: FILTERS.flatMap((filter) =>
    DIRECTIONS.map((direction) => [{ filter, direction, past: { id: 9, key: '2026' }, limit: 30 }]),
  ),
  listContracts: CONTRACT_FILTERS.flatMap((filter) =>
    DIRECTIONS.map((direction) => [{ filter, direction, ...PAGE }]),
  ),
  walkContracts: CONTRACT_FILTERS.flatMap((filter) =>
    DIRECTIONS.map((direction) => [{ filter, direction, past: { id: 9, key: '2026' }, limit: 30 }]),
  ),
  listPayments: PAYMENT_FILTERS.flatMap((filter) =>
    DIRECTIONS.map((direction) => [{ filter, direction, ...PAGE }]),
  ),
  walkPayments: PAYMENT_FILTERS.flatMap((filter) =>
    DIRECTIONS.map((direction) => [{ filter, direction, past: { id: 9, key: '2026' }, limit: 30 }]),
  ),
  // Without a filter it adds up all of them.
  sumRequests: FILTERS.slice(1).map((filter) => [filter]),
  sumContracts: CONTRACT_FILTERS.map((filter) => [filter]),
  sumPayments: PAYMENT_FILTERS.map((filter) => [filter]),
  listReported: FIGURES.map((figure) => [figure, SPAN, 30]),
  countReported: FIGURES.map((figure) => [figure, SPAN]),
  sumReported: FIGURES.map((figure) => [figure, SPAN]),
  listEquipments: EQUIPMENT_FILTERS.flatMap((filter) =>
    DIRECTIONS.flatMap((direction) =>
      ['createdAt', 'name'].map((by) => [{ filter, by, direction, ...PAGE }]),
    ),
  ),
  walkEquipments: EQUIPMENT_FILTERS.flatMap((filter) =>
    DIRECTIONS.map((direction) => [{ filter, by: 'name', direction, past: { id: 1, key: 'x' }, limit: 30 }]),
  ),
  listUserPage: USER_FILTERS.map((filter) => [{ filter, by: 'createdAt', direction: 'asc', ...PAGE }]),
  countWebhooks: WEBHOOK_FILTERS.map((filter) => [filter]),
  listWebhooks: WEBHOOK_FILTERS.map((filter) => [{ filter, direction: 'asc', ...PAGE }]),
  listDeliveries: DELIVERY_FILTERS.flatMap((filter) =>
    DIRECTIONS.map((direction) => [{ filter, direction, past: { id: 9 }, limit: 30 }]),
  ),
  listDeliveryPage: DELIVERY_FILTERS.filter(({ webhook }) => webhook).map((filter) => [
    { filter, direction: 'desc', ...PAGE },
  ]),
  listInbox: [
    {},
    { source: ['payment'] },
    { state: ['received'] },
    { source: ['payment'], state: ['refused', 'done'], time: YEAR },
    { subject: ['x'], source: ['payment'], state: ['refused'] },
  ].flatMap((filter) =>
    DIRECTIONS.map((direction) => [
      { subject: null, source: null, state: null, time: ANY_TIME, direction, limit: 30, ...filter },
    ]),
  ),
  firstIdSince: ['history', 'inbox', 'deliveries'].map((table) => [table, '2026']),
  walkUsers: DIRECTIONS.flatMap((direction) =>
    ['createdAt', 'username'].map((by) => [
      { filter: { username: null }, by, direction, past: { id: 1, key: 'x' }, limit: 30 },
    ]),
  ),
  walkWebhooks: DIRECTIONS.flatMap((direction) =>
    WEBHOOK_FILTERS.map((filter) => [
      { filter, by: 'createdAt', direction, past: { id: 1, key: '' }, limit: 30 },
    ]),
  ),
  listDeliveriesIn: ['failed', 'pending'].flatMap((state) =>
    [{}, { webhookId: 1 }, { since: '2026' }].map((filter) => [state, { event: 'ping', ...filter }]),
  ),
  searchHistory: [
    {},
    { actor: 'user:anna@example.org' },
    { actor: 'webhook' },
    { what: 'user.created' },
    { what: 'mail.sent' },
    { subject: 'user:1' },
    { requestId: 1, contractId: 2 },
    { ownerId: 1 },
    { since: '2026' },
    { actor: 'cli:root', what: 'payment.renewed', since: '2026' },
  ].map((filter) => [{ pastId: 9, limit: 30, ...filter }]),
  listRequestTexts: FILTERS.map((filter) => [{ match: '"abc"', filter, limit: 10 }]),
  listCustomerTexts: [[{ match: '"abc"', limit: 10 }]],
  ...Object.fromEntries(
    ['Offers', 'Troubleshootings'].flatMap((name) => [
      [
        `list${name}`,
        ATTACHED_FILTERS.flatMap((filter) => DIRECTIONS.map((direction) => [{ filter, direction, ...PAGE }])),
      ],
      [
        `walk${name}`,
        ATTACHED_FILTERS.map((filter) => [
          { filter, direction: 'asc', past: { id: 9, key: '2026' }, limit: 30 },
        ]),
      ],
    ]),
  ),
  listFailedJobs: FAILED_FILTERS.flatMap((filter) =>
    DIRECTIONS.map((direction) => [filter, { limit: 10, direction, past: { id: 1, key: '2026' } }]),
  ),
  listOpenJobs: DIRECTIONS.flatMap((direction) =>
    [undefined, { id: 1, key: '2026' }].map((past) => [
      { kinds: ['send-mail', 'confirm-end'], states: ['available', 'running'], direction, past, limit: 10 },
    ]),
  ),
  listFailedGroups: FAILED_FILTERS.map((filter) => [filter, 10]),
  listFailedIds: FAILED_FILTERS.map((filter) => [filter]),
  countFailedJobs: FAILED_FILTERS.map((filter) => [filter]),
  listFailedErrors: FAILED_FILTERS.map((filter) => [filter]),
};

interface Examined extends Run {
  name: string;
}

async function everyQuery(): Promise<Examined[]> {
  const directory = new URL('../../src/db/', import.meta.url);
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('migrations') && !OTHERS.includes(file.slice(0, -3)),
  );
  const found: Examined[] = [];
  for (const file of files) {
    const exported = (await import(new URL(file, directory).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value !== 'function' || NO_QUERIES.includes(name)) continue;
      const { db, runs } = aRecorder(ANYTHING);
      for (const args of SHAPES[name] ?? [[ANYTHING, ANYTHING, ANYTHING, ANYTHING]]) {
        (value as (...all: unknown[]) => unknown)(db, ...args);
      }
      if (runs.length === 0) throw new Error(`${name} ran nothing: give it arguments in SHAPES`);
      found.push(...runs.map((run) => ({ name, ...run })));
    }
  }
  return found;
}

const queries = await everyQuery();

test('the queries of every file were found', () => {
  expect(new Set(queries.map(({ name }) => name)).size).toBeGreaterThan(40);
});

/** One for all: a plan changes nothing. */
const db = openDb(':memory:', { busyTimeoutMs: 0 });
migrate(db);
afterAll(() => db.close());

function planOf({ sql, parameters }: Run): string[] {
  return stepsOf(db, { sql, parameters: parameters.map((value) => (value === ANYTHING ? '[]' : value)) });
}

const sorts = (plan: string[]) => plan.some((line) => line.includes('TEMP B-TREE'));

describe('rows are found by an index', () => {
  test.each(queries)('$name: $sql', (query) => {
    const plan = planOf(query);
    // In the order of an index or of the ids, and cut off at the limit.
    const isPage = /\blimit\b/.test(query.sql) && !sorts(plan);
    const isWholeCount =
      COUNTS_ALL.includes(query.name) &&
      !/\bwhere\b(?! true$| (?:true and )?\+?"(status|state|event|active)"| "id" in \(select | "contracts"."requestId" =)/.test(
        query.sql,
      );
    const small = COUNTS_WAITING.includes(query.name) ? ['INDEX jobsOpen'] : [];
    const scans = plan.filter(
      (line) =>
        line.startsWith('SCAN ') &&
        // A subquery, whose own lines stand above.
        !/VIRTUAL TABLE|CONSTANT|SCAN (found|page)$/.test(line) &&
        ![...SMALL_TABLES, ...SMALL_INDEXES, ...small].some((name) => line.includes(name)),
    );
    const isWhole = isWholeCount || CHANGES_ALL.includes(query.name);
    expect(isPage || isWhole ? [] : scans).toEqual([]);
  });
});

test('no query is planned again for each value: parameters are expressions', () => {
  for (const { sql } of queries) expect(sql).not.toMatch(/(?<!\+)\?/);
});

const plansOf = (name: string, part: RegExp) =>
  queries.filter((query) => query.name === name && part.test(query.sql)).map((query) => planOf(query));

test('the inbox by source or state is read from the index made for it, whatever it merges', () => {
  const plans = plansOf('listInbox', /where "id" > .*"source" = /).filter(
    (plan) => !plan.join().includes('inboxBySubject'),
  );
  expect(plans.length).toBeGreaterThan(5);
  for (const plan of plans) {
    const steps = plan.filter((line) => / inbox\b/.test(line) && !line.includes('INTEGER PRIMARY KEY'));
    const range = 'inboxBySourceAndState (source=? AND state=? AND id';
    expect(steps).toEqual(steps.map(() => expect.stringContaining(range)));
    expect(sorts(plan)).toBe(false);
  }
});

test('deliveries that wait are read from their own index', () => {
  const plan = plansOf('listDeliveries', /where "state" = 'pending'/)[0];
  expect(plan?.join()).toContain('deliveriesPending');
});

test('the history of a person, a word or a thing is read from the index made for it', () => {
  const plans = queries
    .filter(({ name, sql }) => name === 'searchHistory' && /where "id" < \+\? and/.test(sql))
    .map((query) => planOf(query).join());
  for (const index of ['historyByActor', 'historyByWord', 'historyBySubject', 'historyByRequest']) {
    expect(plans.filter((plan) => plan.includes(index))).not.toEqual([]);
  }
});

test('the events of a request are found by what they are about, however many there are of their source', () => {
  const plans = queries
    .filter(({ name }) => name === 'listInboxOfSubjects')
    .map((query) => planOf(query).join());
  expect(plans).toEqual([expect.stringContaining('inboxBySubject')]);
});

describe('a filter of a list finds its rows in the index made for it', () => {
  test.each([
    ['users', ['sqlite_autoindex_users']],
    ['equipments', ['equipmentsBySerialNumber', 'sqlite_autoindex_equipments', 'equipmentsBy']],
    ['deliveries', ['deliveriesByWebhook', 'deliveriesFailedByWebhook']],
    ['contracts', ['contractsBy', 'requestsByOwner']],
    ['payments', ['paymentsBy']],
    ['offers', ['offersBy']],
    ['troubleshootings', ['troubleshootingsBy']],
  ])('%s', (table, indexes) => {
    const filtered = queries.filter(
      ({ name, sql }) => FILTERED.test(name) && new RegExp(`from "${table}" where`).test(sql),
    );
    expect(filtered.length).toBeGreaterThan(1);
    for (const query of filtered) {
      const plan = planOf(query).filter((line) => line.includes(` ${table} `));
      const found = plan.map((line) => indexes.some((index) => line.includes(` ${index}`)));
      expect({ sql: query.sql, plan, found }).toEqual({ sql: query.sql, plan, found: [true] });
    }
  });
});

const FILTERED =
  /^(listUserPage|countWebhooks|listDeliveryPage|list(Equipments|Contracts|Payments|Offers|Troubleshootings))$/;

describe('what is asked for all day long uses the index made for it, and never sorts', () => {
  test.each([
    ['claimJobs', 'jobsOpen'],
    ['firstDueTimes', 'jobsOpen'],
    ['listOpenJobs', 'jobsOpen'],
    ['listRunningJobs', 'jobsOpen'],
    ['findContractBySignId', 'sqlite_autoindex_contracts'],
    ['findCurrentContract', 'contractsByRequest'],
    ['listDueContracts', 'contractsByExpiry'],
    ['listFailedJobs', 'jobsFailed'],
    ['listHistory', 'historyByRequest'],
    ['listNewestHistory', 'historyByRequest'],
    ['listRequestsInStatus', 'requestsByStatus'],
    ['listLongestWaiting', 'requestsByStatusSince'],
    ['listDueRequests', 'requestsDueAt'],
    ['listRequestsOfOwnerIn', 'requestsByOwner'],
    ['listRefusedMails', 'jobsRefused'],
    ['listDisabledWebhooks', 'webhooksDisabled'],
    ['listInboxBodiesOf', 'inboxBySubject'],
    ['findInboxEvent', 'sqlite_autoindex_inbox'],
    ['hasSubscribers', 'webhooksListening'],
    ['claimInLanes', 'lanesFree'],
    ['claimInLanes', 'jobsByLane'],
    ['firstDueTimes', 'lanesFree'],
    ['listDeliveryPage', 'deliveriesByWebhook'],
    ['findSession', 'sqlite_autoindex_sessions'],
    ['listEndingSoon', 'contractsToSign'],
    ['listLastSigned', 'contractsBySigning'],
    ['listPerhapsSent', 'contractsUnfinished'],
  ])('%s uses %s', (name, index) => {
    const plan = planOf(queries.find((query) => query.name === name) as Run);
    expect(plan.join('\n')).toContain(index);
    expect(plan.join('\n')).not.toContain('TEMP B-TREE');
  });
});
