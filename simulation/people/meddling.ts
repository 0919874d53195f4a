/** What happens out of the usual course: customers report trouble; the office reminds, cancels and reopens. */
import type { Chance } from '../machine/chance.js';
import type { Customer, Place } from './place.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Tries of somebody who is told to try later. */
const TRIES_MAX = 4;

/** The story of a request. */
interface Meddled {
  readonly number: number;
  readonly customer: Customer;
  readonly requestId: number | undefined;
  readonly isLost: boolean;
  start(): Promise<void>;
}

export function meddle(world: Place, story: Meddled, chance: Chance): void {
  void remind(world, story, chance.of('remind'));
  void cancel(world, story, chance.of('cancel'));
  void trouble(world, story, chance.of('trouble'));
}

/** The customer reports it, and the office sees to it. */
async function trouble({ staff, scheduler }: Place, story: Meddled, chance: Chance): Promise<void> {
  if (!chance.happens(0.2)) return;
  await scheduler.sleep(chance.wait(HOUR, 3 * DAY));
  if (story.isLost) return;
  const json = {
    request: `/api/requests/${story.requestId}`,
    description: 'It went out again in the night.',
  };
  const key = `trouble-${story.number}`;
  const reply = await story.customer.client.call('POST', '/api/troubleshootings', { json, key });
  if (reply?.status !== 201) return;
  await scheduler.sleep(chance.wait(HOUR, DAY));
  const type = 'application/merge-patch+json';
  await staff.call('PATCH', `/api/troubleshootings/${reply.body.id}`, { json: { status: 'solved' }, type });
}

async function remind({ office, scheduler }: Place, story: Meddled, chance: Chance): Promise<void> {
  if (!chance.happens(0.2)) return;
  await scheduler.sleep(chance.wait(3 * DAY, 8 * DAY));
  if (story.isLost) return;
  await office.command('requests', 'remind', String(story.requestId), '--yes');
}

async function cancel(world: Place, story: Meddled, chance: Chance): Promise<void> {
  if (!chance.happens(0.12)) return;
  const { scheduler } = world;
  await scheduler.sleep(chance.wait(3 * DAY, 8 * DAY));
  await decide(world, story, 'cancel', chance);
  if (chance.happens(0.5)) await reopen(world, story, chance);
}

/** A few days later, perhaps after money has come. */
export async function reopen(world: Place, story: Meddled, chance: Chance): Promise<void> {
  await world.scheduler.sleep(chance.wait(DAY, 3 * DAY));
  await decide(world, story, 'reopen', chance);
  await story.start();
}

/** By the API or a command, and again while somebody else is at it or a provider does not answer. */
async function decide(
  { office, staff, scheduler }: Place,
  story: Meddled,
  what: 'cancel' | 'reopen',
  chance: Chance,
): Promise<void> {
  const byCommand = chance.happens(0.4);
  const notify = what === 'cancel' && chance.happens(0.5);
  for (let tries = 0; tries < TRIES_MAX && !story.isLost; tries += 1) {
    const id = String(story.requestId);
    const reason = `the customer wants to ${what}`;
    if (byCommand) {
      const words = [what, id, '--reason', reason, ...(notify ? ['--notify'] : []), '--yes'];
      const { code } = await office.command('requests', ...words);
      if (code < 5) return;
    } else {
      const json = { reason, ...(notify && { notify }) };
      const reply = await staff.call('POST', `/api/requests/${id}/${what}`, { json });
      if (reply && reply.status < 500 && ![401, 409].includes(reply.status)) return;
    }
    await scheduler.sleep(chance.wait(HOUR, 6 * HOUR));
  }
}
