/**
 * Every command that changes something says in the history who did it and why, and changes nothing as a dry run. The commands
 * are found by their --reason, so that a new one cannot be forgotten here.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import Database from 'better-sqlite3';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.js';
import { signedPdfPath } from '../../src/core/contracts/contract-files.js';
import { temporaryDirectory } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { oldData } from '../support/old-data.js';
import { aReceiver } from '../support/receiver.js';
import { deliveries, subscribed } from '../support/subscriptions.js';
import { deliver, deliverOtherAmount } from '../support/webhooks.js';
import { run, startCli, type Cli } from './support.js';

const REASON = 'because the test says so';

function changingCommands(): string[] {
  const stream = new PassThrough();
  const io = { stdin: stream, stdout: stream, stderr: stream, env: {} };
  const found: string[] = [];
  const walk = (command: Command, words: string[]) => {
    if (command.options.some(({ long }) => long === '--reason')) found.push(words.join(' '));
    for (const next of command.commands) walk(next, [...words, next.name()]);
  };
  walk(createProgram(io, { isJson: true, done: () => undefined }), []);
  return found.toSorted();
}

test('every changing command leaves who, what and why in the history, and as a dry run changes nothing', async () => {
  const teller = aTeller(await startCli({}, undefined, { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' }));

  await people(teller);
  await signing(teller);
  await paying(teller);
  await jobs(teller);
  await outside(teller);
  await upkeep(teller);
  await entering(teller);

  expect(teller.silent).toEqual([]);
  expect([...teller.told].toSorted()).toEqual(changingCommands());
});

interface Teller {
  cli: Cli;
  /** Runs a command, which must succeed; notes whether it stands in the history. */
  did: (command: string, ...rest: string[]) => Promise<void>;
  told: Set<string>;
  silent: string[];
}

function aTeller(cli: Cli): Teller {
  const told = new Set<string>();
  const silent: string[] = [];
  const did = async (command: string, ...rest: string[]) => {
    const untouched = everything(cli);
    const words = [...command.split(' '), ...rest, '--reason', REASON];
    expect({ command, ...(await cli.run(...words, '--dry-run')) }).toMatchObject({ code: 0 });
    expect([command, everything(cli)]).toEqual([command, untouched]);
    const before = deeds(cli.dataDir);
    const ran = await cli.run(...words, '--yes');
    expect({ command, ...ran }).toMatchObject({ code: 0 });
    told.add(command);
    if (deeds(cli.dataDir) === before) silent.push(command);
  };
  return { cli, did, told, silent };
}

async function entering({ cli, did }: Teller) {
  const { username } = await cli.addUser();
  const boiler = ['--name', 'Boiler', '--model', 'B-200', '--serial-number', 'SN'];
  await did('equipments create', '--owner', username, ...boiler);
  await did('equipments edit', 'SN', '--model', 'B-300');
  await did('requests create', '--equipment', 'SN', '--title', 'Repair', '--description', 'A pump.');
  const { id } = cli.ctx.db.raw.prepare('SELECT max(id) AS id FROM requests').get() as { id: number };
  await did('requests edit', String(id), '--amount', '180.00');
  await did('offers create', String(id), '150');
  await did('offers accept', '1');
  await did('offers refuse', 'OFF-' + new Date(cli.ctx.clock.now()).getUTCFullYear() + '-000001');
  const file = join(cli.dataDir, 'customers.csv');
  writeFileSync(file, 'username;firstName\nnew@example.org;Ben\n');
  await did('import', file);
  await did('prices set', 'gas boiler', '150');
  await did('prices remove', 'boiler gas');
}

/** Here and outside. */
function everything({ ctx, sandbox }: Cli): string {
  const { raw } = ctx.db;
  const tables = raw.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
  const { signatureRequests, sessions, mails } = sandbox.state();
  const stored = tables.map((name) => raw.prepare(`SELECT * FROM "${name}"`).all());
  const outside = [...signatureRequests, ...sessions].map(({ id, status }) => [id, status]);
  return JSON.stringify([outside, mails.length, stored]);
}

/** How often the person who runs this test stands in the history with the reason. */
function deeds(dataDir: string): number {
  const db = new Database(join(dataDir, 'esign.db'), { readonly: true });
  try {
    const rows = db
      .prepare(`SELECT detail FROM history WHERE actor = ?`)
      .all(`cli:${userInfo().username}`) as { detail: string }[];
    return rows.filter(({ detail }) => JSON.stringify(JSON.parse(detail)).includes(REASON)).length;
  } finally {
    db.close();
  }
}

async function people({ did }: Teller): Promise<void> {
  const anna = 'anna@example.org';
  await did('users create', anna, '--generate');
  await did('users create', 'carl@example.org', '--invite');
  await did('users invite', 'carl@example.org');
  await did('users set-password', anna, '--generate');
  await did('users edit', anna, '--last-name', 'Martin');
  await did('users set-email', anna, 'anna.martin@example.org');
  await did('users set-email', 'anna.martin@example.org', anna);
  await did('users set-role', anna, 'admin');
  await did('users create', 'office@example.org', '--generate', '--role', 'admin');
  await did('users set-role', anna, 'user');
  await did('users disable', anna);
  await did('users enable', anna);
  await did('users export', anna, '--out', join(temporaryDirectory(), 'anna.zip'));
  await did('users erase', anna);
}

async function signing({ cli, did }: Teller): Promise<void> {
  const id = String((await cli.addRequest()).id);
  await did('start-signature', id);
  await did('reset-signature', id);
  cli.sandbox.sign(cli.contract(Number(id)).signId as string);
  await did('check-signature', id);
  rmSync(signedPdfPath(cli.ctx, cli.contract(Number(id)).id));
  await did('contracts fetch-pdf', String(cli.contract(Number(id)).id));
  const late = await cli.waitingRequest();
  cli.sandbox.sign(late.signId, { completedAt: Date.now() + 40 * DAY });
  cli.ctx.db.raw.prepare("UPDATE contracts SET status = 'EXPIRED' WHERE id = ?").run(late.contract.id);
  await did('contracts accept-late', String(late.contract.id));
}

async function paying({ cli, did }: Teller): Promise<void> {
  const id = '1';
  await cli.drain();
  await did('payments check', id);
  cli.sandbox.expireSession(cli.request(1).paymentId as string);
  await did('payments renew', id);
  await cli.drain();
  await did('requests remind', id);
  const paymentId = cli.request(1).paymentId as string;
  cli.sandbox.pay(paymentId, { async: true });
  await did('payments check', id);
  await did('payments give-up', id);
  await did('requests complete', id);
  await did('renew', id);
  await did('requests export', id, '--out', join(temporaryDirectory(), 'evidence.zip'));
  const { id: unwanted } = await cli.addRequest();
  await did('requests cancel', String(unwanted));
  await did('requests reopen', String(unwanted));
  await deliverOtherAmount(cli, Number(id));
  await did('requests settle', id);
}

async function jobs({ cli, did }: Teller): Promise<void> {
  await did('failed replay', String(await cli.addFailedJob()));
  await did('failed remove', String(await cli.addFailedJob()));
  const waiting = await cli.addFailedJob();
  cli.ctx.db.raw.prepare(`UPDATE jobs SET state = 'available', finishedAt = NULL WHERE id = ?`).run(waiting);
  await did('jobs push', String(waiting));
  const { signId } = await cli.waitingRequest();
  cli.sandbox.sign(signId);
  await deliver(cli, signId);
  const [event] = cli.ctx.db.raw.prepare('SELECT id FROM inbox').all() as { id: number }[];
  await did('inbox replay', String(event?.id));
}

async function outside({ cli, did }: Teller): Promise<void> {
  const { url } = await aReceiver();
  const hook = String((await subscribed(cli, { url })).id);
  await did('webhooks ping', hook);
  await cli.drain();
  await did('webhooks redeliver', String(deliveries(cli).at(-1)?.id));
  await did('webhooks disable', hook);
  await did('webhooks enable', hook);
}

async function upkeep({ cli, did, told, silent }: Teller): Promise<void> {
  await did('expire-contracts');
  await did('prune');
  const fresh = oldData();
  const why = ['--reason', REASON, '--yes'];
  const archive = join(temporaryDirectory(), 'esign.tar');
  const env = { ...cli.env, ESIGN_DATA_DIR: fresh };
  await run(['migrate', ...why], { env });
  told.add('migrate');
  if (deeds(fresh) === 0) silent.push('migrate');
  await cli.run('backup', archive);
  const before = deeds(cli.dataDir);
  expect(await run(['restore', archive, ...why], { env })).toMatchObject({ code: 0 });
  told.add('restore');
  if (deeds(fresh) !== before + 1) silent.push('restore');
  expect(await run(['takeover', ...why], { env })).toMatchObject({ code: 0 });
  told.add('takeover');
  if (deeds(fresh) <= before + 1) silent.push('takeover');
}
