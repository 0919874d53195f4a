/** docs/cli-json.md tells the truth: every command is run with --json on a small filled database and held against what it is made from. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { MEANINGS, MEMBER_TYPES, PRINTED, SHAPES as DECLARED } from '../../../ops/documents/json.js';
import { signedPdfPath } from '../../../src/core/contracts/contract-files.js';
import { createOffer } from '../../../src/core/offers/offers.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { createTroubleshooting } from '../../../src/core/troubleshootings/troubleshootings.js';
import { temporaryDirectory, TESTER } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { LEAVES, takes } from '../../support/command-line.js';
import { aReceiver, answered } from '../../support/receiver.js';
import { happened, subscribed } from '../../support/subscriptions.js';
import { deliver, deliverRaw, eventBody, deliverOtherAmount } from '../../support/webhooks.js';
import { oldData } from '../../support/old-data.js';
import { readShape, type Shape } from './json-shapes.js';
import { startCli, type Cli } from '../support.js';

const SHAPES: Record<string, Shape> = {};
for (const [name, shape] of Object.entries(DECLARED)) SHAPES[name] = read(shape);

function read(shape: string): Shape {
  return readShape(shape, { shapes: SHAPES, types: MEMBER_TYPES });
}

const NAMES = LEAVES.map((words) => words.join(' '));

test('every command is described, and none that does not exist', () => {
  const described = Object.keys(PRINTED).map((name) => name.replace(/ --.*$/, ''));
  expect([...new Set(described)].sort()).toEqual(NAMES.toSorted());
});

test('no shape is declared for nothing, and no type for a member that there is not', () => {
  const all = [...Object.values(DECLARED), ...Object.values(PRINTED).map(([shape]) => shape)].join(' ');
  const used = new Set(all.match(/\w+/g));
  const idle = [...Object.keys(DECLARED), ...Object.keys(MEMBER_TYPES), ...Object.keys(MEANINGS)];
  expect(idle.filter((name) => !used.has(name) && !['batch', 'dryRun'].includes(name))).toEqual([]);
});

type Run = (heading: string, ...more: string[]) => Promise<void>;

interface Seen {
  headings: Set<string>;
  /** Commands that the history tells, with who gave them and why. */
  told: Set<string>;
  faults: string[];
}

const REASON = 'because the test says so';

/** They take a reason; one that only looks changes nothing all the same. */
const CHANGING = NAMES.filter((name) => takes(name.split(' '), '--reason'));

/** Runs the command of a heading, and compares; one that changes something is run as a dry run before, with a reason. */
function comparing(cli: Cli, { headings, told, faults }: Seen): Run {
  const printed = async (heading: string, words: string[]) => {
    const { stdout, stderr } = await cli.run(...words, '--json');
    const isDry = words.includes('--dry-run');
    const [shape] = (isDry && PRINTED[`${heading} --dry-run`]) || (PRINTED[heading] ?? []);
    if (shape === undefined) throw new Error(`esignctl ${heading} is not described`);
    if (stdout === '') return void faults.push(`${words.join(' ')}: ${stderr}`);
    const { dryRun, ...rest } = JSON.parse(stdout);
    if (dryRun !== (isDry ? true : undefined)) faults.push(`${words.join(' ')}: dryRun is ${dryRun}`);
    faults.push(...read(shape).faults(stdout.startsWith('[') ? JSON.parse(stdout) : rest, heading));
  };
  return async (heading, ...more) => {
    headings.add(heading);
    const command = heading.replace(/ --.*/, '');
    const words = [...heading.split(' '), ...more];
    if (!CHANGING.includes(command) || words.includes('--check') || words.includes('--dry-run'))
      return printed(heading, words);
    words.push('--reason', REASON);
    const untouched = everything(cli);
    await printed(heading, [...words, '--dry-run']);
    if (everything(cli) !== untouched) faults.push(`${heading} --dry-run changes something`);
    const before = Math.max(deeds(cli.dataDir), deeds(cli.env['ESIGN_DATA_DIR'] as string));
    await printed(heading, [...words, '--yes']);
    if (deeds(cli.env['ESIGN_DATA_DIR'] as string) > before) told.add(command);
  };
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

/** Where the person who runs this test last stands in the history with the reason. */
function deeds(dataDir: string): number {
  const file = join(dataDir, 'esign.db');
  if (!existsSync(file)) return 0;
  const db = new Database(file, { readonly: true });
  const last = db.prepare('SELECT max(id) FROM history WHERE actor = ? AND instr(detail, ?)').pluck();
  const found = last.get(`cli:${userInfo().username}`, REASON) as number | null;
  db.close();
  return found ?? 0;
}

describe('what each command prints has the shape that is described; one that changes something says in the history who did it and why, and changes nothing as a dry run', () => {
  const seen = { headings: new Set<string>(), told: new Set<string>() };

  const stories = { entering, signatures, payments, lists, jobs, users, webhooks, installation };
  test.each(Object.entries(stories))('%s', async (_, story) => {
    const cli = await startCli({}, undefined, { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' });
    const faults: string[] = [];
    await story(cli, comparing(cli, { ...seen, faults }));
    expect(faults).toEqual([]);
  });

  test('none was left out', () => {
    expect(Object.keys(PRINTED).filter((name) => !seen.headings.has(name))).toEqual([]);
    expect(CHANGING.filter((command) => !seen.told.has(command))).toEqual([]);
  });
});

test('an error has its shape too', async () => {
  const cli = await startCli();
  const { stderr, stdout } = await cli.run('requests show 999 --json');
  expect(read('{ error: problem }').faults(JSON.parse(stderr), 'error')).toEqual([]);
  expect(stdout).toBe('');
});

test('a batch has its shape, whatever became of each', async () => {
  const cli = await startCli();
  const { id } = await cli.addRequest();
  const { stdout } = await cli.run(`requests cancel ${id} 999 --reason twice --json`);
  expect(read('batch').faults(JSON.parse(stdout), 'batch')).toEqual([]);
  expect(JSON.parse(stdout)).toMatchObject({ done: 1, failed: 1 });
});

async function entering(cli: Cli, run: Run) {
  const { username } = await cli.addUser();
  const boiler = ['--name', 'Boiler', '--model', 'B-200', '--serial-number', 'SN'];
  const words = ['--title', 'Repair', '--description', 'A pump.', '--amount', '180'];
  await run('equipments create', '--owner', username, ...boiler);
  await run('equipments edit', 'SN', '--model', 'B-300');
  await run('requests create', '--equipment', 'SN', ...words);
  const file = join(temporaryDirectory(), 'customers.csv');
  writeFileSync(file, 'username,firstName\nben@example.org,Ben\nno address,\n');
  await run('import', file);
  await run('prices set', 'gas boiler', '150');
  await run('prices list');
  await run('prices remove', 'boiler gas');
  await run('offers create', '1', '150', '--description', 'A pump.');
  await run('offers accept', '1');
  await run('offers refuse', '1');
  await run('requests edit', '1', '--title', 'Repair of the pump');
}

async function signatures(cli: Cli, run: Run) {
  const { id } = await cli.addRequest();
  await run('start-signature', String(id));
  await run('check-signature', String(id));
  await run('reset-signature', String(id));
  await run('explain', String(id));
  await run('history', '--about', String(id));
  await run('find', 'example.org');
  await run('explain --reply', String(id));
  await run('todo');
  const archive = join(temporaryDirectory(), 'evidence.zip');
  await run('requests export', String(id), '--out', archive);
  await run('verify', archive);
  cli.sandbox.sign(cli.contract(id).signId as string);
  await run('check-signature --all --dry-run');
  await run('check-signature --all');
  await run('check-signature', String(id));
  await late(cli, run);
  const { request } = await cli.waitingRequest();
  cli.ctx.db.raw
    .prepare("UPDATE contracts SET expiredAt = '2026-03-02T09:00:00.000Z' WHERE requestId = ?")
    .run(request.id);
  await run('expire-contracts');
}

/** Signed in an hour that had not come when the contract was closed. */
async function late(cli: Cli, run: Run) {
  const { contract, signId } = await cli.waitingRequest();
  cli.sandbox.sign(signId, { completedAt: Date.now() + 40 * DAY });
  cli.ctx.db.raw.prepare("UPDATE contracts SET status = 'EXPIRED' WHERE id = ?").run(contract.id);
  await run('contracts accept-late', String(contract.id));
}

async function payments(cli: Cli, run: Run) {
  const { request, signId } = await cli.waitingRequest();
  cli.sandbox.sign(signId);
  await checkSignature(cli.ctx, request.id, { actor: TESTER });
  const id = String(request.id);
  await run('payments check', id);
  cli.sandbox.expireSession(cli.request(request.id).paymentId as string);
  await run('payments check', id);
  await run('payments renew', id);
  await run('payments check --all');
  // The mail with the signed contract comes first.
  await cli.drain();
  await run('requests remind', id);
  cli.sandbox.pay(cli.request(request.id).paymentId as string, { async: true });
  await run('payments check', id);
  await run('payments give-up', id);
  await run('requests complete', id);
  await run('renew', id);
  rmSync(signedPdfPath(cli.ctx, cli.contract(request.id).id));
  await run('contracts fetch-pdf', String(cli.contract(request.id).id));
  const { id: unwanted } = await cli.addRequest();
  await run('requests cancel', String(unwanted), '--notify');
  await run('requests reopen', String(unwanted));
  await deliverOtherAmount(cli, request.id);
  await run('requests settle', id);
}

async function lists(cli: Cli, run: Run) {
  const { signId, request } = await cli.waitingRequest();
  await deliver(cli, signId, { name: 'signer.notified' });
  cli.sandbox.sign(signId);
  await deliver(cli, signId);
  await deliverRaw(cli, eventBody(cli, signId), 'sha256=00');
  await run('requests list');
  for (let id = 1; id <= request.id; id += 1) {
    await run('requests show', String(id));
    await run('explain', String(id), '--offline');
  }
  const boss = await cli.addUser({ role: 'ROLE_ADMIN' });
  await createOffer(cli.ctx, boss, { requestId: request.id, amount: 10_000 });
  await createTroubleshooting(cli.ctx, boss, { requestId: request.id, description: 'It drips' });
  await run('contracts list');
  await run('equipments list');
  await run('offers list');
  await run('troubleshootings list');
  await run('payments list');
  await run('report', '--month', '2026-03');
  await run('contracts show', '1');
  await run('inbox list');
  await run('inbox list --rejected');
  await run('inbox show', '1');
  await run('inbox replay', '1', '2');
}

async function jobs(cli: Cli, run: Run) {
  const [first, second, third] = [
    await cli.addFailedJob(),
    await cli.addFailedJob(),
    await cli.addFailedJob(),
  ];
  await run('failed list');
  await run('failed list --stats');
  await run('failed show', String(first));
  await run('failed replay', String(first), '999');
  await run('failed remove', String(second), '999');
  cli.ctx.db.raw.prepare("UPDATE jobs SET state = 'available', finishedAt = NULL WHERE id = ?").run(third);
  await run('jobs list');
  await run('jobs push', String(third));
}

async function users(_: Cli, run: Run) {
  const anna = 'anna@example.org';
  await run('users create', anna, '--generate', '--phone', '+33612345678');
  await run('users create', 'carl@example.org', '--invite');
  await run('users invite', 'carl@example.org');
  await run('users list');
  await run('users set-password', anna, '--generate');
  await run('users edit', anna, '--last-name', 'Martin');
  await run('users set-email', anna, 'anna.martin@example.org');
  await run('users set-email', 'anna.martin@example.org', anna);
  await run('users set-role', anna, 'admin');
  await run('users create', 'office@example.org', '--generate', '--role', 'admin');
  await run('users set-role', anna, 'user');
  await run('users disable', anna);
  await run('users enable', anna);
  await run('users export', anna, '--out', join(temporaryDirectory(), 'person.zip'));
  await run('users erase', anna);
}

async function webhooks(cli: Cli, run: Run) {
  const receiver = await aReceiver(answered(500, {}, 'not now'));
  const { id } = await subscribed(cli, { url: receiver.url });
  await happened(cli);
  await cli.drain();
  const webhook = String(id);
  await run('webhooks list');
  await run('webhooks deliveries', webhook);
  const { id: delivery } = cli.ctx.db.raw.prepare('SELECT max(id) AS id FROM deliveries').get() as {
    id: number;
  };
  await run('webhooks delivery', String(delivery));
  await run('webhooks ping', webhook);
  await run('webhooks disable', webhook);
  await run('webhooks enable', webhook);
  await run('webhooks redeliver', String(delivery), '999');
}

async function installation(cli: Cli, run: Run) {
  await run('status');
  await run('doctor');
  await run('init');
  cli.env['ESIGN_DATA_DIR'] = oldData();
  await run('migrate');
  cli.env['ESIGN_DATA_DIR'] = cli.dataDir;
  await run('prune');
  await run('config show');
  await run('completion', 'bash');
  const file = join(temporaryDirectory(), 'esign.tar');
  await run('backup', file);
  await run('restore --check', file);
  const snapshot = join(temporaryDirectory(), 'snapshot');
  await run('snapshot', snapshot);
  await run('snapshot', snapshot, '--sent-to', 'restic');
  cli.env['ESIGN_DATA_DIR'] = join(temporaryDirectory(), 'data');
  await run('init');
  await run('migrate');
  await run('restore', file);
  await run('status');
  await run('takeover');
  await run('takeover');
}
