/** What customers do with their accounts, and the mailboxes in which mail reaches them. */
import { isMistyped } from '../post-office.js';
import type { Customer, Place } from './place.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** How somebody got an address that is not the right one, as shares of all customers. */
const MISTYPED = 0.12;
const MOVES = 0.12;

/** Of the address that a customer gives first; a mistyped one takes no mail. */
export function placeOf(world: Place, number: number): 'customers' | 'custmers' {
  return world.chance.of(`mistyped ${number}`).happens(MISTYPED) ? 'custmers' : 'customers';
}

/** The office corrects a mistyped address when it hears of it; others get another mailbox. */
export async function correctLater(world: Place, customer: Customer, number: number): Promise<void> {
  const { scheduler, oracle, plan } = world;
  const chance = world.chance.of(`corrects ${number}`);
  const isWrong = isMistyped(customer.client.person.username);
  if (!isWrong && !chance.happens(MOVES)) return;
  const days = plan.endMs / DAY;
  await scheduler.sleep(chance.wait(days * 0.3 * DAY, days * 0.7 * DAY));
  const right = `anna${number}${isWrong ? '' : '.new'}@customers.${world.name}.test`;
  customer.addresses.add(right);
  customer.right = right;
  for (let tries = 0; tries < 5 && oracle.evidence.mailAddressOf(customer) !== right; tries += 1) {
    await correct(world, customer);
    await scheduler.sleep(chance.between(MINUTE, 60 * MINUTE));
  }
}

/** Also when the data of an older time have an older address. */
export async function correct({ office, oracle }: Place, { id, right }: Customer): Promise<void> {
  if (right === undefined || oracle.evidence.mailAddressOf({ id }) === right) return;
  await office.command('users', 'set-email', String(id), right, '--yes');
}
