/** docs/cli-json.md tells the truth: every command is run with --json on a small filled database and held against what it is made from. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { MEANINGS, MEMBER_TYPES, PRINTED, SHAPES as DECLARED } from '../../../ops/documents/json.js';
import { createProgram } from '../../../src/cli/program.js';
import { createOffer } from '../../../src/core/offers/offers.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { createTroubleshooting } from '../../../src/core/troubleshootings/troubleshootings.js';
import { temporaryDirectory, TESTER } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { aReceiver, answered } from '../../support/receiver.js';
import { happened, subscribed } from '../../support/subscriptions.js';
import { deliver, deliverRaw, eventBody, deliverOtherAmount } from '../../support/webhooks.js';
import { readShape, type Shape } from './json-shapes.js';
import { startCli, type Cli } from '../support.js';

const SHAPES: Record<string, Shape> = {};
for (const [name, shape] of Object.entries(DECLARED)) SHAPES[name] = read(shape);

function read(shape: string): Shape {
  return readShape(shape, { shapes: SHAPES, types: MEMBER_TYPES });
}

test('every command is described, and none that does not exist', () => {
  const program = createProgram(
    { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env: {} },
    { isJson: true, done: () => undefined },
  );
  const described = Object.keys(PRINTED).map((name) => name.replace(/ --.*$/, ''));
  expect([...new Set(described)].sort()).toEqual(leaves(program).sort());
});

test('no shape is declared for nothing, and no type for a member that there is not', () => {
  const all = [...Object.values(DECLARED), ...Object.values(PRINTED).map(([shape]) => shape)].join(' ');
  const used = new Set(all.match(/\w+/g));
  const idle = [...Object.keys(DECLARED), ...Object.keys(MEMBER_TYPES), ...Object.keys(MEANINGS)];
  expect(idle.filter((name) => !used.has(name) && !['batch', 'dryRun'].includes(name))).toEqual([]);
});

function leaves(command: Command, words: string[] = []): string[] {
  if (command.commands.length === 0) return [words.join(' ')];
  return command.commands.flatMap((each) => leaves(each, [...words, each.name()]));
}

type Run = (heading: string, ...more: string[]) => Promise<void>;

/** Runs the command of a heading and compares; `seen` gathers the headings, `faults` what differs. */
function comparing(cli: Cli, { seen, faults }: { seen: Set<string>; faults: string[] }): Run {
  return async (heading, ...more) => {
    const { stdout, stderr } = await cli.run(...heading.split(' '), ...more, '--json');
    const [shape] = PRINTED[heading] ?? [];
    if (shape === undefined) throw new Error(`esignctl ${heading} is not described`);
    seen.add(heading);
    if (stdout === '') return void faults.push(`${heading}: ${stderr}`);
    const { dryRun, ...rest } = JSON.parse(stdout);
    const isDry = [heading, ...more].join(' ').includes('--dry-run');
    if (dryRun !== (isDry ? true : undefined)) faults.push(`${heading}: dryRun is ${dryRun}`);
    faults.push(...read(shape).faults(stdout.startsWith('[') ? JSON.parse(stdout) : rest, heading));
  };
}

describe('what each command prints has the shape that is described', () => {
  const seen = new Set<string>();

  test.each([entering, signatures, payments, lists, jobs, users, webhooks, installation])(
    '$name',
    async (story) => {
      const cli = await startCli({}, undefined, { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' });
      const faults: string[] = [];
      await story(cli, comparing(cli, { seen, faults }));
      expect(faults).toEqual([]);
    },
  );

  test('none was left out', () => {
    expect(Object.keys(PRINTED).filter((name) => !seen.has(name))).toEqual([]);
  });
});

test('an error has its shape too', async () => {
  const cli = await startCli();
  const { stderr, stdout } = await cli.run('requests', 'show', '999', '--json');
  expect(read('{ error: problem }').faults(JSON.parse(stderr), 'error')).toEqual([]);
  expect(stdout).toBe('');
});

test('a batch has its shape, whatever became of each', async () => {
  const cli = await startCli();
  const { id } = await cli.addRequest();
  const { stdout } = await cli.run('requests', 'cancel', String(id), '999', '--reason', 'twice', '--json');
  expect(read('batch').faults(JSON.parse(stdout), 'batch')).toEqual([]);
  expect(JSON.parse(stdout)).toMatchObject({ done: 1, failed: 1 });
});

async function entering(cli: Cli, run: Run) {
  const { username } = await cli.addUser();
  const boiler = ['--name', 'Boiler', '--model', 'B-200', '--serial-number', 'SN'];
  const words = ['--title', 'Repair', '--description', 'A pump.', '--amount', '180'];
  await run('equipments create', '--owner', username, ...boiler, '--dry-run');
  await run('equipments create', '--owner', username, ...boiler);
  await run('equipments edit', 'SN', '--model', 'B-300');
  await run('requests create', '--equipment', 'SN', ...words, '--dry-run');
  await run('requests create', '--equipment', 'SN', ...words);
  const file = join(temporaryDirectory(), 'customers.csv');
  writeFileSync(file, 'username,firstName\nben@example.org,Ben\nno address,\n');
  await run('import', file, '--dry-run');
  await run('import', file);
  await run('prices set', 'gas boiler', '150', '--dry-run');
  await run('prices set', 'gas boiler', '150');
  await run('prices list');
  await run('prices remove', 'boiler gas');
  await run('offers create', '1', '150', '--dry-run');
  await run('offers create', '1', '150', '--description', 'A pump.');
  await run('offers accept', '1');
  await run('offers refuse', '1', '--dry-run');
  await run('requests edit', '1', '--amount', 'none', '--dry-run');
  await run('requests edit', '1', '--title', 'Repair of the pump');
}

async function signatures(cli: Cli, run: Run) {
  const { id } = await cli.addRequest();
  await run('start-signature', String(id), '--dry-run');
  await run('start-signature', String(id));
  await run('check-signature', String(id));
  await run('reset-signature', String(id), '--dry-run');
  await run('reset-signature', String(id), '--yes');
  await run('explain', String(id));
  await run('history', '--about', String(id));
  await run('find', 'example.org');
  await run('explain --reply', String(id));
  await run('todo');
  const archive = join(temporaryDirectory(), 'evidence.zip');
  await run('requests export', String(id), '--out', archive, '--dry-run');
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
  await run('expire-contracts', '--dry-run');
  await run('expire-contracts');
}

/** Signed in an hour that had not come when the contract was closed. */
async function late(cli: Cli, run: Run) {
  const { contract, signId } = await cli.waitingRequest();
  cli.sandbox.sign(signId, { completedAt: Date.now() + 40 * DAY });
  cli.ctx.db.raw.prepare("UPDATE contracts SET status = 'EXPIRED' WHERE id = ?").run(contract.id);
  const words = [String(contract.id), '--reason', 'agreed by phone'];
  await run('contracts accept-late', ...words, '--dry-run');
  await run('contracts accept-late', ...words);
}

async function payments(cli: Cli, run: Run) {
  const { request, signId } = await cli.waitingRequest();
  cli.sandbox.sign(signId);
  await checkSignature(cli.ctx, request.id, { actor: TESTER });
  const id = String(request.id);
  await run('payments check', id);
  await run('payments check --all', '--dry-run');
  cli.sandbox.expireSession(cli.request(request.id).paymentId as string);
  await run('payments check', id);
  await run('payments renew', id, '--dry-run');
  await run('payments renew', id);
  await run('payments check --all');
  // The mail with the signed contract comes first.
  await cli.drain();
  await run('requests remind', id);
  cli.sandbox.pay(cli.request(request.id).paymentId as string, { async: true });
  await run('payments check', id);
  await run('payments give-up', id, '--reason', 'refused', '--dry-run');
  await run('payments give-up', id, '--reason', 'refused');
  await run('requests complete', id, '--reason', 'paid in cash', '--dry-run');
  await run('requests complete', id, '--reason', 'paid in cash');
  await run('renew', id, '--dry-run');
  await run('renew', id);
  await run('contracts fetch-pdf', String(cli.contract(request.id).id));
  const { id: unwanted } = await cli.addRequest();
  await run('requests cancel', String(unwanted), '--reason', 'entered twice', '--dry-run');
  await run('requests cancel', String(unwanted), '--reason', 'entered twice', '--notify');
  await run('requests reopen', String(unwanted), '--reason', 'not entered twice');
  await deliverOtherAmount(cli, request.id);
  await run('requests settle', id, '--reason', 'refunded');
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
  await run('inbox replay', '2', '--dry-run');
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
  await run('failed replay', String(first), '--dry-run');
  await run('failed replay', String(first), '999');
  await run('failed remove', String(second), '999', '--yes', '--dry-run');
  await run('failed remove', String(second), '999', '--yes');
  cli.ctx.db.raw.prepare("UPDATE jobs SET state = 'available', finishedAt = NULL WHERE id = ?").run(third);
  await run('jobs list');
  await run('jobs push', String(third), '--dry-run');
  await run('jobs push', String(third));
}

async function users(_: Cli, run: Run) {
  const [anna] = ['anna@example.org'];
  await run('users create', anna, '--dry-run');
  await run('users create', anna, '--generate', '--phone', '+33612345678');
  await run('users create', 'carl@example.org', '--invite');
  await run('users invite', 'carl@example.org', '--dry-run');
  await run('users list');
  await run('users set-password', anna, '--dry-run');
  await run('users set-password', anna, '--generate');
  await run('users edit', anna, '--last-name', 'Martin');
  await run('users set-email', anna, 'anna.martin@example.org', '--dry-run');
  await run('users set-email', anna, anna);
  await run('users set-role', anna, 'admin', '--dry-run');
  await run('users disable', anna, '--dry-run');
  await run('users disable', anna);
  await run('users enable', anna);
  const everything = join(temporaryDirectory(), 'person.zip');
  await run('users export', anna, '--out', everything, '--dry-run');
  await run('users export', anna, '--out', everything);
  await run('users erase', anna, '--dry-run');
  await run('users erase', anna, '--reason', 'x', '--yes');
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
  await run('webhooks ping', webhook, '--dry-run');
  await run('webhooks ping', webhook);
  await run('webhooks disable', webhook, '--dry-run');
  await run('webhooks disable', webhook);
  await run('webhooks enable', webhook);
  await run('webhooks redeliver', String(delivery), '--dry-run');
  await run('webhooks redeliver', String(delivery), '999');
}

async function installation(cli: Cli, run: Run) {
  await run('status');
  await run('doctor');
  await run('init');
  await run('migrate', '--dry-run');
  await run('migrate');
  await run('prune', '--dry-run');
  await run('prune');
  await run('config show');
  await run('completion', 'bash');
  const file = join(temporaryDirectory(), 'esign.tar');
  await run('backup', file);
  await run('restore --check', file);
  const snapshot = join(temporaryDirectory(), 'snapshot');
  await run('snapshot', snapshot);
  await run('snapshot', snapshot, '--sent-to', 'restic');
  await run('restore', file, '--dry-run');
  cli.env['ESIGN_DATA_DIR'] = join(temporaryDirectory(), 'data');
  await run('init');
  await run('migrate');
  await run('restore', file, '--yes');
  await run('status');
  await run('takeover', '--dry-run');
  await run('takeover', '--yes');
  await run('takeover', '--yes');
}
