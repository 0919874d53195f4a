/**
 * kill -9 of the real daemon the moment a step has left its trace: in the database, on the disk, at the provider or with
 * the caller. After the restart nothing is lost and nothing has happened twice. (The calls that last, a slow download
 * and the like, are in crash.test.ts.)
 */
import { createHash, createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, test, vi, type TestContext } from 'vitest';
import type { SandboxState } from '../../sandbox/state.js';
import { PATIENCE } from '../support/patience.js';
import { startProgram } from '../support/processes.js';
import type { WaitingRequest } from '../support/waiting-request.js';
import { aWorld, SECRETS, type World } from '../support/world.js';

const PATIENT = { timeout: 240_000 };

interface Scene {
  world: World;
  /** The database as another process sees it; opened once, because some steps last a millisecond only. */
  count: (sql: string, ...values: unknown[]) => number;
  waiting: WaitingRequest;
  /** Of the customers before. */
  mailsBefore: number;
}

type Trace = (scene: Scene) => boolean;

/** Two stories side by side; each step has a customer of its own, and its kill finds the work of those before done. */
const STEPS: Record<string, Record<string, Trace>> = {
  'of the webhook': {
    'the event is stored': ({ count, waiting }) =>
      count('SELECT count(*) FROM inbox WHERE contractId = ?', waiting.contractId) > 0,
    'the PDF begins to be written': ({ world, waiting }) =>
      files(world).some((name) => new RegExp(`^${waiting.contractId}\\.pdf`).test(name)),
    'the PDF has its name': ({ world, waiting }) => files(world).includes(`${waiting.contractId}.pdf`),
  },
  'of what follows it': {
    'the contract is SIGNED': ({ count, waiting }) =>
      count("SELECT count(*) FROM contracts WHERE id = ? AND status = 'SIGNED'", waiting.contractId) > 0,
    'the session is made': ({ world, waiting }) =>
      world.outside().sessions.some((session) => session.client_reference_id === waiting.externalId),
    'the payment link is stored': ({ count, waiting }) =>
      count('SELECT count(*) FROM payments WHERE contractId = ?', waiting.contractId) > 0,
    'the first mail is accepted': ({ world, mailsBefore }) =>
      world.sandbox.mails().filter(({ source }) => source === 'smtp').length > mailsBefore,
  },
};

test.concurrent.for(Object.entries(STEPS))('kill -9 after each step %s', PATIENT, async ([, steps], t) => {
  const world = await aWorld(t);
  const done: WaitingRequest[] = [];
  let daemon = await world.daemon();
  for (const [step, hasLeftItsTrace] of Object.entries(steps)) {
    const waiting = await world.waitingRequest();
    const mailsBefore = smtpMails(world.outside()).length;
    const scene = { world, waiting, mailsBefore, count: counter(t, world) };
    world.sign(waiting.signId);
    await until(step, () => hasLeftItsTrace(scene));

    await daemon.killHard();

    done.push(waiting);
    daemon = await world.daemon();
    await everythingSettles(world, done, step);
    await expectDoneOnce(world, done);
  }
});

test.concurrent('kill -9 as soon as the caller has its 200: every step follows', PATIENT, async (t) => {
  const world = await aWorld(t);
  const daemon = await world.daemon();
  const waiting = await world.waitingRequest();
  world.fault({ target: 'webhook', kind: 'lost', times: 1 });
  world.sign(waiting.signId);

  const status = await deliverOurselves(world, waiting.signId);
  await daemon.killHard();

  expect([200, 202]).toContain(status);
  await world.daemon();
  await everythingSettles(world, [waiting]);
  await expectDoneOnce(world, [waiting]);
});

test.concurrent(
  'kill -9 at random moments while thirty customers sign: each contract is done once',
  PATIENT,
  async (t) => {
    const world = await aWorld(t);
    const waiting: WaitingRequest[] = [];
    for (let n = 0; n < 30; n += 1) waiting.push(await world.waitingRequest());
    let daemon = await world.daemon();

    // Three, so that no payment can use up its four tries.
    for (const [kill, afterMs] of [40, 300, 90].entries()) {
      for (const { signId } of waiting.slice(10 * kill, 10 * (kill + 1))) world.sign(signId);
      await pause(afterMs + Math.random() * 100);
      await daemon.killHard();
      daemon = await world.daemon();
    }

    await everythingSettles(world, waiting);
    await expectDoneOnce(world, waiting);
  },
);

type Signature = SandboxState['signatureRequests'][number];

/** Each call of a reset, and how it looks there when it is done although its caller is dead. */
const RESET_CALLS: [operation: string, isDone: (old: Signature, fresh: Signature | undefined) => boolean][] =
  [
    ['cancel', (old) => old.status === 'canceled'],
    ['create', (_, fresh) => fresh !== undefined],
    ['upload', (_, fresh) => fresh?.documents.length === 1],
    ['signer', (_, fresh) => fresh?.signers.length === 1],
    ['activate', (_, fresh) => fresh?.status === 'ongoing'],
  ];

test.concurrent(
  'kill -9 of daemon and command during each call of a reset: after the next reset one contract is left to sign',
  PATIENT,
  async (t) => {
    const world = await aWorld(t);
    let daemon = await world.daemon();
    const done: WaitingRequest[] = [];
    for (const [operation, isDone] of RESET_CALLS) {
      const old = await world.waitingRequest();
      const calls = callsOf(world, operation);
      world.fault({ target: 'signature', operation, kind: 'delay', delayMs: 150, times: 1 });
      const reset = startProgram(t, 'esignctl', {
        args: ['reset-signature', String(old.requestId), '--yes'],
        env: world.env,
      });
      // A fault is gone once it has struck: check that first, because reading the whole state is expensive.
      await until(operation, () => hasStruck(world) && callsOf(world, operation) > calls);
      await Promise.all([reset.killHard(), daemon.killHard()]);
      // It goes on there without its caller, unless the connection took part of what was sent with it.
      await vi.waitUntil(() => isThereDone(world, old, done, isDone), 800).catch(() => undefined);
      // On a busy machine the blow may come later than it was meant.
      const isOut = isThereDone(world, old, done, (_, fresh) => fresh?.status === 'ongoing');

      const [restarted, again] = await Promise.all([
        world.daemon(),
        world.ctl('reset-signature', String(old.requestId), '--yes'),
      ]);

      daemon = restarted;
      expect([again.code, again.stderr]).toEqual([0, expect.any(String)]);
      const contracts = world.rows<{
        id: number;
        status: string;
        signId: string;
        externalId: string;
      }>(
        'SELECT id, status, signId, externalId FROM contracts WHERE requestId = ? ORDER BY id',
        old.requestId,
      );
      const replaced = contracts.slice(0, -1);
      const fresh = contracts.at(-1) as NonNullable<(typeof contracts)[1]>;
      const { id: contractId, signId, externalId } = fresh;
      expect([replaced[0]?.signId, fresh.status]).toEqual([old.signId, 'PENDING']);
      const there = world.outside().signatureRequests;
      // The next reset goes on with the contract of the first one, unless the daemon has heard of its activation before.
      expect(replaced.length).toBeLessThanOrEqual(isOut ? 2 : 1);
      for (const { status, signId: over } of replaced) {
        expect([status, there.find(({ id }) => id === over)?.status]).toEqual(['EXPIRED', 'canceled']);
      }
      expect(there.filter((s) => s.external_id === externalId)).toMatchObject([{ id: signId }]);
      world.sign(signId);
      done.push({ requestId: old.requestId, contractId, signId, externalId });
    }
    await everythingSettles(world, done);
    await expectDoneOnce(world, done, { otherMails: true });
  },
);

/** Each call of a start, how it looks there when it is done, and whether the contract is out by then. */
const START_CALLS: [operation: string, isDone: (fresh: Signature) => boolean, isOut: boolean][] = [
  ['create', () => true, false],
  ['upload', ({ documents }) => documents.length === 1, false],
  ['signer', ({ signers }) => signers.length === 1, false],
  ['activate', ({ status }) => status === 'ongoing', true],
];

test.concurrent(
  'kill -9 of daemon and command after each call of a start: the next daemon finds what is out, the next start sends the rest, once',
  PATIENT,
  async (t) => {
    const world = await aWorld(t);
    const looking = { ESIGN_RECONCILE_CRON: '0 0 1 1 *' };
    let daemon = await world.daemon(looking);
    const done: WaitingRequest[] = [];
    const known = new Set<string>();
    const newest = () => world.outside().signatureRequests.find(({ id }) => !known.has(id)) as Signature;
    for (const [operation, isDone, isOut] of START_CALLS) {
      const requestId = await world.newRequest();
      const late = { target: 'signature', operation, kind: 'answer_late', delayMs: 600_000 } as const;
      world.fault({ ...late, times: 1 });
      const start = startProgram(t, 'esignctl', {
        args: ['start-signature', String(requestId), '--yes'],
        env: world.env,
      });
      await until(operation, () => {
        const fresh = hasStruck(world) ? newest() : undefined;
        return fresh !== undefined && isDone(fresh);
      });
      await Promise.all([start.killHard(), daemon.killHard()]);
      expect(world.status(requestId)).toBe('in_progress');

      daemon = await world.daemon(looking);

      if (!isOut) await world.ctl('start-signature', String(requestId), '--yes');
      await vi.waitUntil(() => world.status(requestId) === 'WAITING_SIGNATURE', PATIENCE);
      const { id: signId } = newest();
      expect(world.rows('SELECT status, signId FROM contracts WHERE requestId = ?', requestId)).toEqual([
        { status: 'PENDING', signId },
      ]);
      known.add(signId);
      expect(newest()).toBeUndefined();
      const [contract] = world.rows<Pick<WaitingRequest, 'contractId' | 'externalId'>>(
        'SELECT id AS contractId, externalId FROM contracts WHERE signId = ?',
        signId,
      );
      world.sign(signId);
      done.push({ requestId, signId, ...(contract as NonNullable<typeof contract>) });
    }
    await everythingSettles(world, done);
    await expectDoneOnce(world, done);
  },
);

function isThereDone(
  world: World,
  { signId }: WaitingRequest,
  done: readonly WaitingRequest[],
  isDone: (typeof RESET_CALLS)[number][1],
): boolean {
  const there = world.outside().signatureRequests;
  const known = new Set([signId, ...done.map((one) => one.signId)]);
  const old = there.find(({ id }) => id === signId) as Signature;
  return isDone(
    old,
    there.find(({ id, status }) => !known.has(id) && status !== 'canceled'),
  );
}

function counter(t: TestContext, world: World): Scene['count'] {
  const db = new Database(join(world.dataDir, 'esign.db'));
  t.onTestFinished(() => void db.close());
  return (sql, ...values) =>
    db
      .prepare(sql)
      .pluck()
      .get(...values) as number;
}

const files = ({ dataDir }: World) => readdirSync(join(dataDir, 'contracts'));
const smtpMails = ({ mails }: SandboxState) => mails.filter(({ source }) => source === 'smtp');
const hasStruck = ({ sandbox }: World) => sandbox.faults.list().length === 0;
const callsOf = (world: World, operation: string) =>
  world.outside().counters.calls[`signature.${operation}`] ?? 0;

/** As quick as this process can look; the trace may be gone a moment later. */
async function until(step: string, isSo: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE.timeout;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`no trace of: ${step}`);
    await pause(1);
  }
}

async function deliverOurselves(world: World, signId: string): Promise<number> {
  const body = JSON.stringify({
    event_name: 'signature_request.done',
    data: { signature_request: { id: signId } },
  });
  const hmac = createHmac('sha256', SECRETS.ESIGN_WEBHOOK_SECRET).update(body).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-esign-signature-256': `sha256=${hmac}` };
  const answer = await fetch(`${world.baseUrl}/webhook/contract-signed`, { method: 'POST', headers, body });
  return answer.status;
}

const UNSETTLED = `SELECT count(*) FROM (SELECT 1 FROM jobs WHERE state IN ('available', 'running')
  UNION ALL SELECT 1 FROM json_each(?) LEFT JOIN requests ON requests.id = value ->> 'requestId'
  WHERE status IS NOT 'WAITING_PAYMENT')`;

async function everythingSettles(
  world: World,
  waiting: readonly WaitingRequest[],
  step = 'it',
): Promise<void> {
  // Opened when the daemon is back, and only once: opening it is most of the cost of a query.
  const db = new Database(join(world.dataDir, 'esign.db'));
  const unsettled = db.prepare(UNSETTLED).pluck();
  const isSettled = () => unsettled.get(JSON.stringify(waiting)) === 0;
  await vi
    .waitUntil(isSettled, PATIENCE)
    .catch((cause: unknown) => {
      throw new Error(`not all is settled after the kill when ${step}`, { cause });
    })
    .finally(() => db.close());
}

async function expectDoneOnce(
  world: World,
  waiting: readonly WaitingRequest[],
  { otherMails = false } = {},
): Promise<void> {
  const outside = world.outside();
  expect(world.rows("SELECT * FROM jobs WHERE state = 'failed'")).toEqual([]);
  expect(world.rows("SELECT 1 FROM inbox WHERE state = 'received'")).toEqual([]);
  expect(Object.values(outside.counters.sessionsByKey)).toEqual(waiting.map(() => 1));
  const names = outside.sessions.map(({ client_reference_id: name }) => name);
  expect(names.toSorted()).toEqual(waiting.map(({ externalId }) => externalId).toSorted());

  for (const { requestId, contractId } of waiting) {
    expect(world.status(requestId)).toBe('WAITING_PAYMENT');
    expect(world.rows('SELECT 1 FROM payments WHERE contractId = ?', contractId)).toHaveLength(1);
    // A session whose answer a kill has lost is found in the provider's list.
    for (const words of ["'contract.signed'", "'payment.session_created', 'payment.session_found'"]) {
      const told = world.rows(
        `SELECT 1 FROM history WHERE contractId = ? AND what IN (${words})`,
        contractId,
      );
      expect(told).toHaveLength(1);
    }
    const pdf = readFileSync(join(world.dataDir, 'contracts', `${contractId}.pdf`));
    const stored = world.rows('SELECT pdfSha256 AS sha FROM contracts WHERE id = ?', contractId);
    expect(stored).toEqual([{ sha: createHash('sha256').update(pdf).digest('hex') }]);
  }
  expect(files(world).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expectOneIdAMail(outside, otherMails ? undefined : 3 * waiting.length);
}

/** A mail may arrive twice, but only as the same mail. */
function expectOneIdAMail(outside: SandboxState, mailCount: number | undefined): void {
  const ids = new Map<string, Set<string | null>>();
  for (const { to, subject, messageId } of smtpMails(outside)) {
    const purpose = `${to.join()}: ${subject}`;
    ids.set(purpose, (ids.get(purpose) ?? new Set()).add(messageId));
  }
  for (const [purpose, known] of ids) expect([purpose, known.size]).toEqual([purpose, 1]);
  if (mailCount !== undefined) expect(ids.size).toBe(mailCount);
}
