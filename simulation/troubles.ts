/** What goes wrong, as planned. Each lasts for its time and then is over. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Chance } from './machine/chance.js';
import { EXIT } from '../src/cli/exit-codes.js';
import { clockWasSet } from './machine/time.js';
import { FAIR } from './network.js';
import type { Trouble, TroubleKind } from './plan.js';
import type { Providers } from './providers.js';
import { CALM } from './post-office.js';
import { forge } from './people/thief.js';
import type { Place } from './people/place.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Lets everything happen that is planned. */
export function plague(world: Place): void {
  areOver = false;
  const { scheduler, plan, chance } = world;
  for (const trouble of plan.troubles) {
    const begin = () => {
      if (areOver) return;
      world.trace.add(`trouble: ${trouble.key}`);
      const end = STRIKE[trouble.kind](world, chance.of(`strike ${trouble.key}`), trouble);
      if (end) scheduler.after(trouble.forMs, end, scheduler.nobody);
    };
    scheduler.after(plan.start + trouble.atMs - scheduler.now, begin, scheduler.nobody);
  }
}

/** No trouble begins any more. */
let areOver = false;

/** Ends all troubles, also those that were still to come. */
export function calmDown(world: Place): void {
  areOver = true;
  world.isCalm = true;
  world.network.weather = FAIR;
  world.postOffice.weather = CALM;
  world.providers.world.faults.clear();
  makeRoom(world);
  setClock(world, 0);
}

function makeRoom({ disk, scheduler }: Place): void {
  if (disk.isFull) disk.roomSince = scheduler.now;
  disk.isFull = false;
}

type Strike = (world: Place, chance: Chance, trouble: Trouble) => (() => void) | void;

const STRIKE: Readonly<Record<TroubleKind, Strike>> = {
  kill: (world, chance) => {
    const ms = downMs(chance);
    soon(world, chance, () => world.office.kill(ms));
  },
  power: (world, chance) => {
    const ms = downMs(chance);
    soon(world, chance, () => world.office.losePower(ms));
  },
  restart: ({ office, scheduler }, chance) => {
    const pause = chance.between(1_000, 10 * MINUTE);
    void office.stop().then(() => scheduler.after(pause, () => office.start(), scheduler.nobody));
  },
  network: ({ network }, chance) => {
    network.weather = {
      lostCall: chance.pick([0, 0.02, 0.1, 0.5]),
      lostAnswer: chance.pick([0, 0.02, 0.1, 0.4]),
      slow: chance.pick([0, 0.01, 0.1]),
    };
    return () => (network.weather = FAIR);
  },
  signature: (world, chance) => provider(world, chance, 'signature'),
  payment: (world, chance) => provider(world, chance, 'payment'),
  webhook: ({ providers: { world } }, chance, { forMs }) => {
    const { faults } = world;
    const added = (['webhook', 'payment_webhook'] as const).flatMap((target) => [
      faults.add({ target, kind: 'lost', rate: chance.pick([0, 0.1, 0.5, 1]) }),
      faults.add({
        target,
        kind: 'duplicate',
        rate: chance.pick([0, 0.3, 1]),
        // Also while the first is being worked on.
        delayMs: chance.pick([0, chance.int(0, 400), chance.int(0, 5_000)]),
      }),
      faults.add({
        target,
        kind: 'late',
        rate: chance.pick([0, 0.3]),
        delayMs: Math.min(600_000, Math.floor(forMs)),
      }),
      faults.add({ target, kind: 'bad_hmac', rate: chance.pick([0, 0.1]) }),
    ]);
    return () => added.forEach(({ id }) => faults.remove(id));
  },
  mail: ({ postOffice }, chance) => {
    postOffice.weather = {
      refused: chance.pick([0, 0.2, 1]),
      lostAnswer: chance.pick([0, 0.2, 0.5]),
      hangs: chance.pick([0, 0.05]),
      rejected: chance.pick([0, 0, 0.05]),
    };
    return () => (postOffice.weather = CALM);
  },
  disk: (world) => {
    world.disk.isFull = true;
    return () => makeRoom(world);
  },
  clock: (world, chance) => {
    const aheadMs = chance.pick([-1, 1]) * chance.pick([2_000, 3 * MINUTE, 6 * MINUTE, HOUR, 26 * HOUR]);
    const set = () => setClock(world, aheadMs);
    if (chance.of('during a call').happens(0.5)) soon(world, chance, set);
    else set();
    return () => setClock(world, 0);
  },
  command: ({ office, firm }, chance) => {
    const words = chance.pick(COMMANDS);
    const deadly = chance.of('deadly');
    const livesMs = deadly.happens(0.3) ? deadly.between(0, 500) : undefined;
    void (words === undefined ? firm.replayTwice() : office.commandFor(livesMs, ...words));
  },
  thief: (world) => void forge(world),
  // A backup now; later the data is lost, and it is put in their place.
  restore: (world, chance, { key, forMs }) => {
    void restoreAfter(world, { chance, file: `${key}.tar.gz`, afterMs: chance.between(0.1, 3) * forMs });
  },
};

/** Mostly not in a quiet moment: while the service talks with a provider, or right after. */
function soon({ office, network, scheduler }: Place, chance: Chance, strike: () => void): void {
  const afterMs = chance.wait(150, 1_000);
  // The moment may come when all troubles are over.
  const act = () => void (areOver || strike());
  if (chance.happens(0.3)) act();
  else network.ambush(office.name, () => scheduler.after(afterMs, act, scheduler.nobody));
}

/** Undefined: two people replay the same failed jobs. */
const COMMANDS = [
  ['check-signature', '--all', '--yes'],
  ['payments', 'check', '--all', '--yes'],
  ['failed', 'replay', '--all', '--yes'],
  undefined,
  ['expire-contracts', '--yes'],
  ['prune', '--yes'],
  ['status', '--json'],
  ['todo', '--json'],
  ['doctor', '--json'],
];

/** After it, a contract can be signed, or a link be paid. */
const LAST_STEP = { signature: 'activate', payment: 'create' } as const;

function provider(
  { providers: { world } }: Place,
  chance: Chance,
  target: 'signature' | 'payment',
): () => void {
  const { faults } = world;
  const kinds = [
    '401',
    '404_html',
    '429',
    '500',
    '503',
    'reset',
    'answer_lost',
    'delay',
    'timeout',
    'answer_late',
  ] as const;
  const added = Array.from({ length: chance.int(1, 3) }, () => {
    const kind = chance.pick(kinds);
    const delayMs = kind === 'delay' || kind === 'answer_late' ? chance.int(100, 50_000) : 0;
    return faults.add({ target, kind, rate: chance.pick([0.05, 0.3, 1]), delayMs });
  });
  // Only one of all contracts or payments, or only the audit trails.
  const narrow = chance.of('narrow');
  if (narrow.happens(0.25))
    added.push(faults.add(narrow.happens(0.5) ? aboutOne(world, target, narrow) : TRAILS_HANG));
  // What arrives of a signed document is no document.
  if (target === 'signature' && chance.of('pdf').happens(0.2))
    added.push(faults.add({ target: 'pdf', kind: chance.of('pdf is').pick(UNFIT), rate: 0.7 }));
  // The rest works, and only the answers to the one call that counts get lost.
  if (chance.of('last step').happens(0.2))
    added.push(faults.add({ target, operation: LAST_STEP[target], kind: 'answer_lost', rate: 0.8 }));
  return () => added.forEach(({ id }) => faults.remove(id));
}

const UNFIT = ['empty', 'not_pdf', 'truncated'] as const;

const TRAILS_HANG = { target: 'signature', operation: 'audit_pdf', kind: 'timeout' } as const;

/** Each call fails about one contract or payment that is waited for. */
function aboutOne(
  { signatureRequests, sessions }: Providers['world'],
  target: 'signature' | 'payment',
  chance: Chance,
) {
  const all = target === 'signature' ? signatureRequests : sessions;
  const waiting = [...all.values()].filter(({ status }) => status === 'ongoing' || status === 'open');
  const about = waiting.length > 0 ? chance.pick(waiting).id : 'nobody';
  return { target, kind: chance.pick(['500', 'timeout', '429'] as const), about };
}

function setClock(world: Place, aheadMs: number): void {
  if (world.office.machine.aheadMs === aheadMs) return;
  world.office.machine.aheadMs = aheadMs;
  world.clockSetAt = world.scheduler.now;
  world.trace.add(`the ${world.name}'s clock is ${aheadMs} ms ahead`);
  world.scheduler.happened();
  clockWasSet(world.scheduler);
}

function downMs(chance: Chance): number {
  return chance.happens(0.2) ? chance.between(MINUTE, 5 * HOUR) : chance.between(500, 5_000);
}

/** What was kept is put back, as the documents advise: while a provider is down, the takeover is tried again. */
async function restoreAfter(
  world: Place,
  { chance, file, afterMs }: { chance: Chance; file: string; afterMs: number },
): Promise<void> {
  const { office, scheduler, oracle, firm, trace } = world;
  const archive = join(office.home, file);
  const kept = oracle.survival.remember();
  const isSnapshot = chance.of('kind').happens(0.4);
  const words = isSnapshot ? ['snapshot', join(office.home, 'snapshot')] : ['backup', archive];
  if ((await office.commandAtOnce(...words)).code !== 0) return;
  // As restic fetches it; the next one is made over it, from what has changed.
  if (isSnapshot) cpSync(words[1] as string, archive, { recursive: true });
  await scheduler.sleep(afterMs);
  if (areOver) return;
  await office.stop();
  oracle.evidence.close();
  const { code } = await office.commandAtOnce('restore', archive, '--yes');
  // A restore ends when all of it is on disk.
  Object.assign(world.disk, { unsynced: new Set(), renamed: [] });
  if (code === 0) oracle.restored(kept);
  // Unavailable: a command still works beside it.
  else if (code !== EXIT.unavailable) trace.broken(`what was kept in ${file} is refused: exit ${code}`);
  office.start();
  await scheduler.sleep(MINUTE);
  while ((await office.command('takeover', '--yes')).code !== 0) await scheduler.sleep(10 * MINUTE);
  await firm.correctAddresses();
}
