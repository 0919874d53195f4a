/** The people: the office and its customers, from the opening of the firm to its rest. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMistyped, type Letter, type Taking } from '../post-office.js';
import { waitingLong } from '../rules/jobs.js';
import { leftOpen } from '../rules/payments.js';
import { isStuck, unfinished, unheard } from '../rules/standing.js';
import { calmDown } from '../troubles.js';
import type { Customer, Place } from './place.js';
import { Client } from './client.js';
import { contractPdf, markOf } from './contract-pdf.js';
import { correct, correctLater, placeOf } from './customer.js';
import { Receiver } from './receiver.js';
import { Story } from './story.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The office enters them one by one, slower than the rate limit; even a thousand before the firm opens. */
const BETWEEN_CUSTOMERS_MS = 2_000;

/** The bulk checks run each half hour. */
const CHECKED_MS = 45 * MINUTE;
/** The longest wait of a job is ten hours, and others of its lane may come first. */
const RETRIED_MS = 11 * HOUR;

export class Firm {
  readonly receivers: Receiver[] = [];
  readonly #world: Place;
  readonly #customers: Customer[] = [];

  /** Contracts that were mailed before. */
  readonly #sent = new Set<string>();
  /** Those that have reached their customers. */
  readonly #read = new Set<string>();

  constructor(world: Place) {
    this.#world = world;
    const { mailbox } = world.providers.world;
    const add = mailbox.add.bind(mailbox);
    mailbox.add = (mail) => {
      this.#gotSignLink(mail.text, mail.to);
      return add(mail);
    };
    world.postOffice.onLetter((letter, taking) => this.#gotLetter(letter, taking));
  }

  /** The administrator and the first customers, before anything goes wrong. */
  async open(): Promise<void> {
    const { office, staff, scheduler, plan, chance } = this.#world;
    office.start();
    await scheduler.sleep(MINUTE);
    const { username, password } = staff.person;
    const words = ['--role', 'admin', '--first-name', 'Olga', '--last-name', 'Office', '--password-stdin'];
    await office.commandWith(password, 'users', 'create', username, ...words);
    for (let number = 1; number <= plan.customers; number += 1) {
      await this.#newCustomer(number);
      await scheduler.sleep(BETWEEN_CUSTOMERS_MS);
    }
    const receivers = plan.hasReceivers ? chance.of('receivers').int(0, 3) : 0;
    for (let number = 1; number <= receivers; number += 1) {
      const customer = number === 1 ? undefined : this.#customers[number - 2];
      const receiver = new Receiver(this.#world, number, customer?.name);
      this.receivers.push(receiver);
      await receiver.subscribe(customer?.client ?? staff);
    }
  }

  async #newCustomer(number: number): Promise<void> {
    const { staff, name, scheduler, chance } = this.#world;
    const person = {
      username: `anna${number}@${placeOf(this.#world, number)}.${name}.test`,
      password: `pass phrase number ${number}`,
      address: `203.0.113.${number % 250}`,
    };
    const { username, password } = person;
    const locale = chance.of(`language ${number}`).pick([undefined, 'en', 'fr']);
    const language = locale === undefined ? {} : { locale };
    const user = await staff.call('POST', '/api/users', {
      json: { username, password, firstName: 'Anna', lastName: 'Martin', ...language },
    });
    const client = new Client(this.#world, person);
    const reply = await client.call('POST', '/api/equipments', {
      json: { name: 'Boiler', model: 'B-200', serialNumber: `SN-${number}` },
    });
    if (reply?.status !== 201)
      throw new Error(`customer ${number}: ${reply?.status} ${JSON.stringify(reply?.body)}`);
    const customer = {
      client,
      name: `anna${number} of ${name}`.replaceAll(' ', '-'),
      id: user?.body.id as number,
      equipment: `/api/equipments/${reply.body.id}`,
      addresses: new Set([username]),
      right: undefined,
      correctedAt: scheduler.now,
    };
    this.#customers.push(customer);
  }

  /** Customers who have told another address wonder why nothing comes. */
  async correctAddresses(): Promise<void> {
    for (const customer of this.#customers) await correct(this.#world, customer);
  }

  /** Whose address it is or was. */
  at(address: string): Customer | undefined {
    return this.#customers.find(({ addresses }) => addresses.has(address));
  }

  get customers(): readonly Customer[] {
    return this.#customers;
  }

  /** Not of the other firm's. */
  isOfACustomer(address: string): boolean {
    return /@cust\w+\.(\w+)\.test$/.exec(address)?.[1] === this.#world.name;
  }

  /** Everything that was planned begins; ends when the last day is over. */
  async work(): Promise<void> {
    const { scheduler, plan, chance } = this.#world;
    for (const [i, customer] of this.#customers.entries()) void correctLater(this.#world, customer, i + 1);
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
    const { rows, outside, broken } = oracle.evidence;
    calmDown(this.#world);
    for (const receiver of this.receivers) receiver.calmDown();
    if (!office.process) office.start();
    const calmAt = scheduler.now;
    // What the bulk checks have to find.
    const unchecked = () => [...unheard(rows, outside), ...leftOpen(rows, outside)];
    const known = unchecked();
    await scheduler.sleep(CHECKED_MS);
    if (options.mode === 'liveness')
      for (const what of unchecked())
        if (known.includes(what)) broken(`${what}, and the bulk check has not found it`);
    await scheduler.sleep(RETRIED_MS);
    if (options.mode === 'liveness')
      for (const job of waitingLong(rows, calmAt)) broken(`${job}, and nothing has gone wrong since`);
    await scheduler.sleep(DAY - RETRIED_MS);
    if (options.mode === 'liveness') oracle.atRest('alone');
    // A broken promise ends the world here.
    await scheduler.sleep(0);
    await this.#help();
    oracle.atRest('with help');
  }

  /** Two people have the same list before them, and the second does not know that the first has replayed it. */
  async replayTwice(): Promise<void> {
    const { office, scheduler } = this.#world;
    const { code, stdout } = await office.command('failed', 'list', '--json');
    if (code !== 0) return;
    const ids = (JSON.parse(stdout) as { id: number }[]).map(({ id }) => String(id));
    if (ids.length === 0) return;
    await office.command('failed', 'replay', ...ids, '--yes');
    await scheduler.sleep(MINUTE);
    await office.command('failed', 'replay', ...ids, '--yes');
  }

  /** The office looks after every request, and runs what it is advised to run. */
  async #help(): Promise<void> {
    const { scheduler, office, oracle } = this.#world;
    await this.correctAddresses();
    await this.replayTwice();
    await office.command('failed', 'replay', '--all', '--yes');
    await office.command('check-signature', '--all', '--yes');
    await office.command('payments', 'check', '--all', '--yes');
    await scheduler.sleep(2 * HOUR);
    for (const id of unfinished(oracle.evidence.rows)) await this.#helpWith(id);
    // What was refused while its receiver was switched off.
    await office.command('failed', 'replay', '--all', '--yes');
    await scheduler.sleep(HOUR);
  }

  /** Follows all advice, and asks again until none is left. */
  async #helpWith(id: number): Promise<void> {
    const { scheduler, office, oracle } = this.#world;
    const done: string[] = [];
    const asked: string[] = [];
    for (let rounds = 0; ; rounds += 1) {
      const advice = (await this.#advice(id)).filter((each) => !asked.includes(each));
      if (advice.length === 0) return;
      // Whether a customer who was reminded pays is not for the office to say.
      asked.push(...advice.filter((each) => REMINDS.test(each)));
      // The customer may decline the next contract at once.
      const aboutContract = advice.map((each) => `${each} (contract ${this.#newestContract(id)})`);
      if (rounds === ROUNDS_MAX || aboutContract.some((each) => done.includes(each)))
        return oracle.evidence.broken(`request ${id} is in trouble still, after ${done.join(', ')}`);
      for (const each of advice) {
        const words = [...this.#supplied(id, wordsOf(each)), ...(LOOKS.test(each) ? [] : ['--yes'])];
        // Two people have been given the same advice.
        const people = DECIDES.test(each) ? 2 : 1;
        await Promise.all(Array.from({ length: people }, () => office.command(...words)));
      }
      done.push(...aboutContract);
      await scheduler.sleep(MINUTE);
    }
  }

  #newestContract(requestId: number): number | null | undefined {
    const sql = 'SELECT max(id) AS id FROM contracts WHERE requestId = ?';
    return this.#world.oracle.evidence.rows<{ id: number | null }>(sql, requestId)[0]?.id;
  }

  /** The words with the PDF that they ask for. */
  #supplied(id: number, words: string[]): string[] {
    const place = words.indexOf('--pdf') + 1;
    if (place === 0) return words;
    const { stories, office } = this.#world;
    const file = join(office.home, `${id}.pdf`);
    const story = stories.get(id);
    if (story) writeFileSync(file, contractPdf(markOf(story.customer.name, story.title)));
    return words.with(place, file);
  }

  /** The commands that help a request in trouble. */
  async #advice(id: number): Promise<string[]> {
    const { code, stdout } = await this.#world.office.command('explain', String(id), '--json');
    if (code !== 0) {
      this.#world.trace.broken(`explain ${id} ends with ${code} although nothing goes wrong any more`);
      return [];
    }
    const { findings } = JSON.parse(stdout) as { findings: { level: string; next: string | null }[] };
    const troubles = findings.filter(({ level }) => level === 'trouble');
    const { rows, expect } = this.#world.oracle.evidence;
    expect(troubles.length > 0 || !isStuck(rows, id), `request ${id} is stuck, and explain finds nothing`);
    return troubles.flatMap(({ next }) => next ?? []);
  }

  #gotSignLink(text: string, to: readonly string[]): void {
    const id = /\/sign\/([\w-]+)\?/.exec(text)?.[1] ?? '';
    const { providers, oracle, scheduler } = this.#world;
    const request = providers.world.signatureRequests.get(id);
    if (!request?.signers.some(({ info }) => this.isOfACustomer(info.email))) return;
    scheduler.in(scheduler.nobody, () => {
      const story = oracle.contracts.sent(request, this.#sent.has(id));
      this.#sent.add(id);
      // A reminder changes nobody's mind.
      if (!story || to.some(isMistyped) || this.#read.has(id)) return;
      this.#read.add(id);
      void story.decide(request);
    });
  }

  #gotLetter(letter: Letter, taking: Taking): void {
    const { name, oracle } = this.#world;
    if (!letter.messageId.endsWith(`@${name}.test>`)) return;
    const story = oracle.letters.arrived(letter, taking);
    const link = /http:\/\/\w+\.sim(\/pay\/[\w-]+)/.exec(letter.text)?.[1];
    if (story && link) void story.pay(link);
  }
}

/** How often the office asks about one request. */
const ROUNDS_MAX = 4;
const DECIDES = /^esignctl requests settle\b/;
/** Commands that change nothing here and so ask nothing. */
const LOOKS = /^esignctl (contracts show|doctor|explain|failed list)\b/;

/** They ask the customer once more, who may still not pay. */
const REMINDS = /^esignctl requests remind\b/;

/** The words of a command as somebody types it, without its own name. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '').slice(1);
}
