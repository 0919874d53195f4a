/**
 * How a service and its providers stand after the first steps of many stories, kept once for each worker and copied from then on:
 * signing, and the first page to pay, cost more than what most tests do afterwards (tests/prepared.test.ts compares them).
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { paths } from '../../src/core/installation/paths.js';
import type { Mail } from '../../sandbox/mailbox.js';
import type { World } from '../../sandbox/world.js';
import { aSandbox, startApp, temporaryDirectory, type TestApp } from './app.js';
import { ManualClock } from './clock.js';
import { structuredCopy } from './prepared.js';

interface Kept {
  id: number;
  at: string;
  database: Buffer;
  files: [name: string, bytes: Buffer][];
  /** The address of the providers, and where our rows name it. */
  url: string;
  named: { table: string; column: string }[];
  world: Pick<World, 'signatureRequests' | 'sessions' | 'counters'> & { mails: readonly Mail[] };
}

export interface Told {
  app: TestApp;
  /** Of the request that it is about. */
  id: number;
}

const kept = new Map<string, Kept>();

/** What `tell` leads to, told or copied; always with the usual settings. */
export async function usual(name: string, tell: () => Promise<Told>): Promise<Told> {
  const known = kept.get(name);
  if (known) return { app: await copyOf(known), id: known.id };
  const told = await tell();
  kept.set(name, keep(told));
  return told;
}

function keep({ app: { ctx, clock, dataDir, sandbox }, id }: Told): Kept {
  const { raw } = ctx.db;
  const columns = raw
    .prepare(
      `SELECT t.name AS "table", c.name AS "column" FROM pragma_table_list t, pragma_table_info(t.name) c
       WHERE t.type = 'table' AND t.schema = 'main' AND c.type = 'TEXT'`,
    )
    .all() as Kept['named'];
  const names = ({ table, column }: Kept['named'][number]) =>
    raw.prepare(`SELECT 1 FROM "${table}" WHERE instr("${column}", ?) LIMIT 1`).get(sandbox.url) !==
    undefined;
  const database = raw.serialize();
  const { signatureRequests, sessions, counters, mailbox } = sandbox.world;
  return {
    id,
    at: clock.now().toISOString(),
    database,
    files: ['contracts', 'keys'].flatMap((folder) =>
      readdirSync(join(dataDir, folder)).map((name): [string, Buffer] => [
        join(folder, name),
        readFileSync(join(dataDir, folder, name)),
      ]),
    ),
    url: sandbox.url,
    named: columns.filter(names),
    world: structuredCopy({ signatureRequests, sessions, counters, mails: mailbox.list() }, (value) => value),
  };
}

async function copyOf(kept: Kept): Promise<TestApp> {
  const clock = new ManualClock(kept.at);
  // What it makes from now on has other names.
  const sandbox = await aSandbox(clock, { seed: 2 });
  const renewed = (value: unknown) =>
    typeof value === 'string' ? value.replaceAll(kept.url, sandbox.url) : value;
  const { mails, ...world } = kept.world;
  Object.assign(sandbox.world, structuredCopy(world, renewed));
  for (const { number: _, ...mail } of mails) sandbox.world.mailbox.add(structuredCopy(mail, renewed));

  const dataDir = temporaryDirectory();
  for (const [name, bytes] of [...kept.files, [paths.database(''), kept.database] as const]) {
    mkdirSync(dirname(join(dataDir, name)), { recursive: true, mode: 0o750 });
    writeFileSync(join(dataDir, name), bytes, { mode: 0o600 });
  }
  const app = await startApp({ dataDir, beside: { clock, sandbox } });
  await app.ctx.writer.write((db) => {
    for (const { table, column } of kept.named)
      db.raw
        .prepare(`UPDATE "${table}" SET "${column}" = replace("${column}", ?, ?)`)
        .run(kept.url, sandbox.url);
  });
  return app;
}
