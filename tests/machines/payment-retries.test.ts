/** Rules 5 with the real waits: a first try, then 1 s, 2 s and 4 s later; then the failed list. */
import { expect, test, vi } from 'vitest';
import { PATIENCE } from '../support/patience.js';
import { aWorld, type World } from '../support/world.js';

test.concurrent.for([
  { refusals: 1, waits: [1] },
  { refusals: 3, waits: [1, 2, 4] },
])(
  'payment refused $refusals time(s): tried again after the waits, then one session',
  async ({ refusals, waits }, t) => {
    const { world, requestId } = await signedWithRefusals(t, refusals);

    await vi.waitUntil(() => jobOf(world)?.state === 'completed', PATIENCE);

    const job = jobOf(world);
    expect(job).toMatchObject({ attempt: refusals + 1 });
    expectWaits(job, waits);
    expect(world.outside().sessions).toHaveLength(1);
    expect(world.status(requestId)).toBe('WAITING_PAYMENT');
  },
);

test.concurrent('payment refused four times: failed after 7 s, listed, and a replay makes the session', async (t) => {
  const { world, requestId } = await signedWithRefusals(t, 4);

  await vi.waitUntil(() => jobOf(world)?.state === 'failed', PATIENCE);

  const job = jobOf(world);
  expect(job).toMatchObject({ attempt: 4 });
  expectWaits(job, [1, 2, 4]);
  expect(world.outside().sessions).toEqual([]);
  const listed = JSON.parse((await world.ctl('failed', 'list', '--json')).stdout) as unknown;
  expect(listed).toMatchObject([{ id: job?.id, kind: 'create-payment-session', attempts: 4, requestId }]);

  const replay = await world.ctl('failed', 'replay', String(job?.id), '--json');

  expect(replay.code).toBe(0);
  expect(JSON.parse(replay.stdout)).toMatchObject({ replayed: 1, failed: 0 });
  expect(world.outside().sessions).toHaveLength(1);
  expect(JSON.parse((await world.ctl('failed', 'list', '--json')).stdout)).toEqual([]);
});

async function signedWithRefusals(t: Parameters<typeof aWorld>[0], times: number) {
  const world = await aWorld(t);
  await world.daemon();
  const waiting = await world.waitingRequest();
  world.fault({ target: 'payment', operation: 'create', kind: '500', times });
  world.sign(waiting.signId);
  return { world, ...waiting };
}

interface PaymentJob {
  id: number;
  state: string;
  attempt: number;
  /** JSON: one entry for each failed try. */
  errors: string;
  finishedAt: string | null;
}

function jobOf(world: World): PaymentJob | undefined {
  return world.rows<PaymentJob>("SELECT * FROM jobs WHERE kind = 'create-payment-session'")[0];
}

/** From each failed try to the next try (or the end), in seconds; how much later it comes is up to the machine. */
function expectWaits(job: PaymentJob | undefined, waits: readonly number[]): void {
  const failures = (JSON.parse(job?.errors ?? '[]') as { at: string }[]).map(({ at }) => Date.parse(at));
  const times = job?.state === 'failed' ? failures : [...failures, Date.parse(job?.finishedAt ?? '')];
  const gaps = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1000);
  expect(gaps).toHaveLength(waits.length);
  for (const [index, wait] of waits.entries()) {
    expect(gaps[index]).toBeGreaterThanOrEqual(wait - 0.01);
  }
}
