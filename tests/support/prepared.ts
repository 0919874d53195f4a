/**
 * Requests that have been sent, copied from one that was really sent: its four calls to the provider took longer than most tests.
 * A copy has ids, keys, names and links of its own, here and at the provider, and the times of its own clock
 * (tests/prepared.test.ts compares it with a real one).
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Clock } from '../../src/core/clock.js';
import type { Context } from '../../src/core/context.js';
import { draftPdfPath } from '../../src/core/contracts/contract-files.js';
import type { Db } from '../../src/db/db.js';
import { findInstallationId } from '../../src/db/installation/installation.js';
import type { Mail } from '../../sandbox/mailbox.js';
import type { SignatureRequest } from '../../sandbox/signature/types.js';
import type { Sandbox } from '../../sandbox/start.js';

/** Where its rows are, in an order in which each finds those that it names. */
const TABLES = ['users', 'equipments', 'requests', 'contracts', 'history'] as const;
type Table = (typeof TABLES)[number];
const NAMED: Record<string, Table> = {
  ownerId: 'users',
  equipmentId: 'equipments',
  requestId: 'requests',
  contractId: 'contracts',
};

type Row = Record<string, string | number | null>;
type Ids = Record<Table, number>;

interface Sent {
  /** By the clock of the service, and by the other one. */
  at: readonly number[];
  rows: Record<Table, Row[]>;
  signature: SignatureRequest;
  mails: readonly Mail[];
  calls: Record<string, number>;
  draft: Buffer;
  /** What is another one in each copy, and in the order in which the provider makes its own. */
  words: string[];
  drawn: { length?: number; value: string }[];
}

export interface Place {
  ctx: Context;
  sandbox: Sandbox;
  /** By which the customer and the request are made; the contract is made by that of the service. */
  clock: Clock;
}

/** By everything that the terms of a contract depend on. `once`: the next one is worth keeping. */
const prepared = new Map<string, Sent | 'once'>();

/** Sends a request by `send`, or copies one that was sent so; both return its id. */
export async function sendOrCopy(
  place: Place,
  people: { username: string; serialNumber: string },
  send: () => Promise<number>,
): Promise<number> {
  const key = keyOf(place);
  const known = prepared.get(key);
  if (typeof known === 'object') return copy(place, people, known);
  if (known === undefined) {
    prepared.set(key, 'once');
    return send();
  }
  const { id, sent } = await recorded(place, send);
  if (isAlone(sent)) prepared.set(key, sent);
  return id;
}

/** Nothing strikes its calls, nobody is told of it, and no limit counts them. */
export function canCopy({ ctx, sandbox }: Place): boolean {
  const { faults, settings } = sandbox.world;
  return (
    faults.isEmpty &&
    settings.rateLimit.minute >= 1_000 &&
    ctx.db.raw.prepare('SELECT 1 FROM webhooks').get() === undefined
  );
}

function keyOf({ ctx, sandbox }: Place): string {
  const { dataDir: _data, apiUrl: _api, paymentApiUrl: _payment, smtpUrl: _smtp, ...settings } = ctx.config;
  const { publicUrl: _public, ...theirs } = sandbox.world.settings;
  const day = (timeZone: string) => ctx.clock.now().toLocaleDateString('sv', { timeZone });
  return JSON.stringify([settings, theirs, day('UTC'), day(ctx.config.timeZone)]);
}

async function recorded(place: Place, send: () => Promise<number>): Promise<{ id: number; sent: Sent }> {
  const { ctx, sandbox } = place;
  const { world } = sandbox;
  const ids = { ...world.ids };
  const drawn: Sent['drawn'] = [];
  const kept = (one: Sent['drawn'][number]) => {
    drawn.push(one);
    return one.value;
  };
  world.ids.uuid = () => kept({ value: ids.uuid() });
  world.ids.token = (length) => kept({ length, value: ids.token(length) });
  const before = { calls: { ...world.counters.calls }, mails: world.mailbox.list().length };
  const id = await send();
  Object.assign(world.ids, ids);

  const of = (table: Table, where: string, value: unknown) =>
    ctx.db.raw.prepare(`SELECT * FROM ${table} WHERE ${where} = ? ORDER BY id`).all(value) as Row[];
  const [request = {}] = of('requests', 'id', id);
  const [user = {}] = of('users', 'id', request['ownerId']);
  const [equipment = {}] = of('equipments', 'id', request['equipmentId']);
  const [contract = {}] = of('contracts', 'requestId', id);
  const { reference, ...ofRequest } = request;
  const words = [
    findInstallationId(ctx.db),
    sandbox.url,
    contract['key'],
    user['username'],
    equipment['serialNumber'],
    reference,
  ] as string[];
  const calls = Object.entries(world.counters.calls).map(([call, count]) => [
    call,
    count - (before.calls[call] ?? 0),
  ]);
  const sent: Sent = {
    at: moments(place),
    rows: {
      users: [user],
      equipments: [equipment],
      requests: [ofRequest],
      contracts: [contract],
      history: of('history', 'requestId', id),
    },
    signature: structuredCopy(
      world.signatureRequests.get(contract['signId'] as string) as SignatureRequest,
      (value) => value,
    ),
    mails: world.mailbox.list().slice(before.mails),
    calls: Object.fromEntries(calls) as Sent['calls'],
    draft: readFileSync(draftPdfPath(ctx, contract['id'] as number)),
    words,
    drawn,
  };
  return { id, sent };
}

/** Nothing else was sent meanwhile. */
function isAlone({ drawn, signature, mails, calls }: Sent): boolean {
  const told = JSON.stringify([signature, mails]);
  return (
    drawn.every(({ value }) => told.includes(value)) && Object.values(calls).every((count) => count <= 1)
  );
}

async function copy(
  place: Place,
  people: { username: string; serialNumber: string },
  { at, rows, signature, mails, calls, draft, words, drawn }: Sent,
): Promise<number> {
  const { ctx, sandbox } = place;
  const { world } = sandbox;
  const now = moments(place);
  const moved = (moment: number) => {
    const base = at.findIndex((each) => Math.abs(moment - each) < NEAR_MS);
    return base < 0 ? moment : moment + (now[base] as number) - (at[base] as number);
  };
  // Taken before anything is waited for, so that copies made at once differ.
  const key = randomBytes(8).toString('hex');
  const theirs = drawn.map(({ length }) =>
    length === undefined ? world.ids.uuid() : world.ids.token(length),
  );
  const others = new Map(drawn.map(({ value }, n) => [value, theirs[n] as string]));
  const renewed = (value: unknown): unknown => {
    if (typeof value === 'string') return later(reworded(value, others), moved);
    return typeof value === 'number' ? moved(value) : value;
  };

  const ids = await ctx.writer.write((db) => {
    const next = nextIds(db);
    const reference = `REQ-${ctx.clock.now().getUTCFullYear()}-${String(next.requests).padStart(6, '0')}`;
    const ours = [findInstallationId(db), sandbox.url, key, people.username, people.serialNumber, reference];
    for (const [n, word] of words.entries()) others.set(word, ours[n] as string);
    for (const table of TABLES)
      for (const row of rows[table]) {
        const values = Object.entries(row).map(([name, value]): [string, unknown] => {
          const named = name === 'id' && table !== 'history' ? table : NAMED[name];
          if (named !== undefined && value !== null) return [name, next[named]];
          return [name, name === 'id' ? null : renewed(value)];
        });
        const names = values.map(([name]) => name).join(', ');
        db.raw
          .prepare(`INSERT INTO ${table} (${names}) VALUES (${values.map(() => '?').join(', ')})`)
          .run(values.map(([, value]) => value));
      }
    return next;
  });
  writeFileSync(draftPdfPath(ctx, ids.contracts), draft, { mode: 0o640 });

  const again = structuredCopy(signature, renewed);
  world.signatureRequests.set(again.id, again);
  for (const { number: _, ...mail } of mails) world.mailbox.add(structuredCopy(mail, renewed));
  for (const [call, count] of Object.entries(calls))
    world.counters.calls[call] = (world.counters.calls[call] ?? 0) + count;
  return ids.requests;
}

const NEAR_MS = 7 * 86_400_000;

const moments = ({ ctx, clock }: Place) => [ctx.clock.now().getTime(), clock.now().getTime()];

function nextIds(db: Db): Ids {
  const last = db.raw.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck();
  return Object.fromEntries(TABLES.map((table) => [table, ((last.get(table) as number) ?? 0) + 1])) as Ids;
}

function reworded(text: string, others: ReadonlyMap<string, string>): string {
  let renewed = text;
  for (const [word, other] of others) renewed = renewed.replaceAll(word, other);
  return renewed;
}

/** A moment moves with the clock; the end of a day stays. */
function later(text: string, moved: (moment: number) => number): string {
  if (!/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/.test(text) || text.endsWith('T23:59:59.000Z')) return text;
  const then = new Date(moved(Date.parse(text))).toISOString();
  return text.endsWith('.000Z') ? `${then.slice(0, 19)}.000Z` : then;
}

/** Bytes are shared, because nobody changes them. */
export function structuredCopy<T>(value: T, renewed: (value: unknown) => unknown): T {
  if (Buffer.isBuffer(value)) return value;
  if (value instanceof Map)
    return new Map([...value].map(([name, one]) => [name, structuredCopy(one, renewed) as unknown])) as T;
  if (Array.isArray(value)) return value.map((one) => structuredCopy(one, renewed) as unknown) as T;
  if (typeof value !== 'object' || value === null) return renewed(value) as T;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, structuredCopy(one, renewed) as unknown]),
  ) as T;
}
