/** The people: the office and its customers, from the opening of the firm to its rest. */
import type { Letter } from '../post-office.js';
import { calmDown } from '../troubles.js';
import type { World } from '../world.js';
import { Client } from './client.js';
import { Story, type Customer } from './story.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export class Firm {
  readonly #world: World;
  readonly #customers: Customer[] = [];
  readonly #byAddress = new Map<string, Customer>();

  constructor(world: World) {
    this.#world = world;
    const { mailbox } = world.providers.world;
    const add = mailbox.add.bind(mailbox);
    mailbox.add = (mail) => {
      this.#gotSignLink(mail.text);
      return add(mail);
    };
    world.postOffice.onLetter((letter) => this.#gotLetter(letter));
  }

  /** The administrator and the first customers, before anything goes wrong. */
  async open(): Promise<void> {
    const { office, staff, scheduler, plan, chance } = this.#world;
    office.start();
    await scheduler.sleep(MINUTE);
    const { username, password } = staff.person;
    await office.commandWith(
      password,
      'users',
      'create',
      username,
      '--role',
      'admin',
      '--first-name',
      'Olga',
      '--last-name',
      'Office',
      '--password-stdin',
    );
    for (let number = 1; number <= plan.customers; number += 1) await this.#newCustomer(number);
    void chance;
  }

  async #newCustomer(number: number): Promise<void> {
    const { staff } = this.#world;
    const person = {
      username: `anna${number}@customers.test`,
      password: `pass phrase number ${number}`,
      address: `203.0.113.${number % 250}`,
    };
    const { username, password } = person;
    await staff.call('POST', '/api/users', {
      json: { username, password, firstName: 'Anna', lastName: 'Martin' },
    });
    const client = new Client(this.#world, person);
    const reply = await client.call('POST', '/api/equipments', {
      json: { name: 'Boiler', model: 'B-200', serialNumber: `SN-${number}` },
    });
    if (reply?.status !== 201)
      throw new Error(`customer ${number}: ${reply?.status} ${JSON.stringify(reply?.body)}`);
    const customer = { client, username, equipment: `/api/equipments/${reply.body.id}` };
    this.#customers.push(customer);
    this.#byAddress.set(username, customer);
  }

  /** Everything that was planned begins; ends when the last day is over. */
  async work(): Promise<void> {
    const { scheduler, plan, chance } = this.#world;
    for (const { key, number, atMs } of plan.stories) {
      const customer = this.#customers[number % this.#customers.length] as Customer;
      const story = new Story(this.#world, number, customer, chance.of(`story ${key}`));
      const run = () =>
        void story.run().catch((error: unknown) => this.#world.trace.broken(String((error as Error).stack)));
      scheduler.after(plan.start + atMs - scheduler.now, run, scheduler.nobody);
    }
    await scheduler.sleep(plan.start + plan.endMs - scheduler.now);
  }

  /** Nothing goes wrong any more: the service comes to rest, at first alone, then with the office's help. */
  async comeToRest(): Promise<void> {
    const { scheduler, office, oracle, options } = this.#world;
    calmDown(this.#world);
    if (!office.process) office.start();
    // The longest wait of a job is ten hours.
    await scheduler.sleep(DAY);
    if (options.mode === 'liveness') oracle.atRest('alone');
    await office.command('failed', 'replay', '--all', '--yes');
    await office.command('check-signature', '--all', '--yes');
    await office.command('payments', 'check', '--all', '--yes');
    await scheduler.sleep(2 * HOUR);
    oracle.atRest('with help');
  }

  #gotSignLink(text: string): void {
    const id = /\/sign\/([\w-]+)\?/.exec(text)?.[1] ?? '';
    const { providers, oracle, scheduler } = this.#world;
    const request = providers.world.signatureRequests.get(id);
    if (!request) return;
    scheduler.in(scheduler.nobody, () => {
      const story = oracle.sent(request);
      if (story) void story.decide(request);
    });
  }

  #gotLetter(letter: Letter): void {
    const story = this.#world.oracle.arrived(letter);
    const session = /providers\.sim\/pay\/(\w+)/.exec(letter.text)?.[1];
    if (story && session) void story.pay(session, letter);
  }
}
