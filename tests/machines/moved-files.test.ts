/** The files of the database moved or deleted under a running daemon: nothing is acknowledged that the next start would not find. */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { PATIENCE } from '../support/patience.js';
import { aWorld, type World } from '../support/world.js';

const WORD = 'correct horse battery';

const at = ({ dataDir }: World, name: string) => join(dataDir, name);
const aside = (world: World, name: string) => join(world.dataDir, '..', 'aside', name);

/** Moves the files away and puts copies in their place. */
function replace(world: World, ...names: string[]): void {
  mkdirSync(aside(world, ''));
  for (const name of names) {
    renameSync(at(world, name), aside(world, name));
    copyFileSync(aside(world, name), at(world, name));
  }
}

interface Case {
  file: string;
  harm: (world: World) => void;
  /** With the daemon stopped. */
  putBack?: (world: World) => void;
}

const CASES: Record<string, Case> = {
  'the database moved away, a copy in its place': {
    file: 'esign.db',
    harm: (world) => replace(world, 'esign.db'),
    putBack: (world) => renameSync(aside(world, 'esign.db'), at(world, 'esign.db')),
  },
  'the same, and the copy stays': { file: 'esign.db', harm: (world) => replace(world, 'esign.db') },
  'the database moved away with its log, copies in their place': {
    file: 'esign.db',
    harm: (world) => replace(world, 'esign.db', 'esign.db-wal', 'esign.db-shm'),
  },
  'the database moved away': {
    file: 'esign.db',
    harm: (world) => {
      mkdirSync(aside(world, ''));
      renameSync(at(world, 'esign.db'), aside(world, 'esign.db'));
    },
    putBack: (world) => renameSync(aside(world, 'esign.db'), at(world, 'esign.db')),
  },
  'the log deleted': { file: 'esign.db-wal', harm: (world) => rmSync(at(world, 'esign.db-wal')) },
  'the index of the log deleted': {
    file: 'esign.db-shm',
    harm: (world) => rmSync(at(world, 'esign.db-shm')),
  },
};

test.concurrent.for([
  ...Object.keys(CASES).map((name) => [name, 'kill -9'] as const),
  // Which closes what it has open.
  ...['the same, and the copy stays', 'the log deleted'].map((name) => [name, 'SIGTERM'] as const),
])(
  '%s: writes are refused, everybody says why, and after %s all that was acknowledged is there',
  async ([name, end], t) => {
    const { file, harm, putBack } = CASES[name] as Case;
    const world = await aWorld(t);
    const daemon = await world.daemon();
    const requestId = await world.newRequest();
    const call = await caller(world);
    const created = await Promise.all(['1', '2', '3', '4', '5'].map((number) => call.create(number)));
    expect(created.map(({ status }) => status)).toEqual(Array(5).fill(201));
    // A command that has opened the files, and waits for the provider.
    world.fault({ target: 'signature', operation: 'create', kind: 'answer_late', delayMs: 600_000 });
    const command = world.ctlProgram('start-signature', String(requestId), '--yes');
    await vi.waitUntil(() => world.outside().counters.calls['signature.create'] === 1, PATIENCE);

    harm(world);

    expect(await call.create('6')).toMatchObject({ status: 503, body: { key: 'database_moved' } });
    const ready = () => call.get('/readyz');
    await vi.waitUntil(async () => (await ready()).status === 503, PATIENCE);
    const fix = file === 'esign.db' ? 'put the file that it had open back' : 'Restart esignd';
    expect((await ready()).body).toEqual({
      status: 'unready',
      notReady: ['database'],
      fix: expect.stringMatching(new RegExp(`^${file} was moved, deleted or replaced.*${fix}`)),
    });
    expect(daemon.stderr).toMatch(
      new RegExp(
        `"level":60,.*"file":"${file}".*a database file was moved, deleted or replaced: nothing more is stored`,
      ),
    );
    expect((await world.ctl('doctor')).stdout).toMatch(new RegExp(`database\\tfailed\\t.*${file} was moved`));
    const refused = await world.ctl('users', 'create', 'gone@example.org', '--generate');
    expect(refused).toMatchObject({
      code: 5,
      stdout: '',
      stderr: expect.stringContaining('[database_moved]'),
    });
    world.sandbox.faults.clear();
    expect(await command.ended).toMatchObject({
      code: 5,
      stdout: '',
      stderr: expect.stringContaining('[database_moved]'),
    });

    await (end === 'kill -9' ? daemon.killHard() : daemon.stop());
    putBack?.(world);
    await world.daemon();

    for (const { body } of created) expect(await call.get(body['@id'])).toMatchObject({ status: 200 });
    expect((await world.ctl('users', 'list')).stdout).not.toContain('gone@example.org');
    expect(await call.get('/readyz')).toMatchObject({ status: 200 });
    expect(await call.create('7')).toMatchObject({ status: 201 });
    // What the command has begun is resumed, not done twice.
    expect((await world.ctl('start-signature', String(requestId), '--yes')).code).toBe(0);
    expect(world.outside().signatureRequests).toHaveLength(1);
    expect((await world.ctl('doctor')).stdout).toMatch(/database\tok/);
  },
);

test('files that are moved back are written to again, without a restart', async (t) => {
  const world = await aWorld(t);
  const daemon = await world.daemon();
  const call = await caller(world);
  mkdirSync(aside(world, ''));
  renameSync(at(world, 'esign.db'), aside(world, 'esign.db'));
  expect(await call.create('1')).toMatchObject({ status: 503 });

  renameSync(aside(world, 'esign.db'), at(world, 'esign.db'));

  expect(await call.create('2')).toMatchObject({ status: 201 });
  await expect.poll(() => call.get('/readyz'), PATIENCE).toMatchObject({ status: 200 });
  expect(await daemon.stop()).toMatchObject({ code: 0 });
  expect(existsSync(at(world, 'esign.db-wal'))).toBe(false);
});

test('a log that went, came back and went again takes nothing with it that was stored in between', async (t) => {
  const world = await aWorld(t);
  const daemon = await world.daemon();
  const call = await caller(world);
  const log = at(world, 'esign.db-wal');
  renameSync(log, `${log}.aside`);
  expect(await call.create('1')).toMatchObject({ status: 503 });
  renameSync(`${log}.aside`, log);
  const { status, body } = await call.create('2');
  expect(status).toBe(201);

  rmSync(log);
  expect(await call.create('3')).toMatchObject({ status: 503 });
  await daemon.killHard();
  await world.daemon();

  expect(await call.get(body['@id'])).toMatchObject({ status: 200 });
});

test('the database moved away and its log deleted: what was stored is in the database that is put back', async (t) => {
  const world = await aWorld(t);
  const daemon = await world.daemon();
  const call = await caller(world);
  const { body } = await call.create('1');
  mkdirSync(aside(world, ''));
  renameSync(at(world, 'esign.db'), aside(world, 'esign.db'));
  rmSync(at(world, 'esign.db-wal'));
  expect(await call.create('2')).toMatchObject({ status: 503 });
  await daemon.killHard();

  renameSync(aside(world, 'esign.db'), at(world, 'esign.db'));
  await world.daemon();

  expect(await call.get(body['@id'])).toMatchObject({ status: 200 });
});

/** Of an administrator, who is made here. */
async function caller(world: World) {
  const admin = ['users', 'create', 'anna@example.org', '--role', 'admin', '--password-stdin'];
  expect((await world.ctlWith(`${WORD}\n`, ...admin)).code).toBe(0);
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = { 'content-type': 'application/json', ...init.headers };
    const answer = await fetch(world.baseUrl + path, { ...init, headers });
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  };
  const credentials = { username: 'anna@example.org', password: WORD };
  const { body } = await send('/api/login_check', { method: 'POST', body: JSON.stringify(credentials) });
  const headers = { authorization: `Bearer ${body['token']}` };
  return {
    get: (path = '') => send(path, { headers }),
    create: (serialNumber: string) => {
      const fields = { name: 'Boiler', model: 'B-200', serialNumber };
      return send('/api/equipments', { method: 'POST', headers, body: JSON.stringify(fields) });
    },
  };
}
