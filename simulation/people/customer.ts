/** A customer: the account, and the mailboxes in which mail reaches them. */
import type { World } from '../world.js';
import type { Client } from './client.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** How somebody got an address that is not the right one, as shares of all customers. */
const MISTYPED = 0.12;
const MOVES = 0.12;

export interface Customer {
  client: Client;
  /** By which the documents of this world name the customer, whatever the address. */
  name: string;
  /** Of the user. */
  id: number;
  /** IRI of what is maintained. */
  equipment: string;
  /** Where mail may go: nowhere else, and to those that are out of date only for a moment. */
  addresses: Set<string>;
  /** The right one, if the customer has told it. */
  right: string | undefined;
  /** When the present address was entered. */
  correctedAt: number;
}

/** Of the address that a customer gives first; a mistyped one takes no mail. */
export function placeOf(world: World, number: number): 'customers' | 'custmers' {
  return world.chance.of(`mistyped ${number}`).happens(MISTYPED) ? 'custmers' : 'customers';
}

export function isMistyped(address: string): boolean {
  return address.includes('@custmers.');
}

/** The office corrects a mistyped address when it hears of it; others get another mailbox. */
export async function correctLater(world: World, customer: Customer, number: number): Promise<void> {
  const { scheduler, oracle, plan } = world;
  const chance = world.chance.of(`corrects ${number}`);
  const isWrong = isMistyped(customer.client.person.username);
  if (!isWrong && !chance.happens(MOVES)) return;
  const days = plan.endMs / DAY;
  await scheduler.sleep(chance.wait(days * 0.3 * DAY, days * 0.7 * DAY));
  const right = `anna${number}${isWrong ? '' : '.new'}@customers.${world.name}.test`;
  customer.addresses.add(right);
  customer.right = right;
  for (let tries = 0; tries < 5 && oracle.evidence.addressOf(customer) !== right; tries += 1) {
    await correct(world, customer);
    await scheduler.sleep(chance.between(MINUTE, 60 * MINUTE));
  }
}

/** Some choose another password, while they are logged in. */
export async function changePasswordLater({ scheduler, chance, plan }: World, { client, name }: Customer) {
  const drawn = chance.of(`password of ${name}`);
  if (!drawn.happens(0.3)) return;
  await scheduler.sleep(drawn.between(0.1, 0.9) * plan.endMs);
  await client.changePassword(`another pass phrase of ${name}`);
}

/** Also when the data of an older time have an older address. */
export async function correct({ office, oracle }: World, { id, right }: Customer): Promise<void> {
  if (right === undefined || oracle.evidence.addressOf({ id }) === right) return;
  await office.command('users', 'set-email', String(id), right, '--yes');
}
